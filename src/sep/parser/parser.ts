/** Reads a model's output as it arrives: one state machine, linear in the characters however they are cut. */
import { lastOfEach } from './action.ts';
import { Bodies } from './bodies.ts';
import { OpenComment } from './comment.ts';
import { extensionsOf } from './extensions.ts';
import type { ExtensionSwitches } from './extensions.ts';
import type { TemplateOptions } from './templates.ts';
import { blockNames } from './events.ts';
import type { BlockName, DiagnosticCode, SepEvent } from './events.ts';
import { Nesting } from './nesting.ts';
import { OpenAction } from './open-action.ts';
import type { BodyTag, ClosedAction } from './open-action.ts';
import { OpenBlock } from './block.ts';
import { placeWordsOf } from './places.ts';
import type { PlaceWords } from './places.ts';
import { attributesOf, mostTag, plainTagAt, simpleTagAt, TagReader } from './tag.ts';
import type { Tag, TagWord } from './tag.ts';

/** Options of a parser. The templates, and their number, count if the extension `templates` is on. */
export interface SepParserOptions extends Omit<TemplateOptions, 'mostBody'> {
  /** The most characters of an action's body. Default: {@link mostBody}. */
  readonly mostBody?: number;
  /** The ids of the actions of earlier iterations. The parser adds the ids that it finds. */
  readonly ids?: Set<string>;
  /** The extensions that are on or off: the tags of others are text. Default: those of the specification. */
  readonly extensions?: ExtensionSwitches;
}

/** The most characters of an action's body, by default. */
export const mostBody: number = 4 * 1024 * 1024;

const lessThan = 60;
/** The most characters of a chunk that is looked at twice. */
const mostPlain = 64;

/** Whether a chunk is text to its end: without a less-than sign, and without the first half of a surrogate pair there. */
function isPlain(chunk: string): boolean {
  const { length } = chunk;
  if (length === 0 || length > mostPlain) return false;
  for (let at = 0; at < length; at++) if (chunk.charCodeAt(at) === lessThan) return false;
  const last = chunk.charCodeAt(length - 1);
  return last < 0xd800 || last >= 0xdc00;
}

/**
 * The next less-than sign that may begin a tag; -1: there is none. One before another character than a letter, a slash or an
 * exclamation mark is text, and no event of its own.
 */
function possibleTag(text: string, from: number): number {
  let less = text.indexOf('<', from);
  while (less >= 0 && less + 1 < text.length && !beginsWord(text.charCodeAt(less + 1)))
    less = text.indexOf('<', less + 1);
  return less;
}

const beginsWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || code === 0x2f || code === 0x21;

/**
 * An incremental parser of the Streaming Execution Protocol. It emits each event as soon as it is certain, and holds back
 * no more than a possible tag. Any input is allowed; it never throws. The cuts between chunks change no event but the
 * pieces in which text comes.
 *
 * @example
 * const events: SepEvent[] = [];
 * const parser = new SepParser((event) => events.push(event));
 * parser.write('<thought>Hel');
 * events.slice(0, 1); // [{ type: 'thought', text: 'Hel' }]
 * parser.write('lo</thought><response>Done</response>');
 * parser.end();
 * events.at(-1); // { type: 'response_end', final: true, complete: true }
 */
export class SepParser {
  readonly #emit: (event: SepEvent) => void;
  readonly #mostBody: number;
  readonly #words: PlaceWords;
  readonly #bodies: Bodies;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The first half of a surrogate pair at the end of the last chunk. */
  #half = '';
  /** The position of the first character of the text that is being read. */
  #base = 0;
  readonly #block: OpenBlock;
  /** The blocks of extensions around it. */
  readonly #nesting: Nesting;
  /** A possible tag, and its position. */
  #tag: TagReader | undefined;
  #tagAt = 0;
  #action: OpenAction | undefined;
  #comment: OpenComment | undefined;
  /** Whether the next character stands in text: no tag, body or comment is open. Most chunks are such text. */
  #inText = true;
  /** Whether a final response has ended, and whether something came after it. */
  #isOver = false;
  #isAfterTold = false;

  /**
   * @param emit - takes each event
   * @param options - limits, and ids that are taken
   */
  constructor(emit: (event: SepEvent) => void, options: SepParserOptions = {}) {
    const extensions = extensionsOf(options.extensions);
    this.#emit = emit;
    this.#words = placeWordsOf(extensions);
    this.#block = new OpenBlock(emit, extensions.has('sub_thoughts'));
    this.#nesting = new Nesting(emit);
    this.#mostBody = options.mostBody ?? mostBody;
    const bodies = { ...options, mostBody: this.#mostBody };
    this.#bodies = new Bodies(emit, bodies, extensions);
  }

  /** Takes the next piece of the output: text, or bytes of UTF-8 that may be cut anywhere. */
  write(chunk: string | Uint8Array): void {
    if (this.#inText && typeof chunk === 'string' && isPlain(chunk)) {
      this.#base += chunk.length;
      this.#block.text(chunk);
      return;
    }
    const came = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    this.#take(came);
  }

  /** Ends the output. Unclosed text was emitted already; it is reported as incomplete, and never as final (SEP-18). */
  end(): void {
    this.#take(this.#decoder.decode());
    const half = this.#half;
    this.#half = '';
    this.#read(half);
    for (let closed = this.#action?.end(); closed !== undefined; closed = this.#action?.end())
      this.#closeBody(this.#action?.tag ?? 'action', closed);
    this.#endTag();
    this.#endPlace();
  }

  #take(came: string): void {
    const text = this.#half === '' ? came : this.#half + came;
    if (text === '') return;
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last >= 0xd800 && last < 0xdc00;
    this.#half = isHalf ? text.slice(-1) : '';
    this.#read(isHalf ? text.slice(0, -1) : text);
    this.#inText =
      !isHalf &&
      this.#tag === undefined &&
      this.#action === undefined &&
      this.#comment === undefined &&
      !this.#isOver;
  }

  #read(text: string): void {
    const base = this.#base;
    let at = 0;
    while (at < text.length) {
      this.#base = base;
      at = this.#step(text, at);
    }
    this.#base = base + text.length;
  }

  /** Reads some characters. @returns the position of the next one */
  #step(text: string, at: number): number {
    if (this.#tag !== undefined) return this.#readTag(this.#tag, text, at);
    if (this.#action !== undefined) return this.#readBody(this.#action, text, at);
    if (this.#comment !== undefined) return this.#readComment(this.#comment, text, at);
    if (this.#isOver) return this.#readAfter(text, at);
    const less = possibleTag(text, at);
    const end = less < 0 ? text.length : less;
    if (end > at) this.#block.text(at === 0 && less < 0 ? text : text.slice(at, end));
    return less < 0 ? end : this.#beginTag(text, less);
  }

  /** A less-than sign. A simple tag that is there as a whole is taken at once. @returns the next position */
  #beginTag(text: string, less: number): number {
    const words = this.#words[this.#block.place];
    this.#tagAt = this.#base + less;
    const plain = plainTagAt(text, less, words) ?? simpleTagAt(text, less, words);
    if (plain === undefined) {
      this.#tag = new TagReader(words);
      return less + 1;
    }
    this.#takeTag(plain, plain.tag, this.#base + less + plain.held.length);
    return less + plain.held.length;
  }

  #readTag(tag: TagReader, text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const outcome = tag.take(text[at] ?? '');
      if (outcome === 'more') continue;
      this.#tag = undefined;
      if (outcome === 'text') {
        this.#block.text(tag.held);
        return at;
      }
      if (outcome === 'whole') {
        const end = this.#base + at + 1;
        this.#takeTag(tag, tag.tag, end);
      } else {
        this.#remark(
          'tag-too-long',
          `expected a tag of at most ${mostTag} characters; it is text`,
          this.#tagAt,
        );
        this.#block.text(tag.held);
      }
      return at + 1;
    }
    return text.length;
  }

  /** A whole tag in its place. */
  #takeTag({ held }: { readonly held: string }, tag: Tag, end: number): void {
    switch (tag.word) {
      case '!--':
        this.#comment = new OpenComment();
        return;
      case 'thought':
        return tag.closed ? undefined : this.#block.openThought(this.#tagAt);
      case 'action':
        if (this.#block.place !== 'response') return this.#openBody('action', tag, end);
        this.#remark('action-in-response', 'expected no action in a response; it is text', this.#tagAt);
        return this.#block.text(held);
      case 'response':
        return this.#openResponse(tag);
      case 'context_feed':
        return this.#openFeed(tag);
      case 'if':
      case 'foreach':
      case 'parallel':
        return this.#openNested(tag.word, tag, held);
      case 'else':
        return this.#nesting.branch() ? undefined : this.#stray('<if> without another <else/>', 'else', held);
      case 'template':
        if (this.#nesting.depth === 0) return this.#openBody('template', tag, end);
        this.#remark('bad-template', 'expected no template in a block; it is text', this.#tagAt);
        return this.#block.text(held);
      default:
        return this.#close(tag.word, held);
    }
  }

  /** Begins a tag with a JSON body. */
  #openBody(name: BodyTag, { source, closed }: Tag, from: number): void {
    const offset = this.#tagAt;
    if (closed) this.#closeBody(name, { source, offset, body: '', rest: '', restAt: from });
    else this.#action = new OpenAction(source, { offset, from }, this.#mostBody, name);
  }

  /** Begins a condition, a loop or a group. */
  #openNested(name: BlockName, { source, closed }: Tag, held: string): void {
    if (this.#nesting.open(name, this.#attributes(source))) {
      if (closed) this.#nesting.close(name);
      return;
    }
    const message = `expected at most ${this.#nesting.depth} blocks inside of each other; <${name}> is text`;
    this.#remark('too-deep', message, this.#tagAt);
    this.#block.text(held);
  }

  #stray(expected: string, word: TagWord, held: string): void {
    this.#remark('stray-close', `expected ${expected} before <${word}>; it is text`, this.#tagAt);
    this.#block.text(held);
  }

  #openResponse({ source, closed }: Tag): void {
    const final = this.#attributes(source).get('final') ?? 'true';
    if (final !== 'true' && final !== 'false')
      this.#remark(
        'attribute-value',
        `expected final to be true or false; ${final} means false`,
        this.#tagAt,
      );
    this.#block.openResponse(final === 'true');
    if (closed) this.#closePlace();
  }

  #openFeed({ source, closed }: Tag): void {
    const id = this.#attributes(source).get('id') ?? '';
    if (id === '') this.#remark('missing-id', 'expected an attribute id of context_feed', this.#tagAt);
    this.#block.openFeed(id);
    if (closed) this.#block.close();
  }

  #attributes(source: string): Map<string, string> {
    return lastOfEach(attributesOf(source), (code, message) => this.#remark(code, message, this.#tagAt));
  }

  #close(word: TagWord, held: string): void {
    if (this.#block.place !== 'top') return this.#closePlace();
    const name = blockNames.find((one) => word === `/${one}`);
    if (name === undefined || !this.#nesting.close(name)) this.#stray(`<${word.slice(1)}>`, word, held);
  }

  /** Ends what the next character stands in. In a block, an executor knows whether a final response counts. */
  #closePlace(): void {
    this.#isOver = this.#block.close() && this.#nesting.depth === 0;
  }

  #readBody(action: OpenAction, text: string, from: number): number {
    const next = action.read(text, from);
    const { closed } = action;
    if (closed !== undefined) this.#closeBody(action.tag, closed);
    return next;
  }

  /** Emits an action or a template, and reads what came behind its end. */
  #closeBody(tag: BodyTag, closed: ClosedAction): void {
    this.#action = undefined;
    this.#bodies.take(tag, closed, this.#nesting.depth > 0);
    if (closed.rest === '') return;
    this.#base = closed.restAt;
    this.#read(closed.rest);
  }

  #readComment(comment: OpenComment, text: string, from: number): number {
    const next = comment.read(text, from);
    if (comment.isClosed) this.#comment = undefined;
    return next;
  }

  #readAfter(text: string, from: number): number {
    if (this.#isAfterTold) return text.length;
    const at = text.slice(from).search(/\S/);
    if (at >= 0) {
      this.#isAfterTold = true;
      this.#remark(
        'after-final',
        'expected nothing after the final response; it is ignored',
        this.#base + from + at,
      );
    }
    return text.length;
  }

  #endTag(): void {
    const tag = this.#tag;
    this.#tag = undefined;
    if (tag !== undefined) this.#block.text(tag.held);
  }

  /** Reports what the end of the output left open. */
  #endPlace(): void {
    const at = this.#base;
    if (this.#action?.tag === 'action')
      this.#remark(
        'unclosed-action',
        'expected </action> before the end; the action is not executed',
        this.#action.offset,
      );
    if (this.#action?.tag === 'template')
      this.#remark('bad-template', 'expected </template> before the end', this.#action.offset);
    if (this.#comment !== undefined) this.#remark('unclosed-comment', 'expected --> before the end', at);
    const { unclosed } = this.#block;
    if (unclosed !== undefined) this.#remark(unclosed.code, unclosed.message, at);
    this.#block.end();
    this.#nesting.end(at);
  }

  #remark(code: DiagnosticCode, message: string, offset: number): void {
    this.#emit({ type: 'diagnostic', code, message, offset });
  }
}

/**
 * The events of a whole output.
 *
 * @example
 * parseSep('<thought>Hm</thought>'); // [{ type: 'thought', text: 'Hm' }]
 */
export function parseSep(
  chunks: string | Iterable<string | Uint8Array>,
  options?: SepParserOptions,
): SepEvent[] {
  const events: SepEvent[] = [];
  const parser = new SepParser((event) => events.push(event), options);
  for (const chunk of typeof chunks === 'string' ? [chunks] : chunks) parser.write(chunk);
  parser.end();
  return events;
}
