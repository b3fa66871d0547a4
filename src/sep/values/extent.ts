/**
 * How deep and how large a value is, before anything copies or writes it. Values share their parts: an output that holds
 * the one before it twice is small in memory, and without end as a text. So no more is read than is allowed.
 */
import { isArray, mostJsonLevels } from '../../kit/base/index.ts';

/** The extent of a value, up to the limits: what is beyond them was not read. */
export interface Extent {
  /** The levels of nesting: 0 of a text or a number. */
  readonly levels: number;
  /** The characters as compact JSON, without escapes. */
  readonly characters: number;
  /** What in it is no JSON; undefined: nothing. */
  readonly foreign: string | undefined;
}

/** The extents of values that were measured: a value may be referred to often. */
export type Extents = WeakMap<object, Extent>;

/** A number, also an integer of 64 bits, true, false or null. */
const isScalar = (value: unknown): boolean =>
  value === null || ['number', 'bigint', 'boolean'].includes(typeof value);

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The extent of a value, whatever it is, without recursion. The cost is linear in the value as a text, up to `most`
 * characters.
 */
export function extentOf(value: unknown, most: number, known: Extents): Extent {
  const before = isHolder(value) ? known.get(value) : undefined;
  if (before !== undefined) return before;
  const extent = new Measuring(most).of(value);
  if (isHolder(value)) known.set(value, extent);
  return extent;
}

/** The reading of one value. */
class Measuring {
  readonly #most: number;
  /** What is still to be read, and the levels around each. */
  readonly #values: unknown[] = [];
  readonly #depths: number[] = [];
  #levels = 0;
  #characters = 0;
  #foreign: string | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  of(value: unknown): Extent {
    this.#values.push(value);
    this.#depths.push(0);
    while (this.#values.length > 0 && this.#isWithin())
      this.#read(this.#values.pop(), this.#depths.pop() ?? 0);
    return { levels: this.#levels, characters: this.#characters, foreign: this.#foreign };
  }

  #isWithin(): boolean {
    return this.#foreign === undefined && this.#levels <= mostJsonLevels && this.#characters <= this.#most;
  }

  #read(value: unknown, depth: number): void {
    if (isHolder(value)) return this.#readHolder(value, depth + 1);
    if (typeof value === 'string') this.#characters += value.length + 2;
    else if (isScalar(value)) this.#characters += String(value).length;
    // JSON leaves undefined out.
    else if (value !== undefined) this.#foreign = `a ${typeof value}`;
  }

  #readHolder(value: object, depth: number): void {
    this.#levels = Math.max(this.#levels, depth);
    this.#characters += 2;
    try {
      if (isArray(value)) {
        this.#characters += value.length;
        if (this.#isWithin()) for (const one of value) this.#push(one, depth);
      } else if ('toJSON' in value && typeof value.toJSON === 'function')
        this.#foreign = 'an object with a function toJSON';
      else
        for (const [key, one] of Object.entries(value)) {
          this.#characters += key.length + 4;
          this.#push(one, depth);
        }
    } catch {
      this.#foreign = 'an object that cannot be read';
    }
  }

  #push(value: unknown, depth: number): void {
    this.#values.push(value);
    this.#depths.push(depth);
  }
}

/** Why a value of this extent is refused; undefined: it is not. `what` is its name in the reason. */
export function refusalOf(
  { levels, characters, foreign }: Extent,
  what: string,
  most: number,
): string | undefined {
  if (foreign !== undefined) return `expected ${what} to be JSON; came ${foreign}`;
  if (levels > mostJsonLevels)
    return `expected ${what} to have at most ${mostJsonLevels} levels of nesting; came ${levels} or more`;
  if (characters > most) return `expected ${what} to have at most ${most} characters; came more`;
  return undefined;
}
