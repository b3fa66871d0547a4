/** Decodes Anthropic's response, event by event or whole; unknown events are ignored (LLM-C12). */
import { SseParser } from '../../../kit/base/index.ts';
import type { Json, JsonObject, SseEvent } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, LlmResponse, ResponseDecoder } from '../../messages.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import { isArray } from '../shared/body-reader.ts';
import { CallBlocks } from '../shared/call-blocks.ts';
import type { CallBlock } from '../shared/call-blocks.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { JsonTemplate } from '../shared/json-template.ts';
import { KeptBlock, keptForms } from './kept-blocks.ts';
import { errorType, knownEvents, stopReasonOf, streamError } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new MessageDecoder(limits);

/** Reads a response that is not streamed. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new MessageDecoder({}).readWhole(status, headers, bytes);

type OpenBlock =
  | { readonly kind: 'tool_use'; readonly kept: KeptBlock; readonly block: CallBlock }
  | { readonly kind: 'text' | 'thinking' | 'other'; readonly kept: KeptBlock };

class MessageDecoder extends HttpDecoder<SseEvent> {
  /** Blocks that are open, by index. */
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #calls = new CallBlocks(this.assembly);
  readonly #kept: KeptBlock[] = [];
  /** Recognizes the next delta of the block that had the last one. */
  readonly #template = new JsonTemplate();
  #learned: OpenBlock | undefined;
  #started = false;

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, (limit) => new SseParser(limit));
  }

  protected get terminal(): string {
    return 'message_stop';
  }

  protected override kept({ toolCalls }: LlmResponse): readonly JsonObject[] | undefined {
    return keptForms(this.#kept, toolCalls);
  }

  protected take(event: SseEvent): void {
    const [piece] = this.#template.match(event.data) ?? [];
    if (piece !== undefined && this.#learned !== undefined) this.#grow(this.#learned, piece);
    else this.#parse(event);
  }

  #parse(event: SseEvent): void {
    this.#template.forget();
    const data = parseJson(event.data);
    if (data === undefined && knownEvents.has(event.event)) {
      return this.refuse(`${event.event}: expected JSON; came ${excerpt(event.data)}`);
    }
    if (!isJsonObject(data)) return;
    this.#dispatch(typeof data['type'] === 'string' ? data['type'] : event.event, data, event.data);
  }

  #dispatch(type: string, data: JsonObject, source: string): void {
    switch (type) {
      case 'content_block_delta':
        return this.#delta(data, source);
      case 'content_block_start':
        return this.#open(data, source);
      case 'content_block_stop':
        return this.#close(data);
      case 'message_start':
        return this.#start(data['message']);
      case 'message_delta':
        return this.#messageDelta(data);
      case 'message_stop':
        return this.#stop();
      case 'error':
        return this.#error(data['error']);
      default:
    }
  }

  #start(message: Json | undefined): void {
    if (this.#started) return this.refuse('expected one message_start; came another');
    this.#started = true;
    if (!isJsonObject(message)) return;
    if (typeof message['model'] === 'string') this.assembly.model(message['model']);
    this.#usage(message['usage']);
  }

  #open({ index, content_block: block }: JsonObject, source: string): void {
    if (typeof index !== 'number' || !isJsonObject(block)) return this.#odd('content_block_start', index);
    if (this.#blocks.has(index)) return this.refuse(`block ${index} was opened twice`);
    this.#calls.next();
    this.#blocks.set(index, this.#opened(block, source));
  }

  #opened(block: JsonObject, source: string): OpenBlock {
    const { type, text, thinking, data, id, name } = block;
    const kept = new KeptBlock(block);
    this.#kept.push(kept);
    this.assembly.part(kept.isOwn ? source.length : 0);
    if (type === 'text') {
      if (typeof text === 'string') this.assembly.text(text);
      return { kind: 'text', kept };
    }
    if (type === 'thinking') {
      this.assembly.thought();
      if (typeof thinking === 'string') this.assembly.think(thinking);
      return { kind: 'thinking', kept };
    }
    if (type === 'redacted_thinking' && typeof data === 'string') this.assembly.redacted(data);
    if (type !== 'tool_use') return { kind: 'other', kept };
    if (typeof id !== 'string' || typeof name !== 'string') {
      this.assembly.warn('a tool_use block without id and name');
      return { kind: 'other', kept };
    }
    return { kind: 'tool_use', kept, block: this.#calls.open(id, name) };
  }

  #delta({ index, delta }: JsonObject, source: string): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (block === undefined || !isJsonObject(delta)) return this.#odd('content_block_delta', index);
    const key = pieceKeys[block.kind];
    const piece = key === undefined ? undefined : delta[key];
    if (key !== undefined && typeof piece === 'string') {
      this.#grow(block, piece);
      this.#template.learn(source, [key]);
      this.#learned = block;
      return;
    }
    if (block.kind === 'thinking' && typeof delta['signature'] === 'string')
      this.assembly.sign(delta['signature']);
    if (block.kind === 'other' || block.kind === 'text') this.assembly.part(source.length);
    block.kept.take(delta);
  }

  #grow(block: OpenBlock, piece: string): void {
    if (block.kind === 'tool_use') this.assembly.input(block.block.call, piece);
    else if (block.kind === 'text') this.assembly.text(piece);
    else this.assembly.think(piece);
    if (block.kind !== 'tool_use') block.kept.text += piece;
  }

  #close({ index }: JsonObject): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (typeof index !== 'number' || block === undefined) return this.#odd('content_block_stop', index);
    this.#blocks.delete(index);
    block.kept.closed = true;
    if (block.kind === 'tool_use') this.#calls.close(block.block);
  }

  #messageDelta({ delta, usage }: JsonObject): void {
    this.#usage(usage);
    if (isJsonObject(delta)) this.#stopReason(delta['stop_reason']);
  }

  #stop(): void {
    if (this.assembly.stopped === undefined) this.assembly.warn('message_stop without a stop reason');
    this.settle();
    this.over = true;
  }

  #error(error: Json | undefined): void {
    const { type, message } = isJsonObject(error) ? error : {};
    this.assembly.fail(
      streamError(
        typeof type === 'string' ? type : 'unknown',
        typeof message === 'string' ? message : 'an error without a message',
      ),
    );
  }

  /** "Cumulative, never add them." Counts of the cache are always sent; those of 0 are left out. */
  #usage(usage: Json | undefined): void {
    if (!isJsonObject(usage)) return;
    const details = usage['output_tokens_details'];
    this.assembly.usage({
      inputTokens: usage['input_tokens'],
      outputTokens: usage['output_tokens'],
      cacheReadTokens: usage['cache_read_input_tokens'] || undefined,
      cacheWriteTokens: usage['cache_creation_input_tokens'] || undefined,
      thinkingTokens: isJsonObject(details) ? details['thinking_tokens'] : undefined,
    });
  }

  #stopReason(word: Json | undefined): void {
    if (typeof word !== 'string') return;
    const reason = stopReasonOf(word);
    if (reason === undefined) this.assembly.warn(`unknown stop reason ${excerpt(word)}`);
    this.assembly.stop(reason ?? 'unknown');
    this.rawStop = word;
  }

  protected override settle(): void {
    this.#calls.settle();
  }

  #odd(type: string, index: Json | undefined): void {
    const came = typeof index === 'number' ? String(index) : 'no index';
    this.assembly.warn(`${type} is ignored: expected an open block; came ${came}`);
  }

  /** A whole message. At a limit the last call counts as cut: its `input` is an object in any case. */
  protected takeWhole(body: JsonObject, text: string): void {
    if (body['type'] !== 'message') return this.refuse(`expected a message; came ${excerpt(text)}`);
    if (typeof body['model'] === 'string') this.assembly.model(body['model']);
    this.#usage(body['usage']);
    this.#stopReason(body['stop_reason']);
    if (this.assembly.stopped === undefined) this.assembly.warn('the message has no stop reason');
    const blocks = isArray(body['content']) ? body['content'].filter((block) => isJsonObject(block)) : [];
    const fault = contentFault(text);
    for (const [i, block] of blocks.entries()) {
      this.#kept.push(new KeptBlock(block));
      if (block['type'] === 'tool_use')
        this.#wholeCall(block, fault, i === blocks.length - 1 && this.assembly.limited);
      else this.#wholeBlock(block);
    }
    for (const kept of this.#kept) kept.closed = true;
    this.over = true;
  }

  #wholeCall({ id, name, input }: JsonObject, fault: ArgumentsFault | undefined, cut: boolean): void {
    if (typeof id === 'string' && typeof name === 'string')
      this.assembly.given({ id, name }, input, fault, cut);
    else this.assembly.warn('a tool_use block without id and name');
  }

  #wholeBlock({ type, text, thinking, signature, data }: JsonObject): void {
    if (type === 'redacted_thinking' && typeof data === 'string') this.assembly.redacted(data);
    else if (type === 'text' && typeof text === 'string') this.assembly.text(text);
    else if (type === 'thinking' && typeof thinking === 'string') {
      this.assembly.thought();
      this.assembly.think(thinking);
      if (typeof signature === 'string' && signature !== '') this.assembly.sign(signature);
    }
  }

  protected errorText(body: unknown, text: string): ErrorText {
    const error = isJsonObject(body) ? body['error'] : undefined;
    if (!isJsonObject(error)) return { message: excerpt(text) };
    const { type, message } = error;
    return {
      ...(typeof type === 'string' ? { type: errorType(type) } : {}),
      message: typeof message === 'string' ? message : excerpt(text),
    };
  }
}

/** The key of the text in the deltas of each block. */
const pieceKeys: { readonly [K in OpenBlock['kind']]: string | undefined } = {
  text: 'text',
  thinking: 'thinking',
  tool_use: 'partial_json',
  other: undefined,
};
