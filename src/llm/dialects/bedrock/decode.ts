/**
 * Decodes Bedrock's response, event by event or whole. A stream is over at the end of its body, and well where `messageStop`
 * has come; `metadata`, which comes after it, has the usage. Unknown events are ignored.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { EventStreamReader } from '../event-stream/index.ts';
import type { EventItem } from '../event-stream/index.ts';
import { messageWords } from '../event-stream/unit.ts';
import { contentFault, excerpt, isJsonObject } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import { CallBlocks } from '../shared/call-blocks.ts';
import type { CallBlock } from '../shared/call-blocks.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { ItemParser } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorText, streamError } from './errors.ts';
import { readUsage } from './usage.ts';
import { knownEvents, stopReasonOf } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new ConverseDecoder(limits);

/** Reads a response that is not streamed. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new ConverseDecoder({}).readWhole(status, headers, bytes);

type OpenBlock = { readonly call: CallBlock } | { readonly kind: 'text' | 'thinking' | 'other' };

class ConverseDecoder extends HttpDecoder<EventItem> {
  /** Blocks that have begun and not ended, by index. */
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #calls = new CallBlocks(this.assembly);
  #counted = false;

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, eventItems, 'bytes');
  }

  protected get terminal(): string {
    return 'messageStop';
  }

  /** After `messageStop` nothing has to come. */
  override end(how: 'clean' | 'reset'): Decoded {
    if (this.assembly.stopped !== undefined && this.assembly.error === undefined) this.over = true;
    return super.end(how);
  }

  protected take(item: EventItem): void {
    if (!item.ok) return this.refuse(`expected an event stream; ${item.error.path}: ${item.error.message}`);
    const read = messageWords(item.value);
    if (read.kind === 'exception' || read.kind === 'error')
      return this.fail(streamError(read.name, read.data));
    if (read.kind !== 'event') return;
    if (isJsonObject(read.data)) this.#event(read.name, read.data);
    else if (knownEvents.has(read.name))
      this.refuse(`${read.name}: expected a JSON object; came ${excerpt(read.text)}`);
  }

  #event(name: string, data: JsonObject): void {
    switch (name) {
      case 'contentBlockDelta':
        return this.#delta(data);
      case 'contentBlockStart':
        return this.#start(data);
      case 'contentBlockStop':
        return this.#stop(data);
      case 'messageStop':
        this.#stopReason(data['stopReason']);
        return this.#maybeOver();
      case 'metadata':
        this.#counted = true;
        this.assembly.usage(readUsage(data['usage']));
        return this.#maybeOver();
      default:
    }
  }

  /** Servers may count before they stop. */
  #maybeOver(): void {
    if (this.assembly.stopped !== undefined && this.#counted) this.over = true;
  }

  #start({ contentBlockIndex: index, start }: JsonObject): void {
    if (typeof index !== 'number') return this.assembly.warn('contentBlockStart is ignored: it has no index');
    if (this.#blocks.has(index)) return this.refuse(`block ${index} was opened twice`);
    this.#calls.next();
    this.assembly.part();
    const { toolUse } = isJsonObject(start) ? start : {};
    if (!isJsonObject(toolUse)) return;
    const { toolUseId: id, name } = toolUse;
    if (typeof id === 'string' && typeof name === 'string')
      this.#blocks.set(index, { call: this.#calls.open(id, name) });
    else {
      this.assembly.warn('a toolUse block without id and name');
      this.#blocks.set(index, { kind: 'other' });
    }
  }

  #delta({ contentBlockIndex: index, delta }: JsonObject): void {
    if (typeof index !== 'number' || !isJsonObject(delta))
      return this.assembly.warn('contentBlockDelta is ignored: it has no index or no delta');
    const { text, reasoningContent, toolUse } = delta;
    const block = this.#blocks.get(index) ?? this.#begun(index, delta);
    if ('call' in block) {
      const { input } = isJsonObject(toolUse) ? toolUse : {};
      if (typeof input === 'string') this.assembly.input(block.call.call, input);
    } else if (isJsonObject(reasoningContent)) this.#reasoning(reasoningContent);
    else if (typeof text === 'string') this.assembly.text(text);
    else if (toolUse !== undefined) this.assembly.warn(`toolUse is ignored: block ${index} is no call`);
  }

  /** The first delta of a block that has no `contentBlockStart`. */
  #begun(index: number, { text, reasoningContent }: JsonObject): OpenBlock {
    this.#calls.next();
    const kind = typeof text === 'string' ? 'text' : isJsonObject(reasoningContent) ? 'thinking' : 'other';
    this.assembly.part();
    if (kind === 'thinking' && isJsonObject(reasoningContent) && !('redactedContent' in reasoningContent))
      this.assembly.thought();
    const block: OpenBlock = { kind };
    this.#blocks.set(index, block);
    return block;
  }

  #reasoning({ text, signature, redactedContent }: JsonObject): void {
    if (typeof text === 'string') this.assembly.think(text);
    if (typeof signature === 'string' && signature !== '') this.assembly.sign(signature);
    if (typeof redactedContent === 'string') this.assembly.redacted(redactedContent);
  }

  #stop({ contentBlockIndex: index }: JsonObject): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (typeof index !== 'number' || block === undefined) return;
    this.#blocks.delete(index);
    if ('call' in block) this.#calls.close(block.call);
  }

  #stopReason(word: Json | undefined): void {
    if (typeof word !== 'string') return this.refuse('messageStop: expected a stopReason');
    const reason = stopReasonOf(word);
    if (reason === undefined || reason === 'error')
      this.assembly.warn(`expected a stop reason that names the end; came ${excerpt(word)}`);
    this.rawStop = word;
    this.assembly.stop(reason ?? 'unknown');
  }

  protected override settle(): void {
    this.#calls.settle();
  }

  /** A whole message. At a limit the last call counts as cut: its `input` is an object in any case. */
  protected takeWhole(body: JsonObject, text: string): void {
    const { output, usage, stopReason } = body;
    const { message } = isJsonObject(output) ? output : {};
    if (!isJsonObject(message)) return this.refuse(`expected output.message; came ${excerpt(text)}`);
    this.assembly.usage(readUsage(usage));
    if (stopReason === undefined) this.assembly.warn('the message has no stop reason');
    else this.#stopReason(stopReason);
    const content = isArray(message['content']) ? message['content'] : [];
    const blocks = content.filter((block) => isJsonObject(block));
    const fault = contentFault(text);
    for (const [i, block] of blocks.entries())
      this.#wholeBlock(block, fault, i === blocks.length - 1 && this.assembly.limited);
    this.over = true;
  }

  #wholeBlock(block: JsonObject, fault: ArgumentsFault | undefined, cut: boolean): void {
    const { text, toolUse, reasoningContent } = block;
    if (typeof text === 'string') this.assembly.text(text);
    else if (isJsonObject(toolUse)) {
      const { toolUseId: id, name, input } = toolUse;
      if (typeof id === 'string' && typeof name === 'string')
        this.assembly.given({ id, name }, input, fault, cut);
      else this.assembly.warn('a toolUse block without id and name');
    } else if (isJsonObject(reasoningContent)) {
      const { reasoningText, redactedContent } = reasoningContent;
      if (isJsonObject(reasoningText)) {
        this.assembly.thought();
        this.#reasoning(reasoningText);
      } else this.#reasoning({ redactedContent: textIn(redactedContent) });
    }
  }

  protected errorText(body: unknown, text: string, _status: number, headers: HeaderFields): ErrorText {
    return errorText(body, text, headers);
  }
}

/** Cuts bytes into messages. A message above the limit is a fault among them. */
function eventItems(limit: number): ItemParser<EventItem> {
  const reader = new EventStreamReader(limit);
  return { push: (bytes) => reader.push(bytes), overflowed: false };
}
