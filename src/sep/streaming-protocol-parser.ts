/** A parser that also runs the actions of a stream, under the names of the protocol's document. */
import type { Json } from '../kit/base/index.ts';
import { executorMachine } from './executor/machine.ts';
import type {
  ExecutorCommand,
  ExecutorEvent,
  ExecutorInput,
  ExecutorOptions,
  ExecutorState,
} from './executor/state.ts';
import type { SepAction } from './parser/events.ts';
import { SepParser } from './parser/parser.ts';

/** Runs an action, with the values of its references. Its output may be any JSON value; a rejection is its failure. */
export type ActionExecutor = (
  action: SepAction,
  /** Aborted when the time of the attempt is over, or the run ends. */
  signal: AbortSignal,
) => Promise<Json | void> | Json | void;

/** Options of a {@link StreamingProtocolParser}. */
export interface StreamingProtocolParserOptions extends Pick<ExecutorOptions, 'variables'> {
  readonly actionExecutor: ActionExecutor;
  /** Calls a function after so many seconds. @returns a function that cancels it */
  readonly timer?: (seconds: number, run: () => void) => () => void;
}

/** An event of a stream. */
export interface StreamEvent {
  /** The kind of the event: thought, action, response, text, started, completed and so on. */
  readonly tokenType: ExecutorEvent['type'];
  /** The text of a thought or response, the output of an action as text, or the words of an error or a remark. */
  readonly content: string;
  readonly metadata: {
    /** The action, of its own events and of those about it. */
    readonly action?: SepAction;
    /** The event as the executor has it. */
    readonly event: ExecutorEvent;
  };
}

const realTimer = (seconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, seconds * 1000);
  return () => clearTimeout(timer);
};

/**
 * Parses the output of a model as it streams, and runs its actions as they close. One call of `parseStream` is one output:
 * it ends when the output has ended and every tracked action has its outcome.
 *
 * @example
 * const parser = new StreamingProtocolParser({ actionExecutor: ({ name }) => `the output of ${name}` });
 * async function* llmStream() {
 *   yield '<thought>Let me look.</thought><action type="tool" mode="async" id="f">{"name":"fe';
 *   yield 'tch","output_key":"page"}</action><response>I found $page.</response>';
 * }
 * let answer = '';
 * for await (const { tokenType, content } of parser.parseStream(llmStream()))
 *   if (tokenType === 'response') answer += content;
 * answer; // 'I found the output of fetch.'
 */
export class StreamingProtocolParser {
  readonly #options: StreamingProtocolParserOptions;

  /** @param options - what runs the actions */
  constructor(options: StreamingProtocolParserOptions) {
    this.#options = options;
  }

  /** The events of a stream, each as soon as it is certain. Leaving the loop early ends the run. */
  async *parseStream(
    stream: AsyncIterable<string | Uint8Array>,
  ): AsyncGenerator<StreamEvent, void, undefined> {
    const run = new Run(this.#options);
    const reading = run.read(stream);
    try {
      for (let events = await run.next(); events !== undefined; events = await run.next()) yield* events;
      await reading;
    } finally {
      run.leave();
    }
  }
}

/** A stream that is being parsed. */
class Run {
  readonly #options: StreamingProtocolParserOptions;
  readonly #machine: ReturnType<typeof executorMachine>;
  #state: ExecutorState;
  /** By action: its latest attempt. */
  readonly #attempts = new Map<string, { readonly abort: AbortController; cancelTimer: () => void }>();
  #events: StreamEvent[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamingProtocolParserOptions) {
    this.#options = options;
    this.#machine = executorMachine({ ...options, maxIterations: 1 });
    this.#state = this.#machine.start();
    this.#step({ type: 'begin' });
  }

  /** Reads the stream to its end. @throws what the stream throws */
  async read(stream: AsyncIterable<string | Uint8Array>): Promise<void> {
    const parser = new SepParser((event) => this.#step({ type: 'event', event }));
    try {
      for await (const chunk of stream) {
        if (this.#isOver) return;
        parser.write(chunk);
      }
    } catch (error) {
      this.leave();
      throw error;
    }
    parser.end();
    this.#step({ type: 'ended' });
  }

  /** The next events; undefined after the last. */
  async next(): Promise<readonly StreamEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#isOver) await new Promise<void>((wake) => (this.#wake = wake));
    const events = this.#events;
    this.#events = [];
    return events.length === 0 ? undefined : events;
  }

  /** Ends what still runs. */
  leave(): void {
    this.#step({ type: 'cancel' });
  }

  #step(input: ExecutorInput): void {
    const { state, commands } = this.#machine.step(this.#state, input);
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
    if (commands.length === 0) return;
    this.#wake?.();
    this.#wake = undefined;
  }

  #carryOut(command: ExecutorCommand): void {
    switch (command.do) {
      case 'show':
        return void this.#events.push(this.#shown(command.event));
      case 'run':
        return void this.#run(command);
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
      case 'stop':
        this.#isOver = true;
        return;
      case 'iterate':
    }
  }

  async #run({ id, attempt, action, parameters }: Extract<ExecutorCommand, { do: 'run' }>): Promise<void> {
    const abort = new AbortController();
    const running = { abort, cancelTimer: () => {} };
    this.#attempts.set(id, running);
    let outcome: ExecutorInput;
    try {
      const output = await this.#options.actionExecutor({ ...action, parameters }, abort.signal);
      outcome = { type: 'succeeded', id, attempt, output: output ?? null };
    } catch (error) {
      outcome = {
        type: 'failed',
        id,
        attempt,
        error: error instanceof Error ? error.message : String(error),
      };
    }
    running.cancelTimer();
    this.#step(outcome);
  }

  #shown(event: ExecutorEvent): StreamEvent {
    const id = 'id' in event ? event.id : undefined;
    const action = event.type === 'action' ? event.action : this.#state.entries.get(id ?? '')?.action;
    return {
      tokenType: event.type,
      content: contentOf(event),
      metadata: action === undefined ? { event } : { action, event },
    };
  }
}

/** An event as text for a user. */
function contentOf(event: ExecutorEvent): string {
  switch (event.type) {
    case 'thought':
    case 'response':
    case 'text':
    case 'context_feed':
      return event.text;
    case 'completed':
      return typeof event.output === 'string' ? event.output : JSON.stringify(event.output);
    case 'failed':
      return event.error;
    case 'skipped':
      return `because of ${event.because}`;
    case 'diagnostic':
      return event.message;
    default:
      return '';
  }
}
