/** Reads what a channel of LM Studio says: LLM-S09 as far as stop reasons go. The connection around it: ../socket.ts. */
import type { AnswerChecker, StopKind } from '../answer-checker.ts';
import { shown } from '../notes.ts';
import { at } from './reader.ts';
import type { ErrorForm } from './reader.ts';

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

/** `{"error":{"title":…}}`, or `rootTitle` of one that was serialized with others below it. */
export const lmstudioError: ErrorForm = (data) => {
  const [title, root] = [at(data, 'error', 'title'), at(data, 'error', 'rootTitle')];
  return typeof title === 'string' || typeof root === 'string'
    ? undefined
    : `expected a channelError with error.title; came ${shown(data)}`;
};

/** Reads the messages of one prediction. */
export class ChannelReader {
  readonly #account: AnswerChecker;
  #calls = 0;
  #begun = false;
  #succeeded = false;

  constructor(account: AnswerChecker) {
    this.#account = account;
  }

  /** A message in `channelSend`. */
  message(message: unknown): void {
    const { ended, notes } = this.#account;
    const type = at(message, 'type');
    if (typeof type !== 'string')
      return notes.broke('LLM-S01', `expected a message with a type; came ${shown(message)}`);
    if (ended !== undefined || this.#succeeded) return this.#account.late(type, type === 'success');
    this.#begun = true;
    this.#take(type, message);
  }

  #take(type: string, message: unknown): void {
    switch (type) {
      case 'fragment':
        // Tags around thoughts are the server's, and no tokens of the model's.
        if (at(message, 'fragment', 'isStructural') === true) return undefined;
        return this.#account.said(at(message, 'fragment', 'content'));
      case 'toolCallGenerationStart':
        return this.#account.called(String(++this.#calls));
      case 'toolCallGenerationArgumentFragmentGenerated':
        return this.#account.weighs(at(message, 'content'));
      case 'toolCallGenerationEnd':
        return this.#called(at(message, 'toolCallRequest', 'arguments'));
      case 'success':
        return this.#success(at(message, 'stats'));
      case 'error':
        return this.#account.failed(`expected an error as a channelError; came ${shown(message)}`, true);
      default:
    }
  }

  /** Arguments are a value of JSON; as text they are what ought to have been parsed. */
  #called(given: unknown): void {
    this.#account.finished(String(this.#calls), typeof given === 'string' ? given : '{}');
  }

  #success(stats: unknown): void {
    const { notes } = this.#account;
    const word = at(stats, 'stopReason');
    const kind = typeof word === 'string' && Object.hasOwn(kinds, word) ? kinds[word] : undefined;
    if (kind === undefined)
      notes.broke(
        'LLM-S09',
        `expected stopReason to be ${Object.keys(kinds).join(', ')}; came ${shown(word)}`,
      );
    else notes.held('LLM-S09');
    // A word that is not of the set is that row's matter alone.
    this.#account.stops(word, kind ?? 'other');
    this.#account.counted({
      input: at(stats, 'promptTokensCount'),
      output: at(stats, 'predictedTokensCount'),
    });
    this.#succeeded = true;
  }

  /** The channel was closed in order. */
  closed(): void {
    if (this.#succeeded && this.#account.ended === undefined) this.#account.terminal();
    else if (this.#account.ended !== undefined) this.#account.late('channelClose', false);
    else this.#account.over(true);
  }

  /** The channel was closed by an error. */
  failed(data: unknown): void {
    if (this.#account.ended !== undefined) this.#account.late('channelError', false);
    else this.#account.failed(lmstudioError(data), this.#begun);
  }
}
