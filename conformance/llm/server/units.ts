/**
 * The units of an answer in traces: an SSE event, an NDJSON line, a message of an event stream or a WebSocket, or a whole body.
 * Other bytes are undecodable, with the reason.
 */
import { jsonOf, ok, refuse } from '../../../src/kit/base/index.ts';
import type { Codec, Decoded, Json, Metadata, Result, Violation } from '../../../src/kit/base/index.ts';
import type { Dial, LinkEvents } from '../../../src/kit/world/index.ts';
import { EventStreamReader, messageWords } from '../../../src/llm/index.ts';
import type { EventStreamFault } from '../../../src/llm/index.ts';
import { blockSplitter } from './blocks.ts';
import type { BlockSplitter, Framing } from './blocks.ts';
import { witnessMark } from './witness.ts';

/** A unit in a trace. */
export type ShownUnit =
  { readonly event?: string; readonly id?: string; readonly data: Json } | { readonly comment: string };

/** The result of reading a block of bytes. */
export type ReadBlock = Result<Decoded<ShownUnit>, Violation>;

/** The largest unit (an event, a line, a message, a body), in bytes. */
export const unitLimit: number = 16 << 20;

const BOM = 0xfeff;

/** How often, and up to which size (bytes), a body without a length is read before its end. */
const earlyReads = { times: 64, size: 1 << 20 } as const;

const closes: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);

const fault = (code: string, message: string): ReadBlock => refuse({ code, path: '', message });

/** Reads a block. Undefined for an SSE block without data, such as one with only an id or a name. */
export function readBlock(cutting: Framing, block: Uint8Array): ReadBlock | undefined {
  if (cutting === 'eventstream') return readFrame(block);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return fault('not-utf8', `expected valid UTF-8; came ${block.length} bytes that are not UTF-8`);
  }
  if (cutting === 'sse') return readEvent(text);
  return read(text.charCodeAt(0) === BOM ? text.slice(1) : text, {});
}

/** @param named - the fields of an SSE event besides its data */
function read(text: string, named: { readonly event?: string; readonly id?: string }): ReadBlock {
  // The terminal of OpenAI Chat is not JSON.
  if (text === '[DONE]') return ok({ message: { ...named, data: text } });
  try {
    return ok({ message: { ...named, data: jsonOf(text) } });
  } catch {
    return fault('not-json', `expected JSON; came ${JSON.stringify(text.slice(0, 80))}`);
  }
}

/** The codes of faults of an event stream. Those of its payload are the same as in other framings. */
const frameFaults: ReadonlySet<unknown> = new Set<EventStreamFault | 'bad-message'>([
  'bad-length',
  'too-large',
  'prelude-checksum',
  'message-checksum',
  'bad-header',
  'bad-utf8',
  'duplicate-header',
  'bad-message',
]);

/** Whether the code of a fault is one of an event stream, and not of the text in it. */
export const isFrameFault = (code: unknown): boolean => frameFaults.has(code);

/** A message of an event stream: its headers say what it is, and its payload is JSON. */
function readFrame(block: Uint8Array): ReadBlock {
  const [item] = new EventStreamReader(unitLimit).push(block);
  if (item === undefined) return fault('cut', `expected a whole message; came ${block.length} bytes of one`);
  if (!item.ok) {
    const { code, path, message } = item.error;
    return fault(code, `${message} (at byte ${path.slice(1)} of the message)`);
  }
  const said = messageWords(item.value);
  if (said.fault !== undefined) return fault('bad-message', said.fault);
  if (said.data === undefined)
    return fault('not-json', `expected JSON; came ${JSON.stringify(said.text.slice(0, 80))}`);
  return ok({ message: { event: said.name, data: said.data } });
}

/** An event by the rules of the HTML standard, 9.2.6. */
function readEvent(text: string): ReadBlock | undefined {
  const data: string[] = [];
  const comments: string[] = [];
  const named: { event?: string; id?: string } = {};
  const from = text.charCodeAt(0) === BOM ? 1 : 0;
  for (const line of text.slice(from).split(/\r\n|\r|\n/)) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === '') comments.push(value);
    else if (name === 'data') data.push(value);
    else if (name === 'event' || name === 'id') named[name] = value;
  }
  if (data.length > 0) return read(data.join('\n'), named);
  return comments.length > 0 ? ok({ message: { comment: comments.join('\n') } }) : undefined;
}

/** How to split the body of an answer: by its content type, or by its first byte if the type is unknown. */
export function framingOf(type: string, first: number): Framing {
  if (/^text\/event-stream\b/i.test(type)) return 'sse';
  if (/ndjson|jsonl/i.test(type)) return 'ndjson';
  if (/^application\/json\b/i.test(type)) return 'whole';
  // The first byte of an event stream is that of a length below 16 MiB.
  if (/eventstream/i.test(type) || first === 0) return 'eventstream';
  return first === 0x7b || first === 0x5b ? 'ndjson' : 'sse';
}

/** The page of a witness: JSON, or a text. */
function pageOf(bytes: Uint8Array): ReadBlock | undefined {
  const json = readBlock('whole', bytes);
  return json?.ok === false && json.error.code === 'not-json'
    ? ok({ message: { data: Buffer.from(bytes).toString() } })
    : json;
}

/** Splits the answers of a dialled server into units. */
export interface UnitWire {
  /** Wraps a dialler, so that messages are units. */
  readonly dial: (dial: Dial) => Dial;
  /** The codec of units that came through {@link UnitWire.dial}. */
  readonly codec: Codec<ShownUnit>;
}

/** Makes a unit wire. A unit is forgotten together with its bytes. */
export function unitWire(): UnitWire {
  const known = new WeakMap<Uint8Array, ReadBlock>();
  const codec: Codec<ShownUnit> = {
    name: 'llm answer',
    encode: (unit) => Buffer.from(JSON.stringify(unit)),
    decode: (bytes) => known.get(bytes) ?? readBlock('whole', bytes) ?? fault('not-json', 'expected JSON'),
  };
  return {
    codec,
    dial: (dial) => (options, events) => dial(options, new UnitEvents(options.metadata, events, known)),
  };
}

/** Link events with units as messages. */
class UnitEvents implements LinkEvents {
  readonly #events: LinkEvents;
  readonly #known: WeakMap<Uint8Array, ReadBlock>;
  /** A WebSocket message is a unit. */
  readonly #socket: boolean;
  /** The page of a witness is one unit, JSON or text. */
  readonly #witness: boolean;
  #answered: Metadata = {};
  #cutting: Framing = 'whole';
  #cutter: BlockSplitter | undefined;
  #overflowed = false;
  #earlyReads = 0;
  #size = 0;

  constructor(asked: Metadata, events: LinkEvents, known: WeakMap<Uint8Array, ReadBlock>) {
    this.#events = events;
    this.#known = known;
    this.#socket = asked[':carrier'] === 'ws';
    this.#witness = asked[witnessMark] !== undefined;
  }

  headers(metadata: Metadata): void {
    this.#answered = metadata;
    this.#events.headers(metadata);
  }

  message(chunk: Uint8Array): void {
    if (this.#socket) return this.#show(chunk, readBlock('whole', chunk));
    if (chunk.length === 0) return;
    const cutter = this.#begun(chunk[0] ?? 0);
    for (const block of cutter.push(chunk)) this.#show(block, readBlock(this.#cutting, block));
    this.#readEarly(cutter, chunk);
    if (!cutter.overflowed || this.#overflowed) return;
    this.#overflowed = true;
    this.#show(
      new Uint8Array(),
      fault('too-large', `expected units of at most ${unitLimit} bytes; came more`),
    );
  }

  /**
   * Shows a whole body that is complete JSON but has no length: only the end of the connection ends it, and that may
   * never come.
   */
  #readEarly(cutter: BlockSplitter, chunk: Uint8Array): void {
    this.#size += chunk.length;
    const { 'content-length': length, 'transfer-encoding': coding } = this.#answered;
    if (this.#cutting !== 'whole' || length !== undefined || coding !== undefined) return;
    if (this.#size > earlyReads.size || this.#earlyReads >= earlyReads.times) return;
    if (!closes.has(chunk.findLast((byte) => byte > 0x20))) return;
    this.#earlyReads++;
    const body = readBlock('whole', cutter.peek());
    if (body?.ok === true) this.#show(cutter.end() ?? new Uint8Array(), body);
  }

  /** A refusal is split by its content type only, because an error may have another type than the requested stream. */
  #begun(first: number): BlockSplitter {
    if (this.#cutter !== undefined) return this.#cutter;
    const status = this.#answered[':status'] ?? '';
    const cutting = framingOf(this.#answered['content-type'] ?? '', first);
    this.#cutting = status.startsWith('2') && !this.#witness ? cutting : 'whole';
    return (this.#cutter = blockSplitter(this.#cutting, unitLimit));
  }

  #show(bytes: Uint8Array, what: ReadBlock | undefined): void {
    if (what === undefined) return;
    this.#known.set(bytes, what);
    this.#events.message(bytes);
  }

  halfClose(): void {
    this.#events.halfClose();
  }

  ended(status: { readonly code: number; readonly message: string } | undefined): void {
    const rest = this.#cutter?.end();
    if (rest !== undefined) this.#show(rest, this.#restOf(rest, status?.code === 0));
    this.#events.ended(status);
  }

  /** The end of the body also ends an NDJSON line or a whole body. An SSE event must end with an empty line. */
  #restOf(rest: Uint8Array, inOrder: boolean): ReadBlock | undefined {
    const cut = fault('cut', `expected a whole unit; the body ended inside it, after ${rest.length} bytes`);
    if (this.#cutting === 'sse' || this.#cutting === 'eventstream') return cut;
    const last = this.#witness ? pageOf(rest) : readBlock(this.#cutting, rest);
    return last?.ok === false && !inOrder ? cut : last;
  }

  drained(): void {
    this.#events.drained();
  }

  ping(): void {
    this.#events.ping();
  }
}
