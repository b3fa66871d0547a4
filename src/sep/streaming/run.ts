/** One stream that is being parsed: the machine, the attempts that run, and the events that nobody has taken yet. */
import type { Json } from '../../kit/base/index.ts';
import { executorMachine } from '../executor/machine.ts';
import type { EmitPart, ProviderAnswer } from '../executor/providers.ts';
import { isEnding } from '../executor/state.ts';
import { lateFeed } from '../executor/sources.ts';
import type { FeedOutcome, FeedSource } from '../feeds/feed.ts';
import type { ExecutorCommand, ExecutorEvent, ExecutorInput } from '../executor/io.ts';
import type { ExecutorOptions, ExecutorState } from '../executor/state.ts';
import type { SepAction } from '../parser/events.ts';
import { SepParser } from '../parser/parser.ts';
import type { SepParserOptions } from '../parser/parser.ts';
import { streamEvent } from './events.ts';
import type { StreamEvent } from './events.ts';
import { thrownText } from '../executor/thrown.ts';

/** The pieces of a model's output, as they come. */
export type OutputStream = AsyncIterable<string | Uint8Array>;

/** Options of a stream. */
export interface StreamOptions extends ExecutorOptions, Pick<SepParserOptions, 'mostBody' | 'mostTemplates'> {
  /** Runs an action, with the values of its references. A rejection is its failure. */
  readonly actionExecutor: (
    action: SepAction,
    /** Aborted when the time of the attempt is over, or the run ends before it does. */
    signal: AbortSignal,
    /** Takes parts of the output while the action runs: the extension `partial_results`. */
    emit: EmitPart,
  ) => ProviderAnswer;
  /** Fetches the value of a feed. A rejection is its failure. Default: no source has a value. */
  readonly fetchFeed?: (source: FeedSource, signal: AbortSignal) => Promise<Json> | Json;
  /** Calls a function after so many seconds. @returns a function that cancels it */
  readonly timer?: (seconds: number, run: () => void) => () => void;
  /** How many events may wait to be taken before no more of the stream is read. Default: {@link mostUnread}. */
  readonly mostUnread?: number;
}

/** How many events may wait to be taken, by default. */
export const mostUnread = 256;

const noFeed = ({ type, name }: FeedSource): never => {
  throw new Error(`there is no source ${name} of the type ${type}`);
};

async function fetchOutcome(fetch: () => Promise<Json> | Json): Promise<FeedOutcome> {
  try {
    return { value: await fetch() };
  } catch (error) {
    return { error: thrownText(error) };
  }
}

/** The latest attempt of an action. */
interface Attempt {
  readonly abort: AbortController;
  cancelTimer: () => void;
}

const realTimer = (seconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, seconds * 1000);
  return () => clearTimeout(timer);
};

/** Let it `read`, take its events with `next` until there is none, or `leave` it. */
export class StreamRun {
  readonly #options: StreamOptions;
  readonly #machine: ReturnType<typeof executorMachine>;
  readonly #source: AsyncIterator<string | Uint8Array, unknown>;
  #state: ExecutorState;
  readonly #attempts = new Map<string, Attempt>();
  /** Aborted when the run is over: nobody needs a feed any more. */
  readonly #over = new AbortController();
  readonly #began: number;
  #cancelWake = (): void => {};
  /** The events, and how many of them were taken. */
  #events: StreamEvent[] = [];
  #taken = 0;
  #isOver = false;
  /** Whether a piece of the stream was asked for and has not come. */
  #isReading = false;
  #hasEnded = false;
  /** Set once the stream was told that no more is read. */
  #closing: Promise<void> | undefined;
  /** What the stream has thrown. */
  #thrown: { readonly error: unknown } | undefined;
  /** Those who wait for a change: an event came or was taken, or the run is over. */
  #waiting: (() => void)[] = [];

  constructor(options: StreamOptions, stream: OutputStream) {
    this.#options = options;
    this.#began = performance.now();
    this.#machine = executorMachine({ ...options, maxIterations: 1 });
    this.#state = this.#machine.start();
    this.#source = stream[Symbol.asyncIterator]();
    this.#step({ type: 'begin' });
  }

  /** Reads the stream to its end, as fast as its events are taken. It never rejects: `next` throws what went wrong. */
  async read(): Promise<void> {
    const { mostBody, mostTemplates, extensions = {} } = this.#options;
    const parser = new SepParser((event) => this.#step({ type: 'event', event }), {
      extensions,
      ...(mostBody === undefined ? {} : { mostBody }),
      ...(mostTemplates === undefined ? {} : { mostTemplates }),
    });
    try {
      // References to feeds need their values.
      while (this.#state.phase === 'feeding') await this.#change();
      for (let piece = await this.#piece(); piece !== undefined; piece = await this.#piece())
        parser.write(piece);
      parser.end();
      this.#step({ type: 'ended' });
    } catch (error) {
      this.#break(error);
    }
  }

  /** The next piece of the stream, once there is room for its events; undefined: it has ended, or the run is over. */
  async #piece(): Promise<string | Uint8Array | undefined> {
    const { mostUnread: most = mostUnread } = this.#options;
    while (this.#events.length - this.#taken >= most && !isEnding(this.#state)) await this.#change();
    if (isEnding(this.#state)) return undefined;
    this.#isReading = true;
    try {
      const came = await this.#source.next();
      if (came.done !== true) return isEnding(this.#state) ? undefined : came.value;
      this.#hasEnded = true;
      return undefined;
    } catch (error) {
      this.#hasEnded = true;
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  /** The next event; undefined after the last. @throws what the stream has thrown, after the events before it */
  async next(): Promise<StreamEvent | undefined> {
    while (this.#taken === this.#events.length && !this.#isOver) await this.#change();
    const event = this.#events[this.#taken];
    if (event === undefined) {
      if (this.#thrown !== undefined) throw this.#thrown.error;
      return undefined;
    }
    if (++this.#taken === this.#events.length) {
      this.#events = [];
      this.#taken = 0;
    }
    this.#changed();
    return event;
  }

  /** Ends what still runs, and the stream. */
  async leave(): Promise<void> {
    this.#end();
    await this.#close();
  }

  /** Ends the run because of an error. */
  #break(error: unknown): void {
    if (!this.#isOver) this.#thrown = { error };
    this.#end();
    void this.#close();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#step({ type: 'cancel' });
    // Those that are not tracked, too.
    for (const { abort } of this.#attempts.values()) abort.abort();
  }

  /** Tells the stream that no more is read. A stream that has a piece to come may not answer before: nothing waits then. */
  #close(): Promise<void> {
    this.#closing ??= this.#hasEnded
      ? Promise.resolve()
      : (async () => void (await this.#source.return?.()))().catch(() => {});
    return this.#isReading ? Promise.resolve() : this.#closing;
  }

  #change(): Promise<void> {
    return new Promise((wake) => void this.#waiting.push(wake));
  }

  #changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #step(input: ExecutorInput): void {
    const now = (performance.now() - this.#began) / 1000;
    const { state, commands } = this.#machine.step(this.#state, input, now);
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
    if (commands.length > 0) this.#changed();
  }

  #carryOut(command: ExecutorCommand): void {
    switch (command.do) {
      case 'show':
        return void this.#events.push(streamEvent(command.event, this.#actionOf(command.event)));
      case 'run':
        return void this.#run(command).catch((error: unknown) => this.#break(error));
      case 'timer': {
        const { id, attempt, after } = command;
        const { timer = realTimer } = this.#options;
        const cancel = timer(after, () => this.#step({ type: 'timeout', id, attempt }));
        const running = this.#attempts.get(id);
        if (running !== undefined) running.cancelTimer = cancel;
        return;
      }
      case 'abort':
        this.#attempts.get(command.id)?.cancelTimer();
        this.#attempts.get(command.id)?.abort.abort();
        return;
      case 'fetch':
        return void this.#fetch(command);
      case 'wake': {
        const { timer = realTimer } = this.#options;
        this.#cancelWake();
        this.#cancelWake = timer(command.after, () => this.#step({ type: 'feeds_due' }));
        return;
      }
      case 'stop':
        this.#isOver = true;
        this.#cancelWake();
        this.#over.abort();
        return void this.#close();
      case 'iterate':
    }
  }

  #actionOf(event: ExecutorEvent): SepAction | undefined {
    if (event.type === 'action') return event.action;
    return 'id' in event ? this.#state.entries.get(event.id)?.action : undefined;
  }

  async #run({ id, attempt, action, parameters }: Extract<ExecutorCommand, { do: 'run' }>): Promise<void> {
    const running: Attempt = { abort: new AbortController(), cancelTimer: () => {} };
    this.#attempts.set(id, running);
    const emit: EmitPart = (output) => this.#step({ type: 'part', id, attempt, output });
    const outcome = await this.#outcomeOf({ ...action, parameters }, running.abort.signal, emit);
    running.cancelTimer();
    if (this.#attempts.get(id) === running) this.#attempts.delete(id);
    this.#step({ ...outcome, id, attempt });
  }

  async #fetch({ fetch, source, timeout }: Extract<ExecutorCommand, { do: 'fetch' }>): Promise<void> {
    const { fetchFeed = noFeed, timer = realTimer } = this.#options;
    const over = new AbortController();
    const cancel = timer(timeout, () => over.abort());
    const late = new Promise<FeedOutcome>((resolve) =>
      over.signal.addEventListener('abort', () => resolve({ error: lateFeed(timeout) })),
    );
    const signal = AbortSignal.any([this.#over.signal, over.signal]);
    const outcome = await Promise.race([late, fetchOutcome(() => fetchFeed(source, signal))]);
    cancel();
    this.#step({ type: 'fetched', fetch, outcome });
  }

  async #outcomeOf(
    action: SepAction,
    signal: AbortSignal,
    emit: EmitPart,
  ): Promise<
    | Pick<Extract<ExecutorInput, { type: 'succeeded' }>, 'type' | 'output'>
    | Pick<Extract<ExecutorInput, { type: 'failed' }>, 'type' | 'error'>
  > {
    try {
      return {
        type: 'succeeded',
        output: (await this.#options.actionExecutor(action, signal, emit)) ?? null,
      };
    } catch (error) {
      return { type: 'failed', error: thrownText(error) };
    }
  }
}
