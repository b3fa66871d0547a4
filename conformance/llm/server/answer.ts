/** One answer, whatever its dialect: what it told in sum, how it ended, what it counted. Readers of dialects enter it. */
import type { LlmRequest } from '../../../src/llm/index.ts';
import { Facts } from './facts.ts';

/** What a dialect's word for the end of an answer means, as far as truth goes. */
export type StopKind =
  /** The output limit was reached. */
  | 'limit'
  /** Tools are called. */
  | 'tool'
  /** The model had no more to say. */
  | 'end'
  /** Another reason, which may be true at the limit, too. */
  | 'other'
  /** A word that the dialect does not have, or none. */
  | 'unknown';

/** The usage of an answer. Values that are not numbers are kept as received. */
export interface Counts {
  readonly input?: unknown;
  readonly output?: unknown;
}

/** A call: its arguments as JSON text. */
export interface Called {
  text: string;
  /** Whether the dialect said that it is complete. */
  complete: boolean;
}

/** Characters of the last content that are kept. */
const tailKept = 8;
/** Most characters of arguments that are kept for one answer. */
const argumentsKept = 4 << 20;
/** Most calls of one answer that are kept. */
const callsKept = 1000;

/** See the file's head. */
export class Answer {
  readonly facts: Facts;
  readonly request: LlmRequest | undefined;
  /** Names its prompt, for the count of the same prompt. */
  readonly prompt: string;
  /** Whether the answer has to tell its usage. */
  usageOwed = true;
  /** Undefined before any count came; later counts replace earlier ones. */
  counts: Counts | undefined;
  /** The stop word and what it means; undefined before it came. */
  stop: { readonly word: unknown; readonly kind: StopKind } | undefined;
  /** Bytes of text, thoughts and arguments. */
  size = 0;
  /** The last characters of text and thoughts. */
  tail = '';
  readonly calls: Map<string, Called> = new Map();
  /** How it ended by its own word; undefined while it goes on. */
  ended: 'terminal' | 'error' | undefined;
  #argumentsSize = 0;
  #over = false;

  /** @param facts - where the facts of several answers come together */
  constructor(request: LlmRequest | undefined, facts: Facts = new Facts(), prompt = '') {
    this.request = request;
    this.facts = facts;
    this.prompt = prompt;
  }

  /** The arguments of a call as far as they came. */
  argumentsOf(key: string): string {
    return this.calls.get(key)?.text ?? '';
  }

  /** More of the content: text, or thoughts. */
  said(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    this.weighs(text);
    this.tail = (this.tail + text.slice(-tailKept)).slice(-tailKept);
  }

  /** Content that is kept elsewhere. */
  weighs(text: unknown): void {
    if (typeof text === 'string') this.size += Buffer.byteLength(text);
  }

  /** More of the arguments of a call. */
  argued(key: string, text: string): void {
    this.weighs(text);
    this.#argumentsSize += text.length;
    const call = this.#call(key);
    if (this.#argumentsSize <= argumentsKept) call.text += text;
    else call.complete = false;
  }

  /** A call began. */
  called(key: string): void {
    this.#call(key);
  }

  /** A call is complete, in the dialect's way; `text`: its arguments, where they come at once. */
  completed(key: string, text?: string): void {
    const call = this.#call(key);
    if (text !== undefined) {
      call.text = '';
      this.argued(key, text);
    }
    if (this.#argumentsSize <= argumentsKept) call.complete = true;
    else this.facts.unknowable('LLM-S11', `more than ${argumentsKept} characters of arguments are not kept`);
  }

  /** A call is complete whose arguments came piece by piece before: in all they are `text`. */
  finished(key: string, text: string): void {
    this.#call(key).text = '';
    this.#argumentsSize += text.length;
    this.completed(key);
    this.#call(key).text = text;
  }

  #call(key: string): Called {
    const call = this.calls.get(key) ?? { text: '', complete: false };
    if (this.calls.size < callsKept) this.calls.set(key, call);
    else if (!this.calls.has(key))
      this.facts.unknowable('LLM-S11', `more than ${callsKept} calls are not kept`);
    return call;
  }

  /** Counts came. */
  counted(counts: Counts): void {
    this.counts = { ...this.counts, ...counts };
  }

  /** The stop word came. */
  stops(word: unknown, kind: StopKind): void {
    this.stop = { word, kind };
  }

  /** Something of the answer came after its end: another terminal, or anything else. */
  late(what: string, terminal: boolean): void {
    this.facts.add({ type: 'late', terminal, what }, terminal ? 'LLM-S02' : 'LLM-S03');
  }

  /** An error ends it; `fault`: what is wrong with its form, `begun`: whether there was a stream before. */
  failed(fault: string | undefined, begun: boolean): void {
    this.ended = 'error';
    const row = begun ? 'LLM-S14' : 'LLM-S17';
    this.facts.add({ type: 'error', begun, fault }, fault === undefined ? undefined : row);
  }

  /** Its terminal came. */
  terminal(): void {
    this.ended = 'terminal';
    this.facts.add({ type: 'terminal', answer: this });
  }

  /** The body, or the channel, is over: in order or not. */
  over(inOrder: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.facts.add({ type: 'over', inOrder, ended: this.ended });
  }
}
