/**
 * Reads the calls in chunks of OpenAI Chat, of functions and of custom tools: LLM-S06 (index, first delta), LLM-S20 (names),
 * LLM-S32 (type, once, count).
 */
import type { Answer } from '../answer.ts';
import type { CallIdentity } from '../identities.ts';
import { shown, textOf } from '../words.ts';
import { at, isPresent } from './reader.ts';

/** The most calls of one answer that are kept. */
const callsKept = 1000;

interface KnownCall {
  readonly id: unknown;
  readonly name: unknown;
  /** The answer's key of the call. */
  readonly key: string;
}

/** The calls of one stream. */
export class ChatCalls {
  readonly #answer: Answer;
  /** Calls by choice and index. */
  readonly #calls = new Map<string, KnownCall>();
  /** The indices of calls by choice. */
  readonly #indices = new Map<unknown, Set<number>>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Reads a delta of a call. @param path - its path on the wire */
  take(call: unknown, choice: unknown, path: string): void {
    const index = at(call, 'index');
    if (typeof index !== 'number') {
      this.#answer.beginCall('without index');
      return this.#answer.facts.violated(
        'LLM-S06',
        `expected ${path}.index to be a number; came ${shown(index)} in ${shown(call)}`,
      );
    }
    if (this.#calls.size < callsKept)
      this.#indices.set(choice, (this.#indices.get(choice) ?? new Set()).add(index));
    const place = choice === 0 ? String(index) : `${shown(choice)}/${index}`;
    const key = this.#keyOf(place, call, path);
    const { text } = calledIn(call);
    if (key !== undefined && typeof text === 'string') this.#answer.addArguments(key, text);
  }

  /** Reads the form of a call before tools. @param path - the path of the delta or message */
  functionCall(call: unknown, path: string): void {
    if (!isPresent(call)) return;
    const key = 'function_call';
    if (!this.#calls.has(key)) {
      const name = at(call, 'name');
      this.#calls.set(key, { id: undefined, name, key });
      this.#answer.identifyCall({
        id: { path: `${path}.function_call.id`, value: undefined },
        name: { path: `${path}.function_call.name`, value: name },
        idOwed: false,
      });
      this.#answer.beginCall(key);
    }
    this.#answer.addArguments(key, textOf(at(call, 'arguments')));
  }

  /** Only the finish reason of the answer shows that a call is complete. */
  complete(): void {
    for (const indices of this.#indices.values()) this.#judgeIndices([...indices]);
    this.#indices.clear();
    for (const { key } of this.#calls.values()) this.#answer.completeCall(key);
  }

  /** Over a gap, a helper of `openai` throws. Anthropic's OpenAI face also counts the text before a call. */
  #judgeIndices(indices: readonly number[]): void {
    const missing = indices.findIndex((_, i) => !indices.includes(i));
    if (missing >= 0)
      this.#answer.facts.violated(
        'LLM-S32',
        `expected tool_calls[].index to count the calls from 0; came ${indices.join(', ')}`,
      );
  }

  /**
   * The answer's key of a call. Two calls with the same index get different keys, so that this fault causes no second
   * violation.
   */
  #keyOf(place: string, call: unknown, path: string): string | undefined {
    const { facts } = this.#answer;
    const id = at(call, 'id');
    const before = this.#calls.get(place);
    const other = typeof id === 'string' && id !== '' && before !== undefined && id !== before.id;
    if (before !== undefined && !other) {
      this.#again(call, before, path);
      return before.key;
    }
    if (this.#calls.size >= callsKept) {
      facts.unknowable('LLM-S06', `more than ${callsKept} calls are not kept`);
      return undefined;
    }
    if (before !== undefined)
      facts.violated(
        'LLM-S06',
        `expected ${path}.id to be ${shown(before.id)}, the id of the call with this index; came ${shown(id)}`,
      );
    else this.#first(call, path);
    const key = before === undefined ? place : `${place} ${String(id)}`;
    const { name, custom } = calledIn(call);
    this.#calls.set(place, { id, name, key });
    this.#answer.beginCall(key, custom);
    return key;
  }

  #first(call: unknown, path: string): void {
    const { name, member } = calledIn(call);
    if (textOf(at(call, 'id')) === '' || textOf(name) === '')
      return this.#answer.facts.violated(
        'LLM-S06',
        `expected ${path} to have id and ${member}.name, as the first delta of this call; came ${shown(call)}`,
      );
    this.#answer.identifyCall(chatIdentity(call, path));
    judgeType(this.#answer, call, path);
  }

  /** A later delta of a call: it has no other name, and need not have the id and the name again. */
  #again(call: unknown, { id, name }: KnownCall, path: string): void {
    const { facts } = this.#answer;
    const { name: again, member } = calledIn(call);
    const more = textOf(again);
    if (more !== '' && more !== name && textOf(name) !== '')
      facts.violated(
        'LLM-S20',
        `expected the whole name of the tool in the first delta of the call; came ${shown(name)}, and then ${path}.${member}.name ${shown(more)}`,
      );
    const repeated = [
      ...(textOf(at(call, 'id')) !== '' && id === at(call, 'id') ? ['id'] : []),
      ...(more !== '' && more === name ? [`${member}.name`] : []),
    ];
    if (repeated.length > 0)
      facts.violated(
        'LLM-S32',
        `expected ${repeated.join(' and ')} in the first delta of the call only; came again in ${path}: ${shown(call)}`,
      );
  }
}

/** What a call calls: a function with JSON text, or a custom tool with free text; in whole messages and in deltas. */
export function calledIn(call: unknown): {
  readonly member: 'function' | 'custom';
  readonly name: unknown;
  readonly text: unknown;
  readonly custom: boolean;
} {
  const custom =
    at(call, 'type') === 'custom' || (isPresent(at(call, 'custom')) && !isPresent(at(call, 'function')));
  const member = custom ? 'custom' : 'function';
  const text = at(call, member, custom ? 'input' : 'arguments');
  return { member, name: at(call, member, 'name'), text, custom };
}

/** The identity of a call. @param path - its path on the wire */
export function chatIdentity(call: unknown, path: string): CallIdentity {
  const { member, name } = calledIn(call);
  return {
    id: { path: `${path}.id`, value: at(call, 'id') },
    name: { path: `${path}.${member}.name`, value: name },
    idOwed: true,
  };
}

/**
 * A call has the type `function`. Calls of custom tools have another type. AI SDK reads a call without a type; a helper
 * of `openai` throws.
 */
export function judgeType(answer: Answer, call: unknown, path: string): void {
  const type = at(call, 'type');
  if (type === 'function' || type === 'custom') return;
  const row = isPresent(type) ? 'LLM-S30' : 'LLM-S32';
  answer.facts.violated(row, `expected ${path}.type to be "function"; came ${shown(type)}`);
}
