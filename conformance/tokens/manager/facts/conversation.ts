/** Reads conversations from testees, and finds faults that a provider would refuse. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { shown } from '../../../../src/kit/testee/index.ts';
import { objectsIn, textOf } from './values.ts';

/** A tool result in a conversation. */
interface Result {
  readonly id: string;
  readonly content: string;
}

/** The judged members of a message. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Ids of its calls. */
  readonly calls: readonly string[];
  readonly results: readonly Result[];
  /** The message as received. */
  readonly json: JsonObject;
}

/** Reads a conversation. @returns its messages, or a sentence about an invalid message */
export function readMessages(value: unknown, at = 'messages'): readonly Message[] | string {
  if (!Array.isArray(value)) return `expected ${at} as an array; came ${shown(value)}`;
  const messages: Message[] = [];
  for (const [i, one] of value.entries()) {
    const message = readMessage(one, `${at}[${i}]`);
    if (typeof message === 'string') return message;
    messages.push(message);
  }
  return messages;
}

/** Reads a message. @returns the message, or a sentence about its fault */
export function readMessage(value: unknown, at: string): Message | string {
  if (!isObject(value)) return `expected ${at} as an object; came ${shown(value)}`;
  const { role, content } = value;
  const calls = parts(value['toolCalls']);
  const results = parts(value['toolResults']);
  if (role !== 'system' && role !== 'user' && role !== 'assistant')
    return `expected ${at}.role to be system, user or assistant; came ${shown(role)}`;
  if (typeof content !== 'string') return `expected ${at}.content as a text; came ${shown(content)}`;
  if (calls === undefined)
    return `expected ${at}.toolCalls as objects with an id; came ${shown(value['toolCalls'])}`;
  if (results === undefined)
    return `expected ${at}.toolResults as objects with an id; came ${shown(value['toolResults'])}`;
  return { role, content, calls: calls.map(({ id }) => id), results, json: value as JsonObject };
}

/** Reads calls or results. Absent and null count as empty. */
function parts(value: unknown): readonly Result[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const found = value.flatMap((one: Json) => {
    const { id, content } = isObject(one) ? one : {};
    return typeof id === 'string' ? [{ id, content: typeof content === 'string' ? content : '' }] : [];
  });
  return found.length === value.length ? found : undefined;
}

/** A message with only white space is not empty here: TOK-48 judges it, because a provider refuses it. */
const isEmpty = ({ content, calls, results }: Message): boolean =>
  content === '' && calls.length === 0 && results.length === 0;

/** TOK-29, "drop empties": the fault of an empty message. */
export function emptyMessageFault(messages: readonly Message[]): string | undefined {
  const i = messages.findIndex(isEmpty);
  return i === -1 ? undefined : `expected no empty message; message ${i} is one`;
}

/** TOK-29, "start with user, never repeat roles": the fault of an order. System messages may be in any place. */
export function orderFault(messages: readonly Message[]): string | undefined {
  let before = 'assistant';
  for (const [i, { role }] of messages.entries()) {
    if (role === 'system') continue;
    if (role === before) {
      const first = messages.slice(0, i).every((message) => message.role === 'system');
      return first
        ? `expected the first message to be the user's; message ${i} is the assistant's`
        : `expected roles to alternate; message ${i} is the ${role}'s again`;
    }
    before = role;
  }
  return undefined;
}

/**
 * TOK-28: a call whose result does not come before the assistant speaks again, or a result without its call. Calls of
 * the last message may still run if `pending` is set.
 */
export function pairingFault(
  messages: readonly Message[],
  { pending = false }: { readonly pending?: boolean } = {},
): string | undefined {
  let open = new Set<string>();
  for (const [i, { role, calls, results }] of messages.entries()) {
    if (role === 'assistant') {
      if (open.size > 0) return lacking(open);
      open = new Set(calls);
    }
    for (const { id } of results)
      if (!open.delete(id))
        return `expected each result after its call, once; message ${i} has a result of ${shown(id)}`;
  }
  const last = messages.findLast(({ role }) => role !== 'system');
  const running = pending && last?.role === 'assistant';
  return open.size > 0 && !running ? lacking(open) : undefined;
}

const lacking = (open: ReadonlySet<string>): string =>
  `expected each call to have its result; there is none of ${[...open].map(shown).join(', ')}`;

/**
 * "No empty content", as the strictest provider defines it: white space alone is empty (spec/tokens/README.md, decision
 * 7), and an error must have content.
 */
export function emptyContentFault(messages: readonly Message[]): string | undefined {
  for (const [i, { content, calls, results, json }] of messages.entries()) {
    const silent = calls.length === 0 && results.length === 0;
    if (silent && content.trim() === '') return `expected no empty content; message ${i} has none`;
    const failed = objectsIn(json['toolResults']).filter(({ isError }) => isError === true);
    if (failed.some((one) => textOf(one['content']).trim() === ''))
      return `expected no error without content; message ${i} has one`;
  }
  return undefined;
}

/**
 * TOK-52: the fault of results that are not in the order of their calls. Ollama's results have no ids: their order alone
 * says which call each one answers.
 */
export function resultOrderFault(messages: readonly Message[]): string | undefined {
  for (const [i, { results }] of messages.entries()) {
    const calls = messages[i - 1]?.calls ?? [];
    const places = results.map(({ id }) => calls.indexOf(id));
    if (places.some((place, k) => place < (places[k - 1] ?? 0)))
      return `expected results in the order of their calls; message ${i} has them in another order`;
  }
  return undefined;
}

/** TOK-48: a fault that any provider would refuse, or undefined. */
export const conversationFault = (
  messages: readonly Message[],
  options: { readonly pending?: boolean } = {},
): string | undefined =>
  emptyContentFault(messages) ?? orderFault(messages) ?? pairingFault(messages, options);

/** TOK-37: the fault of a surrogate without its other half, or of its replacement character. */
export function splitCharacterFault(texts: readonly string[]): string | undefined {
  const bad = texts.find((text) => /\p{Surrogate}|\u{fffd}/u.test(text));
  if (bad === undefined) return undefined;
  const at = bad.search(/\p{Surrogate}|\u{fffd}/u);
  return `expected whole characters; came half of one at offset ${at} of a text of ${bad.length}`;
}

/** Every text of a conversation that a person or a model reads. */
export const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ content, results }) => [content, ...results.map((result) => result.content)]);

/**
 * The least estimate of a conversation (TOK-25), in tokens. Calls and results count only by their inputs and contents,
 * because the names in their JSON differ between libraries.
 */
export const leastTokens = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content, results, json }) => {
    const calls = objectsIn(json['toolCalls']).map(({ input }) => input ?? '');
    const parts = [...calls, ...results.map((result) => result.content)];
    const units = parts.reduce((n: number, part) => n + jsonUnits(part), content.length);
    return sum + 10 + Math.ceil(units / 4);
  }, 0);

/**
 * The length of a value as JSON without white space (UTF-16 units). It does not recurse, because a testee may send any
 * depth of nesting.
 */
function jsonUnits(value: Json): number {
  const left: Json[] = [value];
  let units = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (Array.isArray(next)) {
      units += Math.max(2, next.length + 1);
      for (const one of next) left.push(one);
    } else if (isObject(next)) {
      const keys = Object.keys(next);
      units += Math.max(2, keys.length + 1);
      for (const key of keys) {
        units += JSON.stringify(key).length + 1;
        left.push(next[key] ?? null);
      }
    } else units += JSON.stringify(next).length;
  }
  return units;
}
