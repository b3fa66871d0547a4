/**
 * The parts of one response as a decoder gathers them: text, thoughts, calls, usage and the end, with the rules of
 * all dialects (LLM-C01 to C20). The dialects only translate their words.
 */
import type {
  CallKind,
  Json,
  JsonObject,
  OpenCall,
  StopReason,
  ToolCall,
  Usage,
} from '../../../kit/base/index.ts';
import type { ClientError, Decoded, DecoderLimits, ResponseEvent, Thinking } from '../../messages.ts';
import { excerpt, readArguments } from './arguments.ts';
import type { ArgumentsFault } from './arguments.ts';

export const defaultLimits: DecoderLimits = { event: 1 << 20, response: 16 << 20 };

/** Most warnings that are kept: a peer could cause any number. */
const mostWarnings = 100;

/** The cost of a call, a thought or another part, in characters of the limit, besides its text. */
const partCost = 64;

/** A call whose arguments are coming. */
export interface PendingCall extends CallKind {
  readonly id: string;
  readonly name: string;
  /** Its arguments as far as they came. */
  partial: string;
}

/** The fate of a call whose arguments are complete: a call; refused, with a warning; or text that is not JSON. */
export type CallFate = 'call' | 'refused' | 'no-json';

/** Counts as a dialect sends them. Values that are not integers from 0 on are ignored. */
export type UsageCounts = { readonly [K in keyof Usage]?: unknown };

/** Gathers one response. */
export class Assembly {
  readonly #limit: number;
  #size = 0;
  #events: ResponseEvent[] = [];
  #content = '';
  readonly #thinking: { text: string; signature?: string; redacted?: string; details?: JsonObject[] }[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #emptyCalls: string[] = [];
  readonly #warnings: string[] = [];
  #usage: { -readonly [K in keyof Usage]?: number } = {};
  #stop: StopReason | undefined;
  #model: string | undefined;
  #open: OpenCall | undefined;
  #error: ClientError | undefined;

  /** @param limit - the most characters of text, thoughts and arguments together */
  constructor(limit: number = defaultLimits.response) {
    this.#limit = limit;
  }

  /** The error that ended the response, if any. */
  get error(): ClientError | undefined {
    return this.#error;
  }

  /** The events since the last drain. */
  drain(): readonly ResponseEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** More of the answer's text. */
  text(piece: string): void {
    if (piece === '' || !this.#charge(piece.length)) return;
    this.#content += piece;
    this.#events.push({ type: 'text', text: piece });
  }

  /** A thought begins. */
  thought(): void {
    if (this.#charge(partCost)) this.#thinking.push({ text: '' });
  }

  /** More of the latest thought; begins the first one. */
  think(piece: string): void {
    if (piece === '') return;
    if (this.#thinking.length === 0) this.thought();
    const last = this.#thinking.at(-1);
    if (last === undefined || !this.#charge(piece.length)) return;
    last.text += piece;
    this.#events.push({ type: 'thinking', text: piece });
  }

  /** The signature of the latest thought. */
  sign(signature: string): void {
    const last = this.#thinking.at(-1);
    if (last !== undefined && this.#charge(signature.length)) last.signature = signature;
  }

  /** A part of the latest thought, in the form in which it goes back. */
  detail(detail: JsonObject): void {
    const last = this.#thinking.at(-1);
    if (last !== undefined && this.#charge(partCost + JSON.stringify(detail).length))
      (last.details ??= []).push(detail);
  }

  /** A thought that is not shown: its encrypted text. */
  redacted(data: string): void {
    if (this.#charge(partCost + data.length)) this.#thinking.push({ text: '', redacted: data });
  }

  /**
   * A part begins. It costs something, so that an endless run of empty parts reaches the limit.
   *
   * @param characters - its length, where the dialect keeps its text
   */
  part(characters = 0): void {
    this.#charge(partCost + characters);
  }

  /** The start of a call. */
  call(id: string, name: string, kind: CallKind = {}): PendingCall {
    const call = { id, name, ...kind };
    if (this.#charge(partCost + id.length + name.length)) this.#events.push({ type: 'tool_start', ...call });
    return { ...call, partial: '' };
  }

  /** More of a call's arguments. */
  input(call: PendingCall, piece: string): void {
    if (piece === '' || !this.#charge(piece.length)) return;
    call.partial += piece;
    this.#events.push({ type: 'tool_input', id: call.id, partial: piece });
  }

  /**
   * The arguments of a call are complete, by the dialect's word. Text that is not JSON may have been cut; the caller
   * decides between {@link Assembly.cut} and a warning. The text of a custom call is its input, whatever it is.
   */
  whole(call: PendingCall): CallFate {
    if (this.#error !== undefined) return 'refused';
    const { partial, ...named } = call;
    if (call.custom === true) return this.#keep({ ...named, input: partial });
    const read = readArguments(partial);
    if (read.ok) return this.#keep({ ...named, input: read.value });
    if (read.error.kind === 'no-json') return 'no-json';
    this.warn(`call ${excerpt(call.name)} is refused: ${read.error.message}`);
    return 'refused';
  }

  #keep(call: ToolCall): CallFate {
    this.#calls.push(call);
    this.#events.push({ type: 'tool_call', ...call });
    return 'call';
  }

  /**
   * A call whose arguments came as a value. It counts if that is an object, and the text that it was parsed from has
   * no fault. With `cut`, a limit may have cut it.
   */
  given(
    name: { readonly id: string; readonly name: string } & CallKind,
    input: Json | undefined,
    fault: ArgumentsFault | undefined,
    cut = false,
  ): void {
    const { id, name: called, ...kind } = name;
    const call = this.call(id, called, kind);
    if (fault !== undefined) return this.warn(`call ${excerpt(call.name)} is refused: ${fault.message}`);
    this.input(call, JSON.stringify(input ?? null));
    if (cut) this.cut(call);
    else this.whole(call);
  }

  /** A call whose arguments came as no text at all, and whose response says tool use: its input is `{}`. */
  withoutArguments(call: PendingCall): void {
    this.input(call, '{}');
    if (this.whole(call) === 'call') this.#emptyCalls.push(call.id);
  }

  /** The end of the response cut this call: it must not run (LLM-C01). */
  cut(call: PendingCall): void {
    this.#open = { ...call };
  }

  /** Warns of a tolerated fault. */
  warn(message: string): void {
    if (this.#warnings.length >= mostWarnings) return;
    this.#warnings.push(message);
    this.#events.push({ type: 'warning', message });
  }

  /** The model, as the provider named it. */
  model(name: string): void {
    this.#model = name;
  }

  /** Counts so far: each replaces the earlier count, and nothing is added up (LLM-C13). */
  usage(counts: UsageCounts): void {
    const usage: { -readonly [K in keyof Usage]?: number } = { ...this.#usage };
    for (const key of usageKeys) {
      const count = counts[key];
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) usage[key] = count;
    }
    this.#usage = usage;
    const known = this.#known();
    if (known !== undefined) this.#events.push({ type: 'usage', usage: known });
  }

  /** Why the response ended. Of two words the later counts, except that a limit stays a limit (LLM-C04). */
  stop(reason: StopReason): void {
    if (this.#stop !== undefined && this.#stop !== reason) {
      this.warn(`two stop reasons: ${this.#stop}, then ${reason}`);
      if (this.limited) return;
    }
    this.#stop = reason;
    this.#events.push({ type: 'stop', reason });
  }

  /** Ends the response with an error. The first error counts. */
  fail(error: ClientError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#events.push({ type: 'error', error });
  }

  /** Refuses bytes that are not a response of the dialect. */
  refuse(message: string): void {
    this.fail({ kind: 'protocol', message, retryable: false });
  }

  /** Whether the output limit, or the context's, is why the response ended. */
  get limited(): boolean {
    return this.#stop === 'max_tokens' || this.#stop === 'context_window';
  }

  /** The reason that counts so far. */
  get stopped(): StopReason | undefined {
    return this.#stop;
  }

  /** The decoded response. */
  decoded(): Decoded {
    const usage = this.#known();
    const thinking: readonly Thinking[] = this.#thinking;
    const response = {
      content: this.#content,
      toolCalls: this.#calls,
      metadata: {
        ...(usage === undefined ? {} : { usage }),
        stopReason: this.#error === undefined ? (this.#stop ?? 'unknown') : ('error' as const),
        ...(this.#model === undefined ? {} : { modelInfo: this.#model }),
      },
      ...(this.#open === undefined ? {} : { open: this.#open }),
      ...(thinking.length === 0 ? {} : { thinking }),
      ...(this.#emptyCalls.length === 0 ? {} : { emptyCalls: this.#emptyCalls }),
      warnings: this.#warnings,
    };
    return this.#error === undefined ? { response } : { response, error: this.#error };
  }

  #known(): Usage | undefined {
    const { inputTokens, outputTokens, ...others } = this.#usage;
    if (inputTokens === undefined && outputTokens === undefined) return undefined;
    return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...others };
  }

  #charge(characters: number): boolean {
    if (this.#error !== undefined) return false;
    this.#size += characters;
    if (this.#size <= this.#limit) return true;
    this.refuse(`expected at most ${this.#limit} characters in a response; came more`);
    return false;
  }
}

const usageKeys = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'thinkingTokens',
] as const;

/** The error of a body that ended before the dialect's terminal (LLM-C06). */
export function endedEarly(how: 'clean' | 'reset', terminal: string): ClientError {
  return how === 'reset'
    ? { kind: 'connection', message: `the connection was reset before ${terminal}`, retryable: true }
    : {
        kind: 'truncated-stream',
        message: `expected ${terminal}; the body ended without it`,
        retryable: true,
      };
}
