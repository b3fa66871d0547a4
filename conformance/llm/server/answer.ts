/**
 * One answer in any dialect: its sum, its end, its counts; and the facts about answers that an event shows. Readers of
 * dialects fill both in before any rule looks.
 */
import type { LlmRequest } from '../../../src/llm/index.ts';

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

/** One fact. */
export type Fact =
  /** About a row that only the reader of a dialect can judge. */
  | { readonly type: 'exercised'; readonly row: string }
  | { readonly type: 'violated' | 'unknowable'; readonly row: string; readonly message: string }
  /** The terminal of an answer came: the answer is what was told in sum. */
  | { readonly type: 'terminal'; readonly answer: Answer }
  /** An error ended an answer: in mid-stream, or instead of it; `fault`: what is wrong with its form. */
  | { readonly type: 'error'; readonly begun: boolean; readonly fault: string | undefined }
  /** Something came after the end of an answer: another terminal, or anything else. */
  | { readonly type: 'late'; readonly terminal: boolean; readonly what: string }
  /** The body, or the channel, is over: in order, or lost. */
  | { readonly type: 'over'; readonly inOrder: boolean; readonly ended: Answer['ended'] }
  /** A counting endpoint counted a prompt. */
  | { readonly type: 'count'; readonly prompt: string; readonly tokens: number };

/** Violations of one row that are told of one answer: one fault has many echoes. */
const violationsKept = 3;

/** Takes the facts of one exchange down, an event at a time. */
export class Facts {
  #now: Fact[] = [];
  readonly #violated = new Map<string, number>();

  /** The row was put to the test, and kept. */
  exercised(row: string): void {
    if (!this.#now.some((fact) => 'row' in fact && fact.row === row))
      this.#now.push({ type: 'exercised', row });
  }

  /** The row was violated. */
  violated(row: string, message: string): void {
    this.#once(row, { type: 'violated', row, message });
  }

  /** Nothing can be said of the row any more. */
  unknowable(row: string, message: string): void {
    this.#now.push({ type: 'unknowable', row, message });
  }

  /** Something that a rule judges; `row` is the one that it violates, if it does. */
  add(fact: Fact, row?: string): void {
    if (row === undefined) this.#now.push(fact);
    else this.#once(row, fact);
  }

  #once(row: string, fact: Fact): void {
    const times = (this.#violated.get(row) ?? 0) + 1;
    this.#violated.set(row, times);
    if (times <= violationsKept) this.#now.push(fact);
  }

  /** Whether a reader found the row violated before. */
  hasViolated(row: string): boolean {
    return this.#violated.has(row);
  }

  /** The facts since they were taken last. */
  take(): readonly Fact[] {
    const taken = this.#now;
    this.#now = [];
    return taken;
  }
}

/** A value that is text; any other counts as absent. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A value in a message: short, as JSON. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}
