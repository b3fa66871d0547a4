/**
 * Arguments that stream by path, as a provider writes them: JSON text comes in pieces, and each scalar value goes out under
 * its path (`partialArgs`), a text piece by piece.
 */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { contentFault, isJsonObject, parseJson } from '../shared/arguments.ts';
import { writePath } from './json-path.ts';

/** Whether paths can say these arguments: an object without empty members, and without numbers that parsing would change. */
export function hasPaths(text: string): boolean {
  const value = parseJson(text);
  if (!isJsonObject(value) || contentFault(text) !== undefined) return false;
  return Object.keys(value).length === 0 || isSaid(value);
}

/** No scalar stands for an empty object or list, so that no path names it. */
function isSaid(value: Json): boolean {
  const inner: readonly Json[] | undefined = isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value)
      : undefined;
  return inner === undefined || (inner.length > 0 && inner.every(isSaid));
}

/** An object or a list that is open, with the place of the value at hand. */
interface Container {
  readonly isList: boolean;
  key: string;
  index: number;
}

/** The member of a partial argument for a number or a literal; undefined for other text. */
function scalarOf(text: string): JsonObject | undefined {
  const value = parseJson(text);
  if (typeof value === 'number') return { numberValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return value === null ? { nullValue: 'NULL_VALUE' } : undefined;
}

/** Reads JSON text in pieces, and writes the partial arguments of each piece. The text may end anywhere. */
export class ArgumentPaths {
  readonly #open: Container[] = [];
  /** The string, number or literal that is being read. */
  #token: 'none' | 'key' | 'text' | 'word' = 'none';
  /** The token as far as it was read; of a text, the part that was not written. */
  #read = '';
  /** An escape that is not whole. */
  #escape = '';
  /** Whether the next string in an object is a key. */
  #wantsKey = false;
  #out: JsonObject[] = [];

  /** The partial arguments of more text. */
  take(text: string): readonly JsonObject[] {
    for (const unit of text) this.#unit(unit);
    if (this.#token === 'text') this.#grow();
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #unit(unit: string): void {
    if (this.#token === 'key' || this.#token === 'text') return this.#inString(unit);
    if (this.#token === 'word') {
      if (!/[\s,\]}]/.test(unit)) {
        this.#read += unit;
        return;
      }
      this.#word();
    }
    this.#structure(unit);
  }

  #inString(unit: string): void {
    if (this.#escape !== '') {
      this.#escape += unit;
      if (!isWholeEscape(this.#escape)) return;
      const read = parseJson(`"${this.#escape}"`);
      this.#read += typeof read === 'string' ? read : '';
      this.#escape = '';
    } else if (unit === '\\') this.#escape = unit;
    else if (unit !== '"') this.#read += unit;
    else this.#endString();
  }

  #endString(): void {
    const last = this.#open.at(-1);
    if (this.#token === 'text') this.#say({ stringValue: this.#read });
    else if (last !== undefined) last.key = this.#read;
    this.#token = 'none';
    this.#read = '';
  }

  #structure(unit: string): void {
    const last = this.#open.at(-1);
    if (unit === '{' || unit === '[') {
      this.#open.push({ isList: unit === '[', key: '', index: 0 });
      this.#wantsKey = unit === '{';
    } else if (unit === '}' || unit === ']') this.#open.pop();
    else if (unit === ',') {
      if (last !== undefined) last.index++;
      this.#wantsKey = last?.isList === false;
    } else if (unit === ':') this.#wantsKey = false;
    else if (unit === '"') this.#token = this.#wantsKey ? 'key' : 'text';
    else if (!/\s/.test(unit)) {
      this.#token = 'word';
      this.#read = unit;
    }
  }

  /** Writes the part of a text that has come. The first half of a surrogate pair waits for the other half. */
  #grow(): void {
    const text = endsInHalf(this.#read) ? this.#read.slice(0, -1) : this.#read;
    if (text !== '') this.#say({ stringValue: text, willContinue: true });
    this.#read = this.#read.slice(text.length);
  }

  #word(): void {
    const said = scalarOf(this.#read);
    if (said !== undefined) this.#say(said);
    this.#token = 'none';
    this.#read = '';
  }

  #say(value: JsonObject): void {
    const steps = this.#open.map(({ isList, key, index }) => (isList ? index : key));
    this.#out.push({ jsonPath: writePath(steps), ...value });
  }
}

const isWholeEscape = (escape: string): boolean => escape.length === (escape[1] === 'u' ? 6 : 2);

/** Whether a text ends with the first half of a surrogate pair. */
const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00;
};
