/** An estimate of the memory that JSON takes, and a limit that several holders share. */
import type { JsonObject } from './json.ts';

/** Memory of an object or array, and of one of its places (bytes), as V8 has it on 64-bit machines, rounded up. */
const [container, place] = [48, 16];

/** Memory of a member in a table of names besides its place (bytes). */
const tablePlace = 32;

/** Memory of a string without its characters (bytes). */
const text = 24;

/** The members from which V8 keeps the names of an object in a table of its own; other objects share them. */
const manyMembers = 64;

/**
 * The memory that a JSON value takes (bytes), within a factor of two. Text of ASCII takes a byte a character, other text
 * two. Linear in the value.
 *
 * @example
 * memoryOf({ text: 'hello' }); // 93
 */
export function memoryOf(value: JsonObject): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') bytes += text + charactersOf(next);
    else if (Array.isArray(next)) {
      bytes += container + place * next.length;
      for (const item of next) if (isHeld(item)) rest.push(item);
    } else if (typeof next === 'object' && next !== null) {
      bytes += container;
      let [members, characters] = [0, 0];
      for (const key in next) {
        members++;
        characters += key.length;
        const item = (next as Record<string, unknown>)[key];
        if (isHeld(item)) rest.push(item);
      }
      bytes += place * members;
      if (members >= manyMembers) bytes += (tablePlace + text) * members + characters;
    }
  }
  return bytes;
}

/** Whether a value takes memory besides its place. */
const isHeld = (value: unknown): boolean => typeof value === 'string' || typeof value === 'object';

/** The memory of a string's characters (bytes). */
const charactersOf = (value: string): number =>
  Buffer.byteLength(value) === value.length ? value.length : 2 * value.length;

/** Memory that several holders share (bytes). */
export class MemoryLimit {
  readonly most: number;
  #held = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /** Takes memory. @returns whether it is within the limit */
  take(bytes: number): boolean {
    this.#held += bytes;
    return this.#held <= this.most;
  }

  /** Gives memory back. */
  give(bytes: number): void {
    this.#held -= bytes;
  }
}
