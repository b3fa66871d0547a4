/** Reads conditions and values from their tokens: by recursive descent, up to a number of levels. */
import type { Json } from '../../../kit/base/index.ts';
import type { CompareSign, Condition, Operand } from './condition-form.ts';
import { mostConditionLevels } from '../../parser/limits.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

const compareSigns: readonly string[] = ['==', '!=', '<', '<=', '>', '>=', 'in'] satisfies CompareSign[];

/** Reads the tokens of one text. Each method throws a SyntaxError with the reason. */
export class ConditionReader {
  readonly #tokens: readonly Token[];
  readonly #names = new Set<string>();
  #at = 0;

  /** @param text - the condition, or the list */
  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  /** The names that were read. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** The end of the text. */
  end(): void {
    if (this.#at < this.#tokens.length) throw new SyntaxError(`expected no more after ${this.#at} words`);
  }

  condition(level = 0): Condition {
    return this.#row('or', () => this.#row('and', () => this.#negation(level)));
  }

  /** Conditions with the same word between them. */
  #row(is: 'and' | 'or', read: () => Condition): Condition {
    const first = read();
    const all = [first];
    while (this.#takes(is)) all.push(read());
    return all.length === 1 ? first : { is, all };
  }

  #negation(level: number): Condition {
    return this.#takes('not') ? { is: 'not', of: this.#negation(deeper(level)) } : this.#comparison(level);
  }

  #comparison(level: number): Condition {
    if (this.#takes('(')) {
      const inner = this.condition(deeper(level));
      this.#demand(')');
      return inner;
    }
    if (this.#takes('defined')) {
      const operand = this.operand(level);
      if (!('reference' in operand)) throw new SyntaxError('expected a name behind defined');
      return { is: 'defined', reference: operand.reference };
    }
    const left = this.operand(level);
    const sign = this.#sign();
    if (!compareSigns.includes(sign)) return { is: 'truth', of: left };
    this.#at++;
    return { is: 'compare', sign: sign as CompareSign, left, right: this.operand(level) };
  }

  /** A reference or a value. */
  operand(level: number): Operand {
    const token = this.#tokens[this.#at];
    if (token === undefined || !('reference' in token)) return { value: this.#value(level) };
    this.#at++;
    this.#names.add(token.reference.name);
    return token;
  }

  /** A value as in JSON. */
  #value(level: number): Json {
    if (this.#takes('[')) return this.#items(']', () => this.#value(deeper(level)));
    if (this.#takes('{')) return Object.fromEntries(this.#items('}', () => this.#member(deeper(level))));
    const token = this.#tokens[this.#at++];
    if (token === undefined || !('value' in token)) throw new SyntaxError('expected a name or a value');
    return token.value;
  }

  #member(level: number): readonly [string, Json] {
    const key = this.#value(level);
    if (typeof key !== 'string') throw new SyntaxError('expected a key to be a text');
    this.#demand(':');
    return [key, this.#value(level)];
  }

  /** Items with commas between them, up to a closing sign. */
  #items<T>(closing: string, read: () => T): readonly T[] {
    const items: T[] = [];
    if (this.#takes(closing)) return items;
    do items.push(read());
    while (this.#takes(','));
    this.#demand(closing);
    return items;
  }

  #sign(): string {
    const token = this.#tokens[this.#at];
    return token !== undefined && 'sign' in token ? token.sign : '';
  }

  #takes(sign: string): boolean {
    if (this.#sign() !== sign) return false;
    this.#at++;
    return true;
  }

  #demand(sign: string): void {
    if (!this.#takes(sign)) throw new SyntaxError(`expected ${sign}`);
  }
}

function deeper(level: number): number {
  if (level >= mostConditionLevels) throw new SyntaxError(`expected at most ${mostConditionLevels} levels`);
  return level + 1;
}
