/** A parser that also runs the actions of a stream, under the names of the protocol's document. */
import { noProviderOf } from '../executor/providers.ts';
import type { Providers } from '../executor/providers.ts';
import type { StreamEvent } from './events.ts';
import { StreamRun } from './run.ts';
import type { OutputStream, StreamOptions } from './run.ts';

/** Runs an action, with the values of its references. Its output may be any JSON value; a rejection is its failure. */
export type ActionExecutor = StreamOptions['actionExecutor'];

/** Options of a {@link StreamingProtocolParser}. */
export type StreamingProtocolParserOptions = Omit<StreamOptions, 'maxIterations'>;

/**
 * Runs actions with the provider of their type. An action of a type without one fails.
 *
 * @example
 * const actionExecutor = executorOf({
 *   tool: { run: ({ action, parameters }) => `${action.name} of ${parameters['city']}` },
 *   llm: { run: async ({ parameters }, signal) => `a summary of ${parameters['text']}` },
 * });
 * async function* output() {
 *   yield '<action type="tool" mode="sync" id="w">{"name":"weather","parameters":{"city":"Bern"}}</action><response>The $w.</response>';
 * }
 * let answer = '';
 * for await (const { tokenType, content } of new StreamingProtocolParser({ actionExecutor }).parseStream(output()))
 *   if (tokenType === 'response') answer += content;
 * answer; // 'The weather of Bern.'
 */
export const executorOf =
  (providers: Providers): ActionExecutor =>
  (action, signal, emit) => {
    const provider = providers[action.type];
    if (provider === undefined) throw new Error(noProviderOf(action));
    return provider.run({ action, parameters: action.parameters }, signal, emit);
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

  /** @param options - what runs the actions, and limits */
  constructor(options: StreamingProtocolParserOptions) {
    this.#options = options;
  }

  /**
   * The events of a stream, each as soon as it is certain. No more is read of the stream than its events are taken. Leaving
   * the loop early ends the stream, and aborts the actions that run. What the stream throws comes after the events before it.
   */
  parseStream(
    stream: OutputStream,
  ): AsyncIterable<StreamEvent> & AsyncIterator<StreamEvent, void, undefined> {
    const run = new StreamRun(this.#options, stream);
    const events = eventsOf(run);
    return {
      next: () => events.next(),
      // A generator would wait for its next event first.
      return: async () => {
        await run.leave();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

async function* eventsOf(run: StreamRun): AsyncGenerator<StreamEvent, void, undefined> {
  void run.read();
  for (let event = await run.next(); event !== undefined; event = await run.next()) yield event;
}
