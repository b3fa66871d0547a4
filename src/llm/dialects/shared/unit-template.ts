/**
 * Writes the JSON of events that differ in a few values only: JSON.stringify of the whole event takes three times as
 * long ("LLM simulator, events per CPU second" of `npm run bench`).
 */
import type { Json } from '../../../kit/base/index.ts';
import type { Unit } from '../../messages.ts';

/** A value that differs from event to event. */
export type UnitValue = string | number;

/** Makes the data of an event from its values. Each value must be in it once, and in their order. */
export type UnitMaker = (...values: UnitValue[]) => Json;

/** Stands for a value while the template is made. */
const marker = (index: number): string => `\u0001value ${index}\u0001`;

/** A kind of event. */
export class UnitTemplate {
  readonly #make: UnitMaker;
  readonly #event: string | undefined;
  /** The text of SSE before, between and after the values. The quotes of a last value that is plain are in it. */
  readonly #parts: readonly string[];
  /** Where the JSON begins in that text. */
  readonly #start: number;
  readonly #plain: boolean;

  /**
   * @param count - the number of values
   * @param plain - whether the last value is a text that needs no escapes
   *
   * @example
   * const template = new UnitTemplate('delta', (n, text) => ({ n, text, done: false }), 2);
   * template.unit(1, 'a"b').json; // '{"n":1,"text":"a\\"b","done":false}'
   */
  constructor(event: string | undefined, make: UnitMaker, count: number, plain = false) {
    const markers = Array.from({ length: count }, (_, i) => marker(i));
    const json = JSON.stringify(make(...markers));
    let from = 0;
    const parts = markers.map((one, i) => {
      const quote = plain && i === count - 1 ? 1 : 0;
      const at = json.indexOf(JSON.stringify(one), from);
      const part = json.slice(from, at + quote);
      from = at + JSON.stringify(one).length - quote;
      return part;
    });
    this.#event = event;
    this.#make = make;
    const before = `${event === undefined ? '' : `event: ${event}\n`}data: `;
    this.#start = before.length;
    this.#plain = plain;
    this.#parts = [before + (parts[0] ?? ''), ...parts.slice(1), `${json.slice(from)}\n\n`];
  }

  /** An event with these values. */
  unit(first: UnitValue, second?: UnitValue, third?: UnitValue): Unit {
    const sse = this.sse(first, second, third);
    return new TemplateUnit(this.#event, sse, this.#start, this.#make, first, second, third);
  }

  /** The text of SSE of an event with these values. */
  sse(first: UnitValue, second?: UnitValue, third?: UnitValue): string {
    const parts = this.#parts;
    let sse = (parts[0] ?? '') + text(first) + (parts[1] ?? '');
    if (second !== undefined)
      sse += (this.#plain && third === undefined ? second : text(second)) + (parts[2] ?? '');
    if (third !== undefined) sse += (this.#plain ? third : text(third)) + (parts[3] ?? '');
    return sse;
  }
}

/** Text of ASCII that needs no escapes. JSON.stringify takes twice as long for it. */
const plainText = /^[ !#-[\]-~]*$/;

const text = (value: UnitValue): string => {
  if (typeof value === 'number') return String(value);
  return plainText.test(value) ? `"${value}"` : JSON.stringify(value);
};

/** An event whose data is made only where somebody reads it. */
class TemplateUnit implements Unit {
  declare readonly event?: string;
  readonly sse: string;
  readonly #start: number;
  readonly #make: UnitMaker;
  readonly #first: UnitValue;
  readonly #second: UnitValue | undefined;
  readonly #third: UnitValue | undefined;

  constructor(
    event: string | undefined,
    sse: string,
    start: number,
    make: UnitMaker,
    first: UnitValue,
    second: UnitValue | undefined,
    third: UnitValue | undefined,
  ) {
    if (event !== undefined) this.event = event;
    this.sse = sse;
    this.#start = start;
    this.#make = make;
    this.#first = first;
    this.#second = second;
    this.#third = third;
  }

  get json(): string {
    return this.sse.slice(this.#start, -2);
  }

  get data(): Json {
    if (this.#second === undefined) return this.#make(this.#first);
    if (this.#third === undefined) return this.#make(this.#first, this.#second);
    return this.#make(this.#first, this.#second, this.#third);
  }
}
