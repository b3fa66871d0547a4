/** The messages of a request in an order that every provider takes: results stand directly behind their calls. */
import type { JsonObject } from '../../../kit/base/index.ts';
import { isWholeMessage } from './results.ts';
import type { FullRequest, Message, Part } from './request.ts';

/** A part with its place in the request, such as `messages[2].parts[1]`. */
export interface Placed<P extends Part = Part> {
  readonly part: P;
  readonly at: string;
}

/** A message whose parts know their places. */
export interface Turn {
  readonly role: Message['role'];
  readonly parts: readonly Placed[];
  readonly more?: JsonObject;
}

/** Parts with their places below this path. */
export const placed = (parts: readonly Part[], at: string): readonly Placed[] =>
  parts.map((part, i) => ({ part, at: `${at}.parts[${i}]` }));

/** Whether a placed part has this kind. */
export const isKind =
  <K extends Part['kind']>(kind: K) =>
  (one: Placed): one is Placed<Extract<Part, { readonly kind: K }>> =>
    one.part.kind === kind;

/**
 * The turns of a request. A result goes behind the last call before it that has its id, and behind the messages of the
 * assistant that follow that call. A result without a call stays, at the start of its message.
 */
export function turnsOf({ messages }: Pick<FullRequest, 'messages'>): readonly Turn[] {
  const order = new ResultOrder();
  for (const [i, message] of messages.entries()) order.add(message, `messages[${i}]`);
  return order.turns();
}

/** The results of the calls in a run of the assistant's messages. */
interface ResultSlot {
  readonly results: Placed[];
}

class ResultOrder {
  readonly #entries: (Turn | ResultSlot)[] = [];
  /** The slot of the last call with each id. */
  readonly #slots = new Map<string, ResultSlot>();
  /** The slot at the end, while messages of the assistant follow each other. */
  #run: ResultSlot | undefined;

  add(message: Message, at: string): void {
    const parts = placed(message.parts, at);
    const results = parts.filter(isKind('result'));
    const unasked = results.filter((one) => !this.#answer(one));
    const others = parts.filter((one) => one.part.kind !== 'result');
    if (message.role === 'assistant') {
      this.#speak({ ...message, parts: others });
      if (unasked.length > 0) this.#push({ role: 'user', parts: unasked });
    } else if (results.length === 0 || unasked.length > 0 || others.length > 0 || message.more !== undefined)
      this.#push({ ...message, parts: [...unasked, ...others] });
    else this.#run = undefined;
  }

  turns(): readonly Turn[] {
    return this.#entries.flatMap((entry): readonly Turn[] => {
      if (!('results' in entry)) return [entry];
      return entry.results.length === 0 ? [] : [{ role: 'user', parts: entry.results }];
    });
  }

  /** Whether a result answers a call: then it is in the call's slot. */
  #answer(one: Placed<Extract<Part, { readonly kind: 'result' }>>): boolean {
    const slot = this.#slots.get(one.part.id);
    slot?.results.push(one);
    return slot !== undefined;
  }

  #speak(turn: Turn): void {
    const slot = this.#run ?? { results: [] };
    if (this.#run !== undefined) this.#entries.pop();
    this.#entries.push(turn, slot);
    this.#run = slot;
    for (const { part } of turn.parts) if (part.kind === 'call') this.#slots.set(part.id, slot);
  }

  #push(turn: Turn): void {
    this.#entries.push(turn);
    this.#run = undefined;
  }
}

/** Makes one turn of neighbours of one role, where the condition holds for the first of them. */
export function joined(turns: readonly Turn[], when: (before: Turn, next: Turn) => boolean): readonly Turn[] {
  const runs: Turn[][] = [];
  for (const turn of turns) {
    const run = runs.at(-1);
    const first = run?.[0];
    if (run === undefined || first?.role !== turn.role || !when(first, turn)) runs.push([turn]);
    else run.push(turn);
  }
  return runs.map((run) => {
    const one = run.reduce((before, next) => ({ ...before, ...next }));
    return { ...one, parts: run.flatMap(({ parts }) => parts) };
  });
}

/** Whether a turn calls tools: where results must come next, no other message of the assistant may stand between. */
export const calls = (turn: Turn): boolean =>
  turn.role === 'assistant' && turn.parts.some(({ part }) => part.kind === 'call');

/** Whether a turn is a message without neutral words. */
export const isWhole = ({ parts }: Turn): boolean => isWholeMessage({ parts: parts.map(({ part }) => part) });

/** The turns of the system before all others. */
export function leadingSystem(turns: readonly Turn[]): readonly Turn[] {
  const end = turns.findIndex(({ role }) => role !== 'system');
  return end < 0 ? turns : turns.slice(0, end);
}
