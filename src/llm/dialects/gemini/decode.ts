/**
 * Decodes `GenerateContentResponse`, chunk by chunk or whole. A stream has no terminal of its own: it is over at the end of
 * its body, and well where a finish reason, or the feedback of a blocked prompt, has come. Older models put STOP on every
 * chunk.
 */
import { SseParser } from '../../../kit/base/index.ts';
import type { Json, JsonObject, SseEvent } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, LlmResponse, ResponseDecoder } from '../../messages.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorIn, errorText, streamError, waitOf } from './errors.ts';
import { KeptParts } from './kept-parts.ts';
import { PartialArguments } from './partial-arguments.ts';
import { readUsage } from './usage.ts';
import { stopReasonOf } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new ChunkDecoder(limits);

/** Reads a response that is not streamed: one response, a list of chunks, or an error by its status. */
export function readWhole(status: number, headers: HeaderFields, bytes: Uint8Array): Decoded {
  const read = new ChunkDecoder({}).readWhole(status, headers, bytes);
  const { error } = read;
  if (error?.kind !== 'provider' || error.retryAfterMs !== undefined) return read;
  const body = errorIn(parseJson(new TextDecoder().decode(bytes)));
  return body === undefined ? read : { ...read, error: { ...error, ...waitOf(body) } };
}

/** A call whose arguments stream. */
interface StreamedCall {
  readonly call: PendingCall;
  readonly args: PartialArguments;
}

class ChunkDecoder extends HttpDecoder<SseEvent> {
  #calls = 0;
  #open: StreamedCall | undefined;
  #thinking = false;
  readonly #kept = new KeptParts();

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, (limit) => new SseParser(limit));
  }

  protected get terminal(): string {
    return 'a finishReason';
  }

  /** After a finish reason, nothing has to come. */
  override end(how: 'clean' | 'reset'): Decoded {
    if (this.assembly.stopped !== undefined) this.over = true;
    return super.end(how);
  }

  protected override kept({ toolCalls }: LlmResponse): readonly JsonObject[] | undefined {
    return this.#kept.list(toolCalls);
  }

  protected take({ data }: SseEvent): void {
    const chunk = parseJson(data);
    if (isJsonObject(chunk)) this.#chunk(chunk, data);
    else this.refuse(`expected chunks of JSON; came ${excerpt(data)}`);
  }

  protected takeWhole(body: JsonObject, text: string): void {
    this.#chunk(body, text);
  }

  protected override takeList(list: readonly Json[], text: string): void {
    for (const chunk of list) if (isJsonObject(chunk) && !this.done) this.#chunk(chunk, text);
  }

  protected errorText(body: unknown, text: string): ErrorText {
    return errorText(body, text);
  }

  /** Takes a chunk; `text` is its JSON. */
  #chunk(chunk: JsonObject, text: string): void {
    const { candidates, promptFeedback: feedback, usageMetadata: usage, modelVersion: model } = chunk;
    const error = errorIn(chunk);
    if (error !== undefined) return this.fail(streamError(error));
    if (typeof model === 'string' && model !== '') this.assembly.model(model);
    if (isArray(candidates)) for (const candidate of candidates) this.#candidate(candidate, text);
    if (isJsonObject(usage)) this.assembly.usage(readUsage(usage));
    if (isJsonObject(feedback)) this.#feedback(feedback);
  }

  /** A blocked prompt has no candidates. */
  #feedback({ blockReason: word }: JsonObject): void {
    if (typeof word !== 'string' || word === 'BLOCKED_REASON_UNSPECIFIED') return;
    this.rawStop ??= word;
    this.assembly.stop('content_filter');
  }

  #candidate(candidate: Json, text: string): void {
    // Requests never ask for more candidates than the first.
    if (!isJsonObject(candidate) || (candidate['index'] ?? 0) !== 0) return;
    const { content, finishReason: word } = candidate;
    const parts = isJsonObject(content) ? content['parts'] : undefined;
    if (isArray(parts)) {
      const calls = parts.some((part) => isJsonObject(part) && 'functionCall' in part);
      const fault = calls ? contentFault(text) : undefined;
      for (const part of parts) if (isJsonObject(part)) this.#part(part, fault);
    }
    if (typeof word === 'string' && word !== '') this.#finish(word);
  }

  #part(part: JsonObject, fault: ArgumentsFault | undefined): void {
    const { text, thought, functionCall, thoughtSignature } = part;
    const signature = typeof thoughtSignature === 'string' ? thoughtSignature : undefined;
    if (isJsonObject(functionCall)) return this.#function(functionCall, signature, fault);
    if (typeof text !== 'string') return this.#own(part);
    this.#kept.text(text, thought === true, signature);
    if (thought === true) this.#thought(text, signature);
    else {
      this.#thinking &&= text === '';
      this.assembly.text(text);
      // The signature of an answer without calls is on its last part.
      if (signature !== undefined) this.assembly.sign(signature);
    }
  }

  /** A part of the provider's own goes back as it came. */
  #own(part: JsonObject): void {
    const isData = Object.keys(part).some((name) => name !== 'thought' && name !== 'thoughtSignature');
    this.assembly.part(isData ? JSON.stringify(part).length : 0);
    if (isData) this.#kept.own(part);
  }

  /** Thoughts after other content, or after a signature, are a new thought. */
  #thought(text: string, signature: string | undefined): void {
    if (!this.#thinking) this.assembly.thought();
    this.#thinking = true;
    this.assembly.think(text);
    if (signature === undefined) return;
    this.assembly.sign(signature);
    this.#thinking = false;
  }

  /** A call comes whole, or its name first, then its arguments by path, and at last a part that does not continue. */
  #function(made: JsonObject, signature: string | undefined, fault: ArgumentsFault | undefined): void {
    const { name, partialArgs, willContinue } = made;
    this.#thinking = false;
    if (typeof name === 'string' && name !== '' && !this.#isOpen(made)) this.#begin(made, signature, fault);
    else if (this.#open === undefined && partialArgs !== undefined)
      this.assembly.warn('partial arguments are ignored: no call is open');
    if (this.#open === undefined) return;
    if (isArray(partialArgs)) this.#partial(this.#open, partialArgs, fault);
    if (willContinue !== true) this.#close();
  }

  /** Whether a part belongs to the open call: some servers repeat its name on each part. */
  #isOpen({ id, name, args, partialArgs, willContinue }: JsonObject): boolean {
    const call = this.#open?.call;
    if (call === undefined || call.name !== name || args !== undefined) return false;
    return (id ?? call.id) === call.id && (partialArgs !== undefined || willContinue !== true);
  }

  /** Calls without an id are numbered. */
  #begin(made: JsonObject, signature: string | undefined, fault: ArgumentsFault | undefined): void {
    const { args, partialArgs, willContinue } = made;
    this.#calls++;
    if (this.#open !== undefined) this.#drop(this.#open, 'another call began');
    const id = textIn(made['id']) || `call_${this.#calls}`;
    const name = textIn(made['name']);
    const kind = signature === undefined ? {} : { signature };
    this.#kept.call(id);
    if (partialArgs === undefined && willContinue !== true)
      return this.assembly.given({ id, name, ...kind }, args ?? {}, fault);
    this.#open = { call: this.assembly.call(id, name, kind), args: new PartialArguments() };
  }

  #partial({ args }: StreamedCall, list: readonly Json[], fault: ArgumentsFault | undefined): void {
    for (const entry of list) {
      this.assembly.part(isJsonObject(entry) ? textIn(entry['stringValue']).length : 0);
      args.take(entry);
    }
    if (fault !== undefined) args.refuse(fault.message);
  }

  /** The open call is complete, by the provider's word. */
  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { call, args } = open;
    if (args.fault !== undefined) return this.#drop(open, args.fault);
    this.assembly.input(call, JSON.stringify(args.object()));
    this.assembly.whole(call);
  }

  #drop({ call }: StreamedCall, why: string): void {
    this.assembly.warn(`call ${excerpt(call.name)} is refused: ${why}`);
  }

  #finish(word: string): void {
    this.rawStop = word;
    const reason = stopReasonOf(word, this.#calls > 0);
    if (reason === undefined || reason === 'unknown')
      this.assembly.warn(`expected a finishReason that names the end; came ${excerpt(word)}`);
    this.assembly.stop(reason ?? 'unknown');
  }

  /** A call that is open at the end was cut, whatever the finish reason says (LLM-C01, LLM-C05). */
  protected override settle(): void {
    if (this.#open === undefined) return;
    const { call, args } = this.#open;
    this.assembly.cut({ ...call, partial: args.openText() });
    if (this.assembly.error === undefined && !this.assembly.limited)
      this.assembly.warn(`call ${excerpt(call.name)} was cut, despite the finish reason`);
  }
}
