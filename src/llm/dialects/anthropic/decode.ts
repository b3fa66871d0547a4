/** Decodes Anthropic's streamed response, event by event; what is no event of it is read over (LLM-C12). */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder, ResponseEvent } from '../../messages.ts';
import { excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import { Assembly, defaultLimits, endedEarly } from '../shared/assembly.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { JsonTemplate } from '../shared/json-template.ts';
import { SseParser } from '../../../kit/base/index.ts';
import type { SseEvent } from '../../../kit/base/index.ts';
import { takeStop, takeUsage } from './message.ts';
import { streamError } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new MessageDecoder({ ...defaultLimits, ...limits });

interface ToolBlock {
  readonly kind: 'tool_use';
  readonly call: PendingCall;
  closed: boolean;
}

type OpenBlock = ToolBlock | { readonly kind: 'text' | 'thinking' | 'other' };

class MessageDecoder implements ResponseDecoder {
  readonly #sse: SseParser;
  readonly #limits: DecoderLimits;
  readonly #assembly: Assembly;
  /** Blocks that were opened and not closed, by index. */
  readonly #blocks = new Map<number, OpenBlock>();
  /** Calls that are not whole, though perhaps closed; only the one that comes last can have been cut. */
  readonly #unsettled = new Set<ToolBlock>();
  #lastBlock: OpenBlock | undefined;
  /** Knows the next delta of the block that had the last one. */
  readonly #template = new JsonTemplate();
  #learned: OpenBlock | undefined;
  #started = false;
  #done = false;
  #rawStop: string | undefined;

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
    this.#sse = new SseParser(limits.event);
    this.#assembly = new Assembly(limits.response);
  }

  get done(): boolean {
    return this.#done;
  }

  get rawStop(): string | undefined {
    return this.#rawStop;
  }

  push(chunk: Uint8Array): readonly ResponseEvent[] {
    if (this.#done) return [];
    for (const event of this.#sse.push(chunk)) {
      this.#take(event);
      if (this.#done) break;
    }
    if (!this.#done && this.#sse.overflowed) {
      this.#assembly.refuse(`expected events of at most ${this.#limits.event} characters; came a larger one`);
      this.#done = true;
    }
    return this.#assembly.drain();
  }

  end(how: 'clean' | 'reset'): Decoded {
    if (!this.#done) this.#assembly.fail(endedEarly(how, 'message_stop'));
    this.#done = true;
    this.#settle();
    return this.#assembly.decoded();
  }

  #take(event: SseEvent): void {
    const [piece] = this.#template.match(event.data) ?? [];
    if (piece !== undefined && this.#learned !== undefined) this.#grow(this.#learned, piece);
    else this.#parse(event);
    if (this.#assembly.error !== undefined) this.#done = true;
  }

  #parse(event: SseEvent): void {
    this.#template.forget();
    const data = parseJson(event.data);
    if (data === undefined && known.has(event.event)) {
      return this.#refuse(`${event.event}: expected JSON; came ${excerpt(event.data)}`);
    }
    if (!isJsonObject(data)) return;
    this.#dispatch(typeof data['type'] === 'string' ? data['type'] : event.event, data, event.data);
  }

  #dispatch(type: string, data: JsonObject, source: string): void {
    switch (type) {
      case 'content_block_delta':
        return this.#delta(data, source);
      case 'content_block_start':
        return this.#open(data);
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
    if (this.#started) return this.#refuse('expected one message_start; came another');
    this.#started = true;
    if (!isJsonObject(message)) return;
    if (typeof message['model'] === 'string') this.#assembly.model(message['model']);
    takeUsage(this.#assembly, message['usage']);
  }

  #open({ index, content_block: block }: JsonObject): void {
    if (typeof index !== 'number' || !isJsonObject(block)) return this.#odd('content_block_start', index);
    if (this.#blocks.has(index)) return this.#refuse(`block ${index} was opened twice`);
    const last = this.#lastBlock;
    if (last?.kind === 'tool_use' && last.closed && this.#unsettled.has(last)) this.#broken(last);
    const opened = this.#opened(block);
    this.#blocks.set(index, opened);
    this.#lastBlock = opened;
  }

  #opened(block: JsonObject): OpenBlock {
    const { type, text, thinking, id, name } = block;
    this.#assembly.part();
    if (type === 'text') {
      if (typeof text === 'string') this.#assembly.text(text);
      return { kind: 'text' };
    }
    if (type === 'thinking') {
      this.#assembly.thought();
      if (typeof thinking === 'string') this.#assembly.think(thinking);
      return { kind: 'thinking' };
    }
    if (type !== 'tool_use') return { kind: 'other' };
    if (typeof id !== 'string' || typeof name !== 'string') {
      this.#assembly.warn('a tool_use block without id and name');
      return { kind: 'other' };
    }
    const tool: ToolBlock = { kind: 'tool_use', call: this.#assembly.call(id, name), closed: false };
    this.#unsettled.add(tool);
    return tool;
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
    } else if (block.kind === 'thinking' && typeof delta['signature'] === 'string') {
      this.#assembly.sign(delta['signature']);
    }
  }

  #grow(block: OpenBlock, piece: string): void {
    if (block.kind === 'tool_use') this.#assembly.input(block.call, piece);
    else if (block.kind === 'text') this.#assembly.text(piece);
    else this.#assembly.think(piece);
  }

  #close({ index }: JsonObject): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (typeof index !== 'number' || block === undefined) return this.#odd('content_block_stop', index);
    this.#blocks.delete(index);
    if (block.kind !== 'tool_use') return;
    block.closed = true;
    // No text at all may be a call without arguments, or one that was cut before its first parameter was whole.
    const fate = block.call.partial === '' ? 'no-json' : this.#assembly.whole(block.call);
    if (fate !== 'no-json') this.#unsettled.delete(block);
    else if (block !== this.#lastBlock) this.#broken(block);
  }

  #messageDelta({ delta, usage }: JsonObject): void {
    takeUsage(this.#assembly, usage);
    if (isJsonObject(delta)) this.#rawStop = takeStop(this.#assembly, delta['stop_reason']) ?? this.#rawStop;
  }

  #stop(): void {
    if (this.#assembly.stopped === undefined) this.#assembly.warn('message_stop without a stop reason');
    this.#settle();
    this.#done = true;
  }

  #error(error: Json | undefined): void {
    const { type, message } = isJsonObject(error) ? error : {};
    this.#assembly.fail(
      streamError(
        typeof type === 'string' ? type : 'unknown',
        typeof message === 'string' ? message : 'an error without a message',
      ),
    );
  }

  /** Nothing follows any more: the call that came last was cut, and others that are not whole are none. */
  #settle(): void {
    for (const tool of this.#unsettled) {
      if (tool === this.#lastBlock) this.#cut(tool);
      else this.#broken(tool);
    }
    this.#unsettled.clear();
  }

  #cut({ call, closed }: ToolBlock): void {
    this.#assembly.cut(call);
    if (this.#assembly.error !== undefined || this.#assembly.limited) return;
    const came = closed ? excerpt(call.partial) : 'no end of its block';
    this.#assembly.warn(`call ${excerpt(call.name)} was cut, whatever the stop reason: came ${came}`);
  }

  /** A call without any text is one without arguments, as another block follows it. */
  #broken(tool: ToolBlock): void {
    const { call, closed } = tool;
    this.#unsettled.delete(tool);
    if (closed && call.partial === '') {
      this.#assembly.input(call, '{}');
      this.#assembly.whole(call);
    } else this.#assembly.warn(`call ${excerpt(call.name)} is refused: came ${excerpt(call.partial)}`);
  }

  #odd(type: string, index: Json | undefined): void {
    const came = typeof index === 'number' ? String(index) : 'no index';
    this.#assembly.warn(`${type} is read over: expected an open block; came ${came}`);
  }

  #refuse(message: string): void {
    this.#assembly.refuse(message);
    this.#done = true;
  }
}

/** Where the deltas of a block have its next piece. */
const pieceKeys: { readonly [K in OpenBlock['kind']]: string | undefined } = {
  text: 'text',
  thinking: 'thinking',
  tool_use: 'partial_json',
  other: undefined,
};

const known: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);
