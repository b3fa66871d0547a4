/** One tag, read character by character: it may come in any number of chunks. */

/** The tags of the protocol (SEP-01). */
export const tagNames = ['thought', 'action', 'response', 'context_feed'] as const;
export type TagName = (typeof tagNames)[number];

/** A word that may follow `<`: the name of a tag, the name of one that closes, or the begin of a comment. */
export type TagWord = TagName | `/${TagName}` | '!--';

/** A whole tag: `<action id="a">`. */
export interface Tag {
  readonly word: TagWord;
  /** Whether it closes itself: `<response/>`. */
  readonly closed: boolean;
  /** The attributes as they are written. */
  readonly source: string;
}

/** The outcome of a character: the tag goes on, is whole, is not a tag, or is too long for one. */
export type TagOutcome = 'more' | 'whole' | 'text' | 'too-long';

/** The most characters of a tag. A longer one is text. */
export const mostTag = 4096;

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r';

/** Reads the characters after a `<`. */
export class TagReader {
  readonly #words: readonly TagWord[];
  #held = '<';
  #word: TagWord | undefined;
  /** What ends the value that is being read: a quote or a bracket; '' outside of values. */
  #until = '';
  /** The quote inside a bracket. */
  #inner = '';
  /** The last character that is no space. */
  #last = '';

  /** @param words - the words that begin a tag here */
  constructor(words: readonly TagWord[]) {
    this.#words = words;
  }

  /** The characters so far. */
  get held(): string {
    return this.#held;
  }

  /** The tag, after `whole`. */
  get tag(): Tag {
    const word = this.#word ?? 'thought';
    const source = this.#held.slice(word.length + 1, -1);
    const closed = !word.startsWith('/') && source.endsWith('/');
    return { word, closed, source: closed ? source.slice(0, -1) : source };
  }

  /** Takes one more character. After `text`, the character is not part of what is held. */
  take(char: string): TagOutcome {
    const outcome = this.#word === undefined ? this.#takeWord(char) : this.#takeRest(this.#word, char);
    if (outcome === 'text') return outcome;
    this.#held += char;
    return outcome === 'more' && this.#held.length >= mostTag ? 'too-long' : outcome;
  }

  #takeWord(char: string): TagOutcome {
    const text = this.#held.slice(1);
    const whole = this.#words.find((word) => word === text);
    if (whole !== undefined && (char === '>' || char === '/' || isSpace(char))) {
      this.#word = whole;
      return this.#takeRest(whole, char);
    }
    const longer = text + char;
    if (!this.#words.some((word) => word.startsWith(longer))) return 'text';
    if (longer !== '!--') return 'more';
    this.#word = longer;
    return 'whole';
  }

  #takeRest(word: TagWord, char: string): TagOutcome {
    if (word.startsWith('/')) return char === '>' ? 'whole' : isSpace(char) ? 'more' : 'text';
    if (this.#until !== '') return this.#takeValue(char);
    if (char === '>') return 'whole';
    if (char === '<') return 'text';
    if (this.#last === '=' && (char === '"' || char === "'")) this.#until = char;
    else if (this.#last === '=' && char === '[') this.#until = ']';
    if (!isSpace(char)) this.#last = char;
    return 'more';
  }

  #takeValue(char: string): TagOutcome {
    if (this.#inner !== '') {
      if (char === this.#inner) this.#inner = '';
    } else if (char === this.#until) this.#until = '';
    else if (this.#until === ']' && (char === '"' || char === "'")) this.#inner = char;
    this.#last = char;
    return 'more';
  }
}

/** An attribute as it is written: a value in brackets keeps its brackets. */
export interface Attribute {
  readonly name: string;
  readonly value: string;
}

const attributeForm =
  /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\[(?:"[^"]*"|'[^']*'|[^\]"'])*\])|([^\s"'<>]+)))?/g;

/** The attributes of a tag, in their order. One without a value has ''. */
export const attributesOf = (source: string): readonly Attribute[] =>
  [...source.matchAll(attributeForm)].map(([, name = '', double, single, list, bare]) => ({
    name,
    value: double ?? single ?? list ?? bare ?? '',
  }));
