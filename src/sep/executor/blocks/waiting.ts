/**
 * The parts of an output that wait for a block, in their order: events of the parser, with the pieces of a text put
 * together. What has no room is dropped as a whole block, or as the end of a text.
 */
import { exactText } from '../../../kit/base/index.ts';
import type { SepEvent } from '../../parser/events.ts';
import type { BlockLimits } from '../../parser/limits.ts';

/** A block around what comes next. Thoughts and texts in it wait until its part is known to count. */
export interface Arrival {
  /** The value of its condition; true: a group; undefined: not known. */
  value: boolean | undefined;
  inElse: boolean;
}

/** A part that waits. `arrival`: of the block that it begins. */
export interface WaitingPart {
  readonly event: SepEvent;
  readonly arrival?: Arrival;
}

type TextEvent = Extract<SepEvent, { readonly text: string }>;

const isText = (event: SepEvent): event is TextEvent => 'text' in event;

/** The characters of a part. */
export function sizeOf(event: SepEvent): number {
  if (isText(event)) return event.text.length;
  if (event.type === 'action') return exactText(event.action).length;
  return event.type === 'block' ? Object.values(event.attributes).join('').length : 0;
}

/** The text that two pieces make; undefined: they belong to different texts. */
function joined(a: SepEvent | undefined, b: SepEvent): SepEvent | undefined {
  if (a === undefined || !isText(a) || !isText(b) || a.type !== b.type) return undefined;
  const isSame =
    (a.type === 'thought' && b.type === 'thought' && a.depth === b.depth) ||
    (a.type === 'response' && b.type === 'response' && a.final === b.final) ||
    (a.type === 'context_feed' && b.type === 'context_feed' && a.id === b.id) ||
    a.type === 'text';
  return isSame ? { ...a, text: a.text + b.text } : undefined;
}

/** Whether events are of the same text. */
export const isOneText = (a: SepEvent | undefined, b: SepEvent): boolean => joined(a, b) !== undefined;

/** Adds an event to a list. @returns whether it has become a part of its own */
export function append(list: SepEvent[], event: SepEvent): boolean {
  const whole = joined(list.at(-1), event);
  if (whole === undefined) list.push(event);
  else list[list.length - 1] = whole;
  return whole === undefined;
}

export class WaitingParts {
  readonly #limits: Required<BlockLimits>;
  #parts: WaitingPart[] = [];
  #next = 0;
  /** The blocks around what comes next. */
  readonly #arrivals: Arrival[] = [];
  #count = 0;
  #characters = 0;
  /** The blocks of what is being dropped. */
  #dropping = 0;
  #isDropTold = false;

  /** @param limits - how much may wait */
  constructor(limits: Required<BlockLimits>) {
    this.#limits = limits;
  }

  /** Whether nothing waits, and no block is open around what comes next. */
  get isIdle(): boolean {
    return this.isEmpty && this.#arrivals.length === 0;
  }

  get isEmpty(): boolean {
    return this.#next === this.#parts.length;
  }

  /** Whether a thought or a text that comes now counts, whatever waits: all blocks around it are known to. */
  get passes(): boolean {
    return this.#arrivals.every(({ value, inElse }) => value === !inElse);
  }

  /** Takes the next part. `before`: the part before it, if none waits. @returns whether it is the first without room */
  take(event: SepEvent, before: SepEvent | undefined): boolean {
    const arrival = this.#arrive(event);
    if (this.#isDropped(event)) return false;
    const last = this.isEmpty ? before : this.#parts.at(-1)?.event;
    const isEnd = event.type === 'branch' || event.type === 'block_end';
    const room = this.#limits.mostWaitingCharacters - this.#characters;
    const size = sizeOf(event);
    const hasPlace = this.#count < this.#limits.mostWaiting || isOneText(last, event);
    if (isEnd || (hasPlace && size <= room)) {
      this.#push({ event, ...(arrival === undefined ? {} : { arrival }) }, size);
      return false;
    }
    if (event.type === 'block') this.#dropping = 1;
    else if (hasPlace && isText(event) && room > 0)
      this.#push({ event: { ...event, text: event.text.slice(0, room) } }, room);
    const isFirst = !this.#isDropTold;
    this.#isDropTold = true;
    return isFirst;
  }

  /** The block that the event begins. */
  #arrive(event: SepEvent): Arrival | undefined {
    const inside = this.#arrivals.at(-1);
    if (event.type === 'branch' && inside !== undefined) inside.inElse = true;
    if (event.type === 'block_end') this.#arrivals.pop();
    if (event.type !== 'block') return undefined;
    const arrival: Arrival = { value: undefined, inElse: false };
    this.#arrivals.push(arrival);
    return arrival;
  }

  /** Whether an event belongs to a block without room. */
  #isDropped(event: SepEvent): boolean {
    if (this.#dropping === 0) return false;
    if (event.type === 'block') this.#dropping++;
    if (event.type === 'block_end') this.#dropping--;
    return true;
  }

  #push(part: WaitingPart, size: number): void {
    this.#count++;
    this.#characters += size;
    const last = this.isEmpty ? undefined : this.#parts.at(-1);
    const event = joined(last?.event, part.event);
    if (event === undefined) this.#parts.push(part);
    else {
      this.#count--;
      this.#parts[this.#parts.length - 1] = { event };
    }
  }

  /** The first part that waits. It still counts until it is given back. */
  next(): WaitingPart | undefined {
    const part = this.#parts[this.#next];
    if (part === undefined) return undefined;
    if (++this.#next === this.#parts.length) {
      this.#parts = [];
      this.#next = 0;
    }
    return part;
  }

  /** Parts that were taken wait no more. */
  release(count: number, characters: number): void {
    this.#count -= count;
    this.#characters -= characters;
  }

  clear(): void {
    this.#parts = [];
    this.#next = 0;
    this.#arrivals.length = 0;
    this.#count = 0;
    this.#characters = 0;
    this.#dropping = 0;
    this.#isDropTold = false;
  }
}
