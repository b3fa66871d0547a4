/** Runs the executor on a clock: a call of a provider has its outcome after a time that is known when it begins. */
import type { JsonObject } from '../../kit/base/index.ts';
import type { Clock, Timer } from '../../kit/world/index.ts';
import type { Templates } from '../parser/templates.ts';
import { SepParser } from '../parser/parser.ts';
import type { SepParserOptions } from '../parser/parser.ts';
import { extensionsOf } from '../parser/extensions.ts';
import { executorMachine } from './machine.ts';
import { noProviderOf } from './providers.ts';
import type { Providers, ScriptedOutcome } from './providers.ts';
import { noSource } from './sources.ts';
import type { LiveSources } from './sources.ts';
import { RunningFetch } from './running-fetch.ts';
import { isEnding } from './state.ts';
import type { ExecutorCommand, ExecutorEvent, ExecutorInput, FinishReason } from './io.ts';
import type { ExecutorOptions, ExecutorState } from './state.ts';

/** An event with its time (s) since the begin of the run. */
export type TimedEvent = ExecutorEvent & { readonly at: number };

/** Options of a runner. */
export interface RunnerOptions extends ExecutorOptions, Pick<SepParserOptions, 'mostBody' | 'mostTemplates'> {
  readonly clock: Clock;
  /** What runs the actions: the outcome of an attempt is known when it begins. */
  readonly providers: Providers<ScriptedOutcome>;
  /** What gives feeds their values, at once or later. Default: no source does. */
  readonly sources?: LiveSources;
  /** Called with each event, in order. */
  readonly onEvent: (event: TimedEvent) => void;
  /**
   * Called when the model may go on: `transcript` is the text that it sees before its n-th output. In a run with feeds it is
   * called before the first output, too, which must not be written earlier.
   */
  readonly onIteration?: (transcript: string, n: number) => void;
  /** Called once, after the last event. */
  readonly onFinished?: (reason: FinishReason) => void;
}

/** An attempt of which the outcome is known is not aborted. */
const never = new AbortController().signal;

/** Milliseconds as seconds, to the microsecond. */
const seconds = (ms: number): number => Math.round(ms * 1000) / 1e6;

/**
 * A run of a model's outputs. Begin it, write the output in pieces, end the output, and do so again in each further
 * iteration.
 *
 * @example
 * import { realClock } from '../../kit/world/index.ts';
 *
 * const runner = new Runner({
 *   clock: realClock(),
 *   providers: scriptedProviders({ clock: [{ after: 0.01, output: 'noon' }] }),
 *   onEvent: ({ type, at }) => console.log(at, type),
 * });
 * runner.begin();
 * runner.write('<action type="tool" mode="sync" id="a">{"name":"clock"}</action>');
 * runner.endOutput();
 * runner.cancel();
 */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #machine: ReturnType<typeof executorMachine>;
  readonly #began: number;
  /** The timers of the latest attempt, by action. */
  readonly #timers = new Map<string, Timer[]>();
  readonly #ids = new Set<string>();
  readonly #templates: Templates = new Map();
  readonly #fetches = new Set<RunningFetch>();
  readonly #takesParts: boolean;
  #wake: Timer | undefined;
  #parser: SepParser;
  #state: ExecutorState;

  /** @param options - the clock, the outcomes, and the functions that are told what happens */
  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#began = options.clock.now();
    this.#takesParts = extensionsOf(options.extensions).has('partial_results');
    this.#machine = executorMachine(options);
    this.#state = this.#machine.start();
    this.#parser = this.#newParser();
  }

  /** Begins the run. */
  begin(): void {
    this.#step({ type: 'begin' });
  }

  /** Takes a piece of the model's output. */
  write(chunk: string): void {
    this.#step({ type: 'output', text: chunk });
    this.#parser.write(chunk);
  }

  /** Ends the model's output of this iteration. */
  endOutput(): void {
    const parser = this.#parser;
    this.#parser = this.#newParser();
    parser.end();
    this.#step({ type: 'ended' });
  }

  /** Ends the run: its attempts are aborted, and its other actions skipped. */
  cancel(): void {
    this.#step({ type: 'cancel' });
  }

  /** Whether the model may go on speaking: a turn that has failed takes no more of its output. */
  get takesOutput(): boolean {
    return !isEnding(this.#state);
  }

  /** The variables that have a value: outputs by output key and by id, and those that the caller gave. */
  variables(): JsonObject {
    const { outputs, entries, variables } = this.#state;
    const byId = [...entries].flatMap(([id, { output }]) =>
      output === undefined ? [] : [[id, output] as const],
    );
    return Object.fromEntries([...variables, ...byId, ...outputs]);
  }

  #newParser(): SepParser {
    const { mostBody, mostTemplates, extensions = {} } = this.#options;
    return new SepParser((event) => this.#step({ type: 'event', event }), {
      ids: this.#ids,
      templates: this.#templates,
      extensions,
      ...(mostBody === undefined ? {} : { mostBody }),
      ...(mostTemplates === undefined ? {} : { mostTemplates }),
    });
  }

  #step(input: ExecutorInput): void {
    const { state, commands } = this.#machine.step(this.#state, input, this.#now());
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
  }

  #carryOut(command: ExecutorCommand): void {
    const { clock, onEvent, onIteration, onFinished } = this.#options;
    switch (command.do) {
      case 'show':
        return onEvent({ ...command.event, at: this.#now() });
      case 'run':
        return this.#run(command);
      case 'timer': {
        const { id, attempt, after } = command;
        return this.#schedule(id, after, { type: 'timeout', id, attempt });
      }
      case 'abort':
        return this.#forget(command.id);
      case 'fetch':
        return this.#fetch(command);
      case 'wake':
        this.#wake?.cancel();
        this.#wake = clock.after(command.after * 1000, () => this.#step({ type: 'feeds_due' }));
        return;
      case 'iterate':
        return onIteration?.(command.transcript, command.n);
      case 'stop':
        this.#stop();
        return onFinished?.(command.reason);
    }
  }

  #run(call: Extract<ExecutorCommand, { do: 'run' }>): void {
    const { id, attempt, action } = call;
    const provider = this.#options.providers[action.type];
    const outcome: ScriptedOutcome = provider?.run(call, never) ?? { error: noProviderOf(action) };
    const { after = 0, output = null, error, parts = [] } = outcome;
    this.#forget(id);
    if (this.#takesParts)
      for (const part of parts)
        this.#schedule(id, part.after ?? 0, { type: 'part', id, attempt, output: part.output });
    this.#schedule(
      id,
      after,
      error === undefined
        ? { type: 'succeeded', id, attempt, output }
        : { type: 'failed', id, attempt, error },
    );
  }

  #fetch({ fetch, source, timeout }: Extract<ExecutorCommand, { do: 'fetch' }>): void {
    const { sources = noSource } = this.#options;
    const running = new RunningFetch(this.#options.clock, (outcome) => {
      this.#fetches.delete(running);
      this.#step({ type: 'fetched', fetch, outcome });
    });
    this.#fetches.add(running);
    running.begin(sources(source, { at: this.#now(), signal: running.signal }), timeout);
  }

  /** The time since the begin of the run (s). */
  #now(): number {
    return seconds(this.#options.clock.now() - this.#began);
  }

  #stop(): void {
    for (const id of this.#timers.keys()) this.#forget(id);
    for (const fetch of this.#fetches) fetch.cancel();
    this.#fetches.clear();
    this.#wake?.cancel();
  }

  #schedule(id: string, after: number, input: ExecutorInput): void {
    const timers = this.#timers.get(id) ?? [];
    const isOutcome = input.type === 'succeeded' || input.type === 'failed';
    const timer = this.#options.clock.after(after * 1000, () => {
      if (isOutcome) this.#forget(id);
      this.#step(input);
    });
    timers.push(timer);
    this.#timers.set(id, timers);
  }

  /** Cancels the timers of an attempt. */
  #forget(id: string): void {
    for (const timer of this.#timers.get(id) ?? []) timer.cancel();
    this.#timers.delete(id);
  }
}
