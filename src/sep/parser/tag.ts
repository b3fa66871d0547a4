/** One tag, read character by character: it may come in any number of chunks. */
import type { BlockName } from './events.ts';

/** The tags of the protocol (SEP-01). */
export const tagNames = ['thought', 'action', 'response', 'context_feed'] as const;
export type TagName = (typeof tagNames)[number];

/** The tags of extensions. */
export type ExtensionTag = BlockName | 'else' | 'template';

/** A word that may follow `<`: the name of a tag, the name of one that closes, or the begin of a comment. */
export type TagWord = TagName | `/${TagName}` | '!--' | ExtensionTag | `/${BlockName | 'template'}`;

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

/** A tag as it is written, and what it means. */
export interface WrittenTag {
  readonly held: string;
  readonly tag: Tag;
}

const plainTag = (word: TagWord): WrittenTag => ({
  held: `<${word}>`,
  tag: { word, closed: false, source: '' },
});

/** The tags without blanks and attributes that open, by their first letter, and those that close. */
const plainOpens = new Map(tagNames.map((name) => [name.charCodeAt(0), plainTag(name)]));
const plainCloses = tagNames.map((name) => plainTag(`/${name}`));

const slash = 47;

/** The tag without blanks and attributes at a less-than sign, if it is one of these words; undefined for others. */
export function plainTagAt(text: string, at: number, words: readonly TagWord[]): WrittenTag | undefined {
  const first = text.charCodeAt(at + 1);
  const found =
    first === slash ? plainCloses.find(({ held }) => text.startsWith(held, at)) : plainOpens.get(first);
  if (found === undefined || !text.startsWith(found.held, at)) return undefined;
  return words.includes(found.tag.word) ? found : undefined;
}

const simpleOpen =
  /<(thought|action|response|context_feed)((?:[ \n\t\r]+[^\s=/"'<>[]+="[^"<>[]*")+)[ \n\t\r]*>/y;

/** An opening tag with nothing but attributes in double quotes, if it is there as a whole; undefined for others. */
export function simpleTagAt(text: string, at: number, words: readonly TagWord[]): WrittenTag | undefined {
  simpleOpen.lastIndex = at;
  const found = simpleOpen.exec(text);
  if (found === null || found[0].length >= mostTag) return undefined;
  const [held, name = '', source = ''] = found;
  const word = words.find((one) => one === name);
  return word && { held, tag: { word, closed: false, source } };
}

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

/** A place in the attributes of a tag. */
interface Place {
  readonly source: string;
  at: number;
}

const isBlank = (char: string): boolean => char.trim() === '';

/** Whether a character ends a name. */
const endsName = (char: string): boolean =>
  char === '=' ||
  char === '"' ||
  char === "'" ||
  char === '/' ||
  char === '<' ||
  char === '>' ||
  isBlank(char);

function skipBlanks(place: Place): void {
  const { source } = place;
  while (place.at < source.length && isBlank(source.charAt(place.at))) place.at++;
}

/** The attributes of a tag, in their order. One without a value has ''. */
export function attributesOf(source: string): readonly Attribute[] {
  const attributes: Attribute[] = [];
  const place = { source, at: 0 };
  while (place.at < source.length) {
    const from = place.at;
    while (place.at < source.length && !endsName(source.charAt(place.at))) place.at++;
    if (place.at === from) place.at++;
    else attributes.push({ name: source.slice(from, place.at), value: valueAt(place) });
  }
  return attributes;
}

/** The value behind a name; '' and no step when there is none. */
function valueAt(place: Place): string {
  const name = place.at;
  const { source } = place;
  skipBlanks(place);
  if (source.charAt(place.at) === '=') {
    place.at++;
    skipBlanks(place);
    const first = source.charAt(place.at);
    const value =
      first === '"' || first === "'" ? quotedAt(place, first) : first === '[' ? listAt(place) : bareAt(place);
    if (value !== undefined) return value;
  }
  place.at = name;
  return '';
}

function quotedAt(place: Place, quote: string): string | undefined {
  const end = place.source.indexOf(quote, place.at + 1);
  if (end < 0) return undefined;
  const value = place.source.slice(place.at + 1, end);
  place.at = end + 1;
  return value;
}

/** A list in brackets, with its brackets. A bracket in quotes does not end it. */
function listAt(place: Place): string | undefined {
  const { source, at } = place;
  const inside = { source, at: at + 1 };
  while (inside.at < source.length && source.charAt(inside.at) !== ']') {
    const char = source.charAt(inside.at);
    if (char !== '"' && char !== "'") inside.at++;
    else if (quotedAt(inside, char) === undefined) return bareAt(place);
  }
  if (inside.at >= source.length) return bareAt(place);
  place.at = inside.at + 1;
  return source.slice(at, place.at);
}

/** A value without quotes: up to a blank, a quote or a sign of tags. */
function bareAt(place: Place): string | undefined {
  const { source, at } = place;
  let end = at;
  while (end < source.length && !isBlank(source.charAt(end)) && !'"\'<>'.includes(source.charAt(end))) end++;
  place.at = end;
  return end === at ? undefined : source.slice(at, end);
}
