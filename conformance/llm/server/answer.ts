/**
 * An answer in any dialect, with its size, end and counts, and the facts that an event shows about answers. The
 * dialects' readers fill in both before a rule sees the event.
 */
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { LlmRequest } from '../../../src/llm/index.ts';
import type { AnswerCall, Counts, StopKind } from './answer-parts.ts';
import { Identities } from './identities.ts';
import type { CallIdentity } from './identities.ts';
import { prompts } from './prompts.ts';
import { WrittenText } from './written-text.ts';

/** The number of last characters of the content that are kept. */
const tailKept = 8;
/** The most characters of arguments that are kept of one answer. */
const argumentsKept = 4 << 20;
/** The most calls of one answer that are kept. */
const callsKept = 1000;

/** An answer in any dialect. */
export class Answer {
  readonly facts: Facts;
  readonly request: LlmRequest | undefined;
  /** The key of its prompt, to find the count of the same prompt. */
  readonly prompt: string;
  /** The body of the request. */
  readonly asked: unknown;
  /** When its request was sent. Undefined on a WebSocket. */
  since: Moment | undefined;
  /** Whether it has to follow the Open Responses specification. */
  followsOpenResponses = false;
  /** Whether the answer must contain its usage. */
  usageOwed = true;
  /** Undefined before the first count. Later counts replace earlier ones. */
  counts: Counts | undefined;
  /** The stop word and its meaning. Undefined before it came. */
  stop: { readonly word: unknown; readonly kind: StopKind } | undefined;
  /** Bytes of text, thoughts and arguments. */
  size = 0;
  /** The last characters of text and thoughts. */
  tail = '';
  readonly calls: Map<string, AnswerCall> = new Map();
  /** How it ended. Undefined before a terminal or an error. */
  ended: 'terminal' | 'error' | undefined;
  #argumentsSize = 0;
  /** The ids and names of calls. */
  readonly #identities: Identities;
  /** Text and thoughts, as a reader sees them. */
  readonly written: WrittenText = new WrittenText();
  #over = false;

  /** @param facts - collects the facts; several answers may share one */
  constructor(request: LlmRequest | undefined, facts: Facts = new Facts(), prompt = '', asked?: unknown) {
    this.request = request;
    this.facts = facts;
    this.prompt = prompt;
    this.asked = asked;
    this.#identities = new Identities(request, (message) => this.facts.violated('LLM-S20', message));
  }

  /** The number of calls that the kit's prompt wants in one answer. */
  get callsWanted(): number {
    return JSON.stringify(this.request?.messages ?? []).includes(prompts.weather) ? 2 : 1;
  }

  /** Whether the answer has as many calls as the kit's prompt wants. */
  get hasCalls(): boolean {
    return this.calls.size >= this.callsWanted;
  }

  /** The received arguments of a call. */
  argumentsOf(key: string): string {
    return this.calls.get(key)?.text ?? '';
  }

  /** Adds text or thoughts. */
  addContent(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    this.addSize(text);
    this.written.add(text);
    this.tail = (this.tail + text.slice(-tailKept)).slice(-tailKept);
  }

  /** Adds the size of content that is not kept here. */
  addSize(text: unknown): void {
    if (typeof text === 'string') this.size += Buffer.byteLength(text);
  }

  /** Adds a piece of a call's arguments. */
  addArguments(key: string, text: string): void {
    this.addSize(text);
    this.written.addArguments(text);
    this.#argumentsSize += text.length;
    const call = this.#call(key);
    if (this.#argumentsSize <= argumentsKept) call.text += text;
    else call.complete = false;
  }

  /** @param custom - whether it calls a custom tool */
  beginCall(key: string, custom = false): void {
    this.#call(key).custom ||= custom;
  }

  /** Judges the identity of a call: LLM-S20. */
  identifyCall(call: CallIdentity): void {
    this.#identities.take(call);
  }

  /** Marks a call as complete. @param text - its arguments, when they come in one piece */
  completeCall(key: string, text?: string): void {
    const call = this.#call(key);
    if (text !== undefined) {
      call.text = '';
      this.addArguments(key, text);
    }
    if (this.#argumentsSize <= argumentsKept) call.complete = true;
    else this.facts.unknowable('LLM-S11', `more than ${argumentsKept} characters of arguments are not kept`);
  }

  /** Marks a call as complete whose arguments came in pieces before. @param text - all of its arguments */
  completeStreamedCall(key: string, text: string): void {
    this.#call(key).text = '';
    this.#argumentsSize += text.length;
    this.completeCall(key);
    this.#call(key).text = text;
  }

  #call(key: string): AnswerCall {
    const call = this.calls.get(key) ?? { text: '', complete: false, custom: false };
    if (this.calls.size < callsKept) this.calls.set(key, call);
    else if (!this.calls.has(key))
      this.facts.unknowable('LLM-S11', `more than ${callsKept} calls are not kept`);
    return call;
  }

  /** Takes counts of a usage. */
  addCounts(counts: Counts): void {
    this.counts = { ...this.counts, ...counts };
  }

  /** Takes the stop word. */
  setStop(word: unknown, kind: StopKind): void {
    this.stop = { word, kind };
  }

  /** Notes an empty stop word before the end of the answer. SDKs read over it: LLM-S23. */
  addEmptyStop(path: string): void {
    this.facts.violated(
      'LLM-S23',
      `expected ${path} to be null, or missing, before the end of the answer; came ""`,
    );
  }

  /** Notes an event after the end of the answer: another terminal, or anything else. */
  addLateEvent(what: string, terminal: boolean): void {
    this.facts.add({ type: 'late', terminal, what }, terminal ? 'LLM-S02' : 'LLM-S03');
  }

  /**
   * Ends the answer with an error.
   *
   * @param fault - the fault of the error's form
   * @param begun - whether the stream had begun
   */
  endWithError(fault: string | undefined, begun: boolean): void {
    this.ended = 'error';
    const row = begun ? 'LLM-S14' : 'LLM-S17';
    this.facts.add({ type: 'error', begun, fault }, fault === undefined ? undefined : row);
  }

  /** Ends the answer with its terminal. */
  endWithTerminal(): void {
    this.ended = 'terminal';
    if (this.hasCalls && this.#identities.seen) this.facts.exercised('LLM-S20');
    this.facts.add({ type: 'terminal', answer: this });
  }

  /**
   * Ends the body or the channel, cleanly or not.
   *
   * @param last - the status and the last unit, for a message
   * @param why - the reason of an end that is not clean
   */
  endBody(inOrder: boolean, last?: string, why = ''): void {
    if (this.#over) return;
    this.#over = true;
    this.facts.add({
      type: 'over',
      inOrder,
      ended: this.ended,
      ...(last === undefined ? {} : { last }),
      ...(this.since === undefined ? {} : { since: this.since }),
      why,
    });
  }
}

/** A fact about an answer, for rules. */
export type Fact =
  /** A judgement that only the reader of a dialect can make. */
  | { readonly type: 'exercised'; readonly row: string }
  | { readonly type: 'violated' | 'unknowable'; readonly row: string; readonly message: string }
  /** The terminal of an answer came. The answer contains everything before it. */
  | { readonly type: 'terminal'; readonly answer: Answer }
  /** An error ended an answer, or came instead of it. `fault` is the fault of the error's form. */
  | { readonly type: 'error'; readonly begun: boolean; readonly fault: string | undefined }
  /** Another terminal, or anything else, came after the end of an answer. */
  | { readonly type: 'late'; readonly terminal: boolean; readonly what: string }
  /** The body or the channel ended, cleanly or not. */
  | {
      readonly type: 'over';
      readonly inOrder: boolean;
      readonly ended: Answer['ended'];
      /** The status and the last unit. */
      readonly last?: string;
      /** The reason of an end that is not clean. */
      readonly why: string;
      /** When it was asked for. */
      readonly since?: Moment;
    }
  /** The client left in the middle of an answer. */
  | { readonly type: 'left'; readonly since: Moment }
  /** The witness counts the answers that the server generates. */
  | { readonly type: 'running'; readonly running: number }
  /** A counting endpoint counted a prompt. */
  | { readonly type: 'count'; readonly prompt: string; readonly tokens: number };

/** The most violations of one requirement that are reported for one answer. One fault causes many. */
const violationsKept = 3;

/** Collects the facts of one exchange, event by event. */
export class Facts {
  #now: Fact[] = [];
  readonly #violated = new Map<string, number>();

  /** The requirement was exercised. */
  exercised(row: string): void {
    if (!this.#now.some((fact) => 'row' in fact && fact.row === row))
      this.#now.push({ type: 'exercised', row });
  }

  /** The requirement was violated. */
  violated(row: string, message: string): void {
    this.#once(row, { type: 'violated', row, message });
  }

  /** The requirement cannot be judged from now on. */
  unknowable(row: string, message: string): void {
    this.#now.push({ type: 'unknowable', row, message });
  }

  /** Adds a fact. @param row - the requirement that it violates */
  add(fact: Fact, row?: string): void {
    if (row === undefined) this.#now.push(fact);
    else this.#once(row, fact);
  }

  #once(row: string, fact: Fact): void {
    const times = (this.#violated.get(row) ?? 0) + 1;
    this.#violated.set(row, times);
    if (times <= violationsKept) this.#now.push(fact);
  }

  /** Whether the requirement was violated before. */
  hasViolated(row: string): boolean {
    return this.#violated.has(row);
  }

  /** Returns the facts since the last call. */
  take(): readonly Fact[] {
    const taken = this.#now;
    this.#now = [];
    return taken;
  }
}
