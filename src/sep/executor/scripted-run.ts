/** A whole run on virtual time: the outputs of the model, and the outcome of each call, are given. */
import type { JsonObject } from '../../kit/base/index.ts';
import type { SepParserOptions } from '../parser/parser.ts';
import { CallQueue } from './call-queue.ts';
import { scriptedProviders } from './providers.ts';
import type { ScriptedOutcomes } from './providers.ts';
import { Runner } from './runner.ts';
import type { TimedEvent } from './runner.ts';
import type { Sources } from './sources.ts';
import type { ExecutorOptions } from './state.ts';

/** A scripted run, with limits. */
export interface RunScript extends ExecutorOptions, Pick<SepParserOptions, 'mostBody' | 'mostTemplates'> {
  /** The output of the model in each iteration, in pieces. Without `maxIterations`, the run has as many. */
  readonly iterations: readonly (readonly string[])[];
  readonly providers?: ScriptedOutcomes;
  /** The values of feeds. */
  readonly sources?: Sources;
}

/** A finished run. */
export interface ScriptedRun {
  readonly events: readonly TimedEvent[];
  /** The variables that have a value: outputs by output key and by id, and those that the caller gave. */
  readonly variables: JsonObject;
  /** The text that the model sees before each further iteration. */
  readonly transcripts: readonly string[];
}

/**
 * Plays a run to its end. The model says nothing once its outputs are used up.
 *
 * @example
 * const run = playRun({
 *   iterations: [['<action type="tool" mode="sync" id="a">{"name":"add","output_key":"sum"}</action><response>$sum</response>']],
 *   providers: { add: [{ after: 2, output: 8 }] },
 * });
 * run.events.filter(({ type }) => type === 'response'); // [{ type: 'response', text: '8', final: true, at: 2 }]
 */
export function playRun({ iterations, providers = {}, ...options }: RunScript): ScriptedRun {
  const events: TimedEvent[] = [];
  const transcripts: string[] = [];
  const queue = new CallQueue();
  let speaks = (options.feeds?.feeds ?? []).length === 0;
  const runner = new Runner({
    maxIterations: Math.max(1, iterations.length),
    ...options,
    clock: queue,
    providers: scriptedProviders(providers),
    onEvent: (event) => void events.push(event),
    onIteration: (transcript, n) => {
      if (n > 1) transcripts.push(transcript);
      speaks = true;
    },
  });
  runner.begin();
  for (let spoken = 0; ;) {
    if (!speaks) {
      if (!queue.runNext()) break;
      continue;
    }
    speaks = false;
    for (const chunk of iterations[spoken++] ?? []) runner.write(chunk);
    runner.endOutput();
  }
  return { events, variables: runner.variables(), transcripts };
}
