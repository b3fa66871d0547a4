/**
 * Reads JSON text one unit at a time, and finds the kind of each place where it can be cut. It does not decide
 * whether the text is JSON; `JSON.parse` does.
 */
import { inPair } from './tokenizer.ts';

/** The places where JSON text can be cut. */
export const jsonPlaces = [
  'inside-key',
  'inside-string',
  /** After a backslash, before its escape is whole; in keys, too. */
  'inside-escape',
  /** Between two characters of a number. */
  'inside-number',
  /** Between two characters of `true`, `false` or `null`. */
  'inside-literal',
  /** After the value of a parameter (a member of the outermost object), before the next one's key or the last brace. */
  'between-parameters',
  'after-last-brace',
] as const;

/** One of {@link jsonPlaces}. */
export type JsonPlace = (typeof jsonPlaces)[number];

/** The kind of a place: one that scripts can name; the start; other structure; after text that is no JSON. */
export type Where = JsonPlace | 'start' | 'structure' | 'malformed';

/** A place where text can be cut: a UTF-16 offset that splits no surrogate pair. */
export interface CutPosition {
  readonly at: number;
  readonly where: Where;
}

/**
 * Every place where the arguments of a call can be cut, from 0 to their length, in order.
 *
 * @example
 * cutPositions('{"a":12}').map(({ where }) => where).slice(6); // ['inside-number', 'between-parameters', 'after-last-brace']
 */
export function cutPositions(json: string): CutPosition[] {
  const positions: CutPosition[] = [];
  const scan = new JsonScan(json);
  do if (!inPair(json, scan.at)) positions.push({ at: scan.at, where: scan.where() });
  while (scan.next());
  return positions;
}

/** The UTF-16 offset of the nth place of a kind, from 0; undefined where the text has fewer. */
export function placeOf(json: string, place: JsonPlace, nth: number): number | undefined {
  const scan = new JsonScan(json);
  let left = nth;
  do if (!inPair(json, scan.at) && scan.where() === place && left-- === 0) return scan.at;
  while (scan.next());
  return undefined;
}

/**
 * The last parameter boundary up to `at`, for providers that send each parameter only when it is complete: after the
 * value of a member of the outermost object, or after the last brace. 0 when no parameter is complete.
 *
 * @example
 * const json = '{"title":"x","body":"long"}';
 * json.slice(0, parameterBoundary(json, 20)); // '{"title":"x"'
 */
export function parameterBoundary(json: string, at: number): number {
  const scan = new JsonScan(json);
  let boundary = 0;
  let between = false;
  do {
    const where = scan.where();
    const now = where === 'between-parameters';
    if ((now && !between) || (where === 'after-last-brace' && scan.closed)) boundary = scan.at;
    between = now;
  } while (scan.at < at && scan.next());
  return boundary;
}

/** The next expectation, or the token that is being read. */
type State =
  'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after' | 'string' | 'number' | 'literal' | 'bad';

/** A reader of JSON text, between two units. Its stack is on the heap, so any depth is safe. */
class JsonScan {
  /** Units read. */
  at = 0;
  /** Whether the unit read last closed the outermost value. */
  closed = false;
  readonly #json: string;
  #state: State = 'value';
  /** The open brackets. */
  readonly #open: ('{' | '[')[] = [];
  #isKey = false;
  /** Units that an escape still needs; 5 after the backslash, 4 to 1 within \u. */
  #escape = 0;

  constructor(json: string) {
    this.#json = json;
  }

  /** The kind of this place. */
  where(): Where {
    if (this.at === 0) return 'start';
    switch (this.#state) {
      case 'bad':
        return 'malformed';
      case 'string':
        return this.#escape > 0 ? 'inside-escape' : this.#isKey ? 'inside-key' : 'inside-string';
      case 'number':
        return isNumeric(this.#json[this.at]) ? 'inside-number' : this.#afterValue();
      case 'literal':
        return isLetter(this.#json[this.at]) ? 'inside-literal' : this.#afterValue();
      case 'after':
        return this.#afterValue();
      case 'key':
        return this.#open.length === 1 ? 'between-parameters' : 'structure';
      case 'value':
      case 'first-value':
      case 'first-key':
      case 'colon':
        return 'structure';
    }
  }

  /** Reads one unit; false at the end. */
  next(): boolean {
    const unit = this.#json[this.at];
    if (unit === undefined) return false;
    this.at++;
    this.closed = false;
    if (this.#state === 'string') this.#inString(unit);
    else if (this.#state === 'number' && isNumeric(unit)) return true;
    else if (this.#state === 'literal' && isLetter(unit)) return true;
    else if (!isSpace(unit)) this.#state = this.#structure(unit);
    else if (this.#state === 'number' || this.#state === 'literal') this.#state = 'after';
    return true;
  }

  #afterValue(): Where {
    if (this.#open.length === 0) return 'after-last-brace';
    return this.#open.length === 1 && this.#open[0] === '{' ? 'between-parameters' : 'structure';
  }

  #inString(unit: string): void {
    if (this.#escape === 5) this.#escape = unit === 'u' ? 4 : 0;
    else if (this.#escape > 0) this.#escape--;
    else if (unit === '\\') this.#escape = 5;
    else if (unit === '"') {
      this.#state = this.#isKey ? 'colon' : 'after';
      this.closed = this.#open.length === 0;
    }
  }

  #structure(unit: string): State {
    switch (this.#state) {
      case 'first-key':
      case 'key':
        if (unit === '}' && this.#state === 'first-key') return this.#close('{');
        if (unit === '"') return this.#string(true);
        return 'bad';
      case 'colon':
        return unit === ':' ? 'value' : 'bad';
      case 'first-value':
        return unit === ']' ? this.#close('[') : this.#value(unit);
      case 'value':
        return this.#value(unit);
      case 'number':
      case 'literal':
      case 'after':
        return this.#separator(unit);
      case 'string':
      case 'bad':
        return 'bad';
    }
  }

  #value(unit: string): State {
    if (unit === '"') return this.#string(false);
    if (unit === '{' || unit === '[') {
      this.#open.push(unit);
      return unit === '{' ? 'first-key' : 'first-value';
    }
    return isNumeric(unit) ? 'number' : isLetter(unit) ? 'literal' : 'bad';
  }

  #separator(unit: string): State {
    const open = this.#open.at(-1);
    if (unit === ',' && open !== undefined) return open === '{' ? 'key' : 'value';
    return unit === '}' ? this.#close('{') : unit === ']' ? this.#close('[') : 'bad';
  }

  #string(isKey: boolean): State {
    this.#isKey = isKey;
    return 'string';
  }

  #close(opening: '{' | '['): State {
    if (this.#open.pop() !== opening) return 'bad';
    this.closed = this.#open.length === 0;
    return 'after';
  }
}

const isSpace = (unit: string): boolean => unit === ' ' || unit === '\n' || unit === '\r' || unit === '\t';
const isNumeric = (unit: string | undefined): boolean => unit !== undefined && /[-+.0-9eE]/.test(unit);
const isLetter = (unit: string | undefined): boolean => unit !== undefined && unit >= 'a' && unit <= 'z';
