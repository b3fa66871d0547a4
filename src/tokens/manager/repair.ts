/** Makes any conversation valid for every provider, and keeps of it what it can (TOK-28, TOK-29, TOK-39, TOK-48). */
import { isObject } from '../../kit/base/index.ts';
import type { ProviderMessage, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import { faultsOf } from './faults.ts';
import { isBlank, wellFormed } from './text.ts';

/** What came of a call, from what outweighs all to what counts least (TOK-39). */
export const outcomeStatuses = ['denied', 'failed', 'aborted', 'completed'] as const;

/** One of {@link outcomeStatuses}. */
export type OutcomeStatus = (typeof outcomeStatuses)[number];

/** A result whose status is known more closely than by `isError`. */
export interface StatedOutcome extends ToolOutcome {
  readonly status?: OutcomeStatus;
}

/** A message whose results may have a status. */
export interface StatedMessage extends ProviderMessage {
  readonly toolResults?: readonly StatedOutcome[];
}

/** What stands for the content of results that have none: providers refuse an error without. */
const noContent: { readonly [S in OutcomeStatus]: string } = {
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

/** A call, under the id that it will have, and the result that counts. */
interface Slot {
  readonly call: ToolCall;
  result: StatedOutcome | undefined;
}

/**
 * The same conversation, valid for every provider: what was valid comes back as it is. System messages move to the
 * front; messages of a repeated role are joined; empty ones go, and such of the assistant before the first of the user;
 * each call is followed by its one result, made up (cancelled) where there is none; results without call go. A call that
 * repeats an id goes within a message, and gets an id of its own else.
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
  const slots = pair(messages);
  const laid = new Layout();
  for (const { role, content } of messages)
    if (role === 'system' && !isBlank(content)) laid.system.push({ role, content: wellFormed(content) });
  messages.forEach(({ role, content }, i) => {
    if (role === 'user') laid.add('user', content);
    else if (role === 'assistant') laid.addAssistant(content, slots[i] ?? []);
  });
  return laid.messages();
}

/** A status is for choosing among results; no provider knows it. */
const hasStatus = ({ toolResults = [] }: StatedMessage): boolean =>
  toolResults.some(({ status }) => status !== undefined);

/** The calls of each message with their results, wherever these stand behind them. */
function pair(messages: readonly StatedMessage[]): readonly (readonly Slot[])[] {
  const open = new Map<string, Slot>();
  const ids = new FreshIds();
  return messages.map(({ role, toolCalls = [], toolResults = [] }) => {
    for (const result of toolResults) {
      const slot = open.get(result.id);
      if (slot !== undefined) slot.result = worse(slot.result, result);
    }
    if (role !== 'assistant') return [];
    const slots = new Map<string, Slot>();
    for (const call of toolCalls) if (!slots.has(call.id)) slots.set(call.id, { call, result: undefined });
    return [...slots].map(([id, { call }]) => {
      const slot: Slot = { call: { ...callOf(call), id: ids.take(id) }, result: undefined };
      open.set(id, slot);
      return slot;
    });
  });
}

const callOf = ({ id, name, input }: ToolCall): ToolCall => ({
  id,
  name,
  input: isObject(input) ? input : {},
});

const statusOf = ({ status, isError }: StatedOutcome): OutcomeStatus =>
  status ?? (isError ? 'failed' : 'completed');

/** Of two results to one call, the one that outweighs the other; the first of two alike (TOK-39). */
export function worse(a: StatedOutcome | undefined, b: StatedOutcome): StatedOutcome {
  if (a === undefined) return b;
  return outcomeStatuses.indexOf(statusOf(b)) < outcomeStatuses.indexOf(statusOf(a)) ? b : a;
}

/** Gives each id as it is, and to those that repeat one another. */
class FreshIds {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(id: string): string {
    let fresh = id;
    for (let n = this.#next.get(id) ?? 2; this.#taken.has(fresh); n++) {
      fresh = `${id}~${n}`;
      this.#next.set(id, n + 1);
    }
    this.#taken.add(fresh);
    return fresh;
  }
}

/** A message on its way; texts are joined at the end, so that many small ones cost no more than one long. */
interface Draft {
  readonly role: 'user' | 'assistant';
  readonly texts: string[];
  readonly toolCalls: ToolCall[];
  readonly toolResults: ToolOutcome[];
}

/** Messages in the order of providers: system first, then user and assistant in turns. */
class Layout {
  readonly system: ProviderMessage[] = [];
  readonly #drafts: Draft[] = [];

  add(role: Draft['role'], content: string): Draft | undefined {
    return isBlank(content) ? undefined : this.#draft(role, content);
  }

  addAssistant(content: string, slots: readonly Slot[]): void {
    if (this.#drafts.length === 0 || (isBlank(content) && slots.length === 0)) return;
    const { toolCalls } = this.#draft('assistant', content);
    if (slots.length === 0) return;
    const { toolResults } = this.#draft('user', '');
    for (const { call, result } of slots) {
      toolCalls.push(call);
      toolResults.push(resultOf(call.id, result));
    }
  }

  #draft(role: Draft['role'], content: string): Draft {
    let last = this.#drafts.at(-1);
    if (last?.role !== role) {
      last = { role, texts: [], toolCalls: [], toolResults: [] };
      this.#drafts.push(last);
    }
    if (!isBlank(content)) last.texts.push(wellFormed(content));
    return last;
  }

  messages(): readonly ProviderMessage[] {
    const drafts = this.#drafts.map(({ role, texts, toolCalls, toolResults }) => ({
      role,
      content: texts.join('\n\n'),
      ...(toolCalls.length > 0 ? { toolCalls } : {}),
      ...(toolResults.length > 0 ? { toolResults } : {}),
    }));
    return [...this.system, ...drafts];
  }
}

function resultOf(id: string, result: StatedOutcome | undefined): ToolOutcome {
  if (result === undefined) return cancelledResult(id);
  const { content, isError } = result;
  return { id, content: isBlank(content) ? noContent[statusOf(result)] : wellFormed(content), isError };
}
