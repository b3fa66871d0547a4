/** Makes any conversation valid for every provider, and loses as little of it as possible (TOK-28, TOK-29, TOK-39, TOK-48). */
import { isObject } from '../../kit/base/index.ts';
import type { ProviderMessage, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import { faultsOf } from './faults.ts';
import { isBlank, wellFormed } from './text.ts';

/** The outcomes of a call. Of several results, the one with the first of these statuses counts (TOK-39). */
export const outcomeStatuses = ['denied', 'failed', 'aborted', 'completed'] as const;

/** One of {@link outcomeStatuses}. */
export type OutcomeStatus = (typeof outcomeStatuses)[number];

/** A result with a status, which says more than `isError`. */
export interface StatedOutcome extends ToolOutcome {
  readonly status?: OutcomeStatus;
}

/** A message whose results may have a status. */
export interface StatedMessage extends ProviderMessage {
  readonly toolResults?: readonly StatedOutcome[];
}

/** The contents of results without one: providers refuse an error without content. */
const defaultContents: { readonly [S in OutcomeStatus]: string } = {
  denied: 'The tool was not allowed to run.',
  failed: 'The tool failed without a message.',
  aborted: 'The tool was aborted.',
  completed: '(no output)',
};

/** The result of a call that never ran (TOK-14). */
export const cancelledResult = (id: string): ToolOutcome => ({
  id,
  content: 'Cancelled: the tool did not run.',
  isError: true,
});

/** A call with its new id, and the result that counts. */
interface PairedCall {
  readonly call: ToolCall;
  result: StatedOutcome | undefined;
}

/** A message that is being built. Its texts are joined at the end, so that the cost is linear. */
interface MessageDraft {
  readonly role: 'user' | 'assistant';
  readonly texts: string[];
  readonly toolCalls: ToolCall[];
  readonly toolResults: ToolOutcome[];
}

/**
 * Makes a conversation valid for every provider; a valid one does not change. System messages move to the front. Messages
 * of a repeated role are joined. Empty messages are dropped, and so are those of the assistant before the first of the
 * user. Each call is followed by one result, a cancelled one if it has none. Results without a call are dropped. A call
 * that repeats an id is dropped within one message, and gets another id in a later message.
 *
 * @example
 * const call = { id: 'c', name: 'read', input: {} };
 * const cut = [
 *   { role: 'user', content: 'Read it.' },
 *   { role: 'assistant', content: '', toolCalls: [call] },
 * ] as const;
 * faultsOf(cut).map(({ code }) => code); // ['unpaired-call']
 * faultsOf(repair(cut)); // []
 */
export function repair(messages: readonly StatedMessage[]): readonly ProviderMessage[] {
  if (faultsOf(messages).length === 0 && !messages.some(hasStatus)) return messages;
  const paired = pairCalls(messages);
  const system: ProviderMessage[] = [];
  const drafts: MessageDraft[] = [];
  messages.forEach(({ role, content }, i) => {
    const calls = paired[i] ?? [];
    if (isBlank(content) && calls.length === 0) return;
    if (role === 'system') system.push({ role, content: wellFormed(content) });
    else if (role === 'user' || drafts.length > 0) add(drafts, role, content, calls);
  });
  return [...system, ...drafts.map(messageOf)];
}

/** A status is no part of a provider's message: it only decides which result counts. */
const hasStatus = ({ toolResults = [] }: StatedMessage): boolean =>
  toolResults.some(({ status }) => status !== undefined);

/** The calls of each message, paired with their results in any later message. */
function pairCalls(messages: readonly StatedMessage[]): readonly (readonly PairedCall[])[] {
  const open = new Map<string, PairedCall>();
  const ids = new UniqueIds();
  return messages.map(({ role, toolCalls = [], toolResults = [] }) => {
    for (const result of toolResults) {
      const paired = open.get(result.id);
      if (paired !== undefined) paired.result = worse(paired.result, result);
    }
    const calls = new Map<string, PairedCall>();
    for (const made of role === 'assistant' ? toolCalls : []) {
      const { id, input, custom } = made;
      if (calls.has(id)) continue;
      // The text of a custom tool is no object.
      const isKept = isObject(input) || (custom === true && typeof input === 'string');
      const call = { ...made, id: ids.take(id), input: isKept ? input : {} };
      calls.set(id, { call, result: undefined });
    }
    for (const [id, paired] of calls) open.set(id, paired);
    return [...calls.values()];
  });
}

const statusOf = ({ status, isError }: StatedOutcome): OutcomeStatus =>
  status ?? (isError ? 'failed' : 'completed');

/** The worse of two results of one call; the first if they are equally bad (TOK-39). */
export function worse(a: StatedOutcome | undefined, b: StatedOutcome): StatedOutcome {
  if (a === undefined) return b;
  return outcomeStatuses.indexOf(statusOf(b)) < outcomeStatuses.indexOf(statusOf(a)) ? b : a;
}

/** Makes ids unique: a repeated id gets a number. */
class UniqueIds {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(id: string): string {
    let unique = id;
    for (let n = this.#next.get(id) ?? 2; this.#taken.has(unique); n++) {
      unique = `${id}~${n}`;
      this.#next.set(id, n + 1);
    }
    this.#taken.add(unique);
    return unique;
  }
}

/** Adds a message, and the results of its calls in a message of the user. */
function add(
  drafts: MessageDraft[],
  role: MessageDraft['role'],
  content: string,
  calls: readonly PairedCall[],
): void {
  const draft = lastDraft(drafts, role);
  if (!isBlank(content)) draft.texts.push(wellFormed(content));
  for (const { call } of calls) draft.toolCalls.push(call);
  if (calls.length === 0) return;
  const { toolResults } = lastDraft(drafts, 'user');
  for (const { call, result } of calls) toolResults.push(resultOf(call.id, result));
}

/** The last message, if it has this role; else a new one. */
function lastDraft(drafts: MessageDraft[], role: MessageDraft['role']): MessageDraft {
  let last = drafts.at(-1);
  if (last?.role !== role) drafts.push((last = { role, texts: [], toolCalls: [], toolResults: [] }));
  return last;
}

const messageOf = ({ role, texts, toolCalls, toolResults }: MessageDraft): ProviderMessage => ({
  role,
  content: texts.join('\n\n'),
  ...(toolCalls.length > 0 ? { toolCalls } : {}),
  ...(toolResults.length > 0 ? { toolResults } : {}),
});

function resultOf(id: string, result: StatedOutcome | undefined): ToolOutcome {
  if (result === undefined) return cancelledResult(id);
  const { content, isError } = result;
  return { id, content: isBlank(content) ? defaultContents[statusOf(result)] : wellFormed(content), isError };
}
