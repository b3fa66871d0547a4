/** Reads a channel of LM Studio and judges stop reasons (LLM-S09). ../socket.ts reads the connection. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { lmstudioShapes } from './lmstudio-shapes.ts';
import { at } from './reader.ts';
import type { ErrorForm } from './reader.ts';
import { judgeShape } from './shape.ts';

/** The closed set of `stats.stopReason`, in @lmstudio/sdk. */
const kinds: { readonly [word: string]: StopKind } = {
  maxPredictedTokensReached: 'limit',
  toolCalls: 'tool',
  eosFound: 'end',
  stopStringFound: 'other',
  contextLengthReached: 'other',
  userStopped: 'other',
  modelUnloaded: 'other',
  failed: 'other',
};

/** `{"error":{"title":…}}`. A serialized error with nested errors has `rootTitle` instead. */
export const lmstudioError: ErrorForm = (data) => {
  const [title, root] = [at(data, 'error', 'title'), at(data, 'error', 'rootTitle')];
  return typeof title === 'string' || typeof root === 'string'
    ? undefined
    : `expected a channelError with error.title; came ${shown(data)}`;
};

/** Reads the messages of one prediction. */
export class ChannelReader {
  readonly #answer: Answer;
  #calls = 0;
  #begun = false;
  #succeeded = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Reads the message of a `channelSend`. */
  message(message: unknown): void {
    const { ended, facts } = this.#answer;
    const type = at(message, 'type');
    if (typeof type !== 'string' || type === '')
      return facts.violated('LLM-S01', `expected message.type to be a string; came ${shown(message)}`);
    if (ended !== undefined || this.#succeeded) return this.#answer.addLateEvent(type, type === 'success');
    this.#begun = true;
    const shape = entryOf(lmstudioShapes, type);
    if (shape !== undefined) judgeShape(this.#answer, message, shape, type);
    this.#take(type, message);
  }

  #take(type: string, message: unknown): void {
    switch (type) {
      case 'fragment':
        // The server adds the tags around thoughts. They are not tokens of the model.
        if (at(message, 'fragment', 'isStructural') === true) return undefined;
        return this.#answer.addContent(at(message, 'fragment', 'content'));
      case 'toolCallGenerationStart':
        return this.#answer.beginCall(String(++this.#calls));
      case 'toolCallGenerationArgumentFragmentGenerated':
        return this.#answer.addSize(at(message, 'content'));
      case 'toolCallGenerationEnd':
        return this.#called(at(message, 'toolCallRequest'));
      case 'success':
        return this.#success(at(message, 'stats'));
      case 'error':
        return this.#answer.endWithError(`expected an error as a channelError; came ${shown(message)}`, true);
      default:
    }
  }

  /** Arguments are a parsed value, or missing. */
  #called(call: unknown): void {
    const path = 'message.toolCallRequest';
    this.#answer.identifyCall({
      id: { path: `${path}.id`, value: at(call, 'id') },
      name: { path: `${path}.name`, value: at(call, 'name') },
      idOwed: false,
    });
    const given = at(call, 'arguments');
    this.#answer.completeStreamedCall(
      String(this.#calls),
      given === undefined ? '{}' : JSON.stringify(given),
    );
  }

  #success(stats: unknown): void {
    const { facts } = this.#answer;
    const word = at(stats, 'stopReason');
    const kind = entryOf(kinds, word);
    if (kind === undefined)
      facts.violated(
        'LLM-S09',
        `expected message.stats.stopReason to be ${Object.keys(kinds).join(', ')}; came ${shown(word)}`,
      );
    else facts.exercised('LLM-S09');
    // An unknown word violates only LLM-S09.
    this.#answer.setStop(word, kind ?? 'other');
    this.#answer.addCounts({
      input: at(stats, 'promptTokensCount'),
      output: at(stats, 'predictedTokensCount'),
    });
    this.#succeeded = true;
  }

  /** The channel was closed cleanly. */
  closed(): void {
    if (this.#succeeded && this.#answer.ended === undefined) this.#answer.endWithTerminal();
    else if (this.#answer.ended !== undefined) this.#answer.addLateEvent('channelClose', false);
    else this.#answer.endBody(true);
  }

  /** The channel was closed by an error. */
  failed(data: unknown): void {
    if (this.#answer.ended !== undefined) this.#answer.addLateEvent('channelError', false);
    else this.#answer.endWithError(lmstudioError(data), this.#begun);
  }
}
