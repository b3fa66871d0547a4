/** A whole run on virtual time: the outputs of the model, and the outcome of each call, are given. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { SepParser } from '../parser/parser.ts';
import { executorMachine } from './machine.ts';
import type { ExecutorCommand, ExecutorEvent, ExecutorInput, ExecutorOptions } from './state.ts';

/** The outcome of one call of a provider. */
export interface ScriptedOutcome {
  /** The seconds from the call to its outcome. */
  readonly after?: number;
  readonly output?: Json;
  readonly error?: string;
}

/** A scripted run. */
export interface RunScript extends Pick<ExecutorOptions, 'variables'> {
  /** The output of the model in each iteration, in pieces. */
  readonly iterations: readonly (readonly string[])[];
  /** By the name of actions: an outcome for each call. The last one repeats. */
  readonly providers?: { readonly [name: string]: readonly ScriptedOutcome[] };
}

/** An event with its time (s) since the begin of the run. */
export type TimedEvent = ExecutorEvent & { readonly at: number };

/** A finished run. */
export interface ScriptedRun {
  readonly events: readonly TimedEvent[];
  /** The variables that have a value: outputs by output key and by id, and those that the caller gave. */
  readonly variables: JsonObject;
  /** The text that the model sees before each further iteration. */
  readonly transcripts: readonly string[];
}

/** An input that comes later. */
interface Later {
  readonly at: number;
  readonly input: ExecutorInput;
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
export function playRun(script: RunScript): ScriptedRun {
  return new Player(script).play();
}

class Player {
  readonly #script: RunScript;
  readonly #machine: ReturnType<typeof executorMachine>;
  #state: ReturnType<ReturnType<typeof executorMachine>['start']>;
  readonly #events: TimedEvent[] = [];
  readonly #transcripts: string[] = [];
  readonly #ids = new Set<string>();
  readonly #calls = new Map<string, number>();
  readonly #later: Later[] = [];
  #iteration = 0;
  #speaks = true;
  #now = 0;

  constructor(script: RunScript) {
    const { variables = {}, iterations } = script;
    this.#script = script;
    this.#machine = executorMachine({ variables, maxIterations: Math.max(1, iterations.length) });
    this.#state = this.#machine.start();
  }

  play(): ScriptedRun {
    this.#step({ type: 'begin' });
    for (;;) {
      if (this.#speaks) this.#speak();
      else {
        const next = this.#takeNext();
        if (next === undefined) break;
        this.#now = next.at;
        this.#step(next.input);
      }
    }
    return { events: this.#events, variables: this.#variables(), transcripts: this.#transcripts };
  }

  /** The model's output of an iteration. */
  #speak(): void {
    this.#speaks = false;
    const parser = new SepParser((event) => this.#step({ type: 'event', event }), { ids: this.#ids });
    for (const chunk of this.#script.iterations[this.#iteration++] ?? []) {
      this.#step({ type: 'output', text: chunk });
      parser.write(chunk);
    }
    parser.end();
    this.#step({ type: 'ended' });
  }

  #step(input: ExecutorInput): void {
    const { state, commands } = this.#machine.step(this.#state, input);
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
  }

  #carryOut(command: ExecutorCommand): void {
    switch (command.do) {
      case 'show':
        return void this.#events.push({ ...command.event, at: this.#now });
      case 'run': {
        const { after = 0, ...outcome } = this.#outcomeOf(command.action.name);
        const { id, attempt } = command;
        return this.#schedule(
          after,
          outcome.error === undefined
            ? { type: 'succeeded', id, attempt, output: outcome.output ?? null }
            : { type: 'failed', id, attempt, error: outcome.error },
        );
      }
      case 'timer':
        return this.#schedule(command.after, { type: 'timeout', id: command.id, attempt: command.attempt });
      case 'iterate':
        this.#transcripts.push(command.transcript);
        this.#speaks = true;
        return;
      case 'abort':
      case 'stop':
    }
  }

  #outcomeOf(name: string): ScriptedOutcome {
    const { providers = {} } = this.#script;
    const outcomes = Object.hasOwn(providers, name) ? (providers[name] ?? []) : [];
    const call = this.#calls.get(name) ?? 0;
    this.#calls.set(name, call + 1);
    return outcomes[Math.min(call, outcomes.length - 1)] ?? { error: `there is no provider ${name}` };
  }

  /** Keeps what comes later in the order of time; of the same time, in the order of its causes. */
  #schedule(after: number, input: ExecutorInput): void {
    const at = this.#now + after;
    let i = this.#later.length;
    while (i > 0 && (this.#later[i - 1]?.at ?? 0) <= at) i--;
    this.#later.splice(i, 0, { at, input });
  }

  #takeNext(): Later | undefined {
    return this.#later.pop();
  }

  #variables(): JsonObject {
    const { outputs, entries } = this.#state;
    const byId = [...entries].flatMap(([id, { output }]) =>
      output === undefined ? [] : [[id, output] as const],
    );
    return Object.fromEntries([...Object.entries(this.#script.variables ?? {}), ...byId, ...outputs]);
  }
}
