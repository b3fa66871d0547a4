/**
 * Bedrock's event stream as hexadecimal digits, message by message, for vectors. Written from "Event stream encoding" of Amazon
 * Lex. Source of the events: spec/llm/README.md, "The dialects on the wire".
 */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** The checksum of GZIP, bit by bit (RFC 1952, 8). */
function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (0xedb88320 & -(value & 1));
  }
  return ~value;
}

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** A header whose value is a text: type 7. */
const header = (name: string, value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.of(bytes.length >> 8, bytes.length & 0xff);
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(7), length, bytes]);
};

/** A message with these headers, in pairs, and a payload. */
function message(headers: readonly (readonly [string, string])[], payload: string): string {
  const encoded = Buffer.concat(headers.map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const lengths = Buffer.concat([int(16 + encoded.length + body.length), int(encoded.length)]);
  const whole = Buffer.concat([lengths, int(crc32(lengths)), encoded, body]);
  return Buffer.concat([whole, int(crc32(whole))]).toString('hex');
}

/** An event. `json` is its payload. */
const event = (type: string, json = '{}'): string =>
  message(
    [
      [':event-type', type],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ],
    json,
  );

/** A modeled exception. */
const exception = (type: string, text: string): string =>
  message(
    [
      [':exception-type', type],
      [':content-type', 'application/json'],
      [':message-type', 'exception'],
    ],
    JSON.stringify({ message: text }),
  );

/** An error without a model. */
const unmodeled = (code: string, text: string): string =>
  message(
    [
      [':error-code', code],
      [':error-message', text],
      [':message-type', 'error'],
    ],
    '',
  );

/** The same message with a wrong checksum: its last byte, or the last one of its prelude. */
function wrong(hex: string, which: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const at = which === 'prelude' ? 11 : bytes.length - 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('hex');
}

const start = event('messageStart', '{"role":"assistant"}');

/** A delta. `json` is its text. */
const delta = (index: number, json: string): string =>
  event('contentBlockDelta', `{"contentBlockIndex":${index},"delta":${json}}`);

const close = (index: number): string => event('contentBlockStop', `{"contentBlockIndex":${index}}`);

/** Deltas of a text, without their end. */
const textDelta = (index: number, ...pieces: readonly string[]): string =>
  pieces.map((piece) => delta(index, `{"text":${JSON.stringify(piece)}}`)).join('');

/** A block of text. */
const text = (index: number, ...pieces: readonly string[]): string =>
  textDelta(index, ...pieces) + close(index);

/** A block of a call, without its end. */
const openTool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  event(
    'contentBlockStart',
    `{"contentBlockIndex":${index},"start":{"toolUse":{"toolUseId":"${id}","name":"${name}"}}}`,
  ) + pieces.map((piece) => delta(index, `{"toolUse":{"input":${JSON.stringify(piece)}}}`)).join('');

/** A block of a call. */
const tool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  openTool(index, id, name, ...pieces) + close(index);

const stop = (word: string): string => event('messageStop', `{"stopReason":"${word}"}`);

const metadata = (usage = '{"inputTokens":20,"outputTokens":8,"totalTokens":28}'): string =>
  event('metadata', `{"usage":${usage},"metrics":{"latencyMs":120}}`);

/** The stop reason, and the usage after it. */
const end = (word: string, usage?: string): string => stop(word) + metadata(usage);

/** A drawn generation in wire form. */
const wireOf = ({ text: pieces, calls, outcome }: DrawnGeneration): string =>
  start +
  text(0, ...pieces) +
  calls.map(({ id, name, pieces: made }, i) => tool(i + 1, id, name, '', ...made)).join('') +
  end(outcome.stop);

/** The wire form of Bedrock, for vectors. */
export const bedrockWire: DialectWire = {
  builders: asBuilders({
    start: () => start,
    event,
    exception,
    unmodeled,
    wrong,
    delta,
    close,
    textDelta,
    text,
    openTool,
    tool,
    stop,
    metadata,
    end,
  }),
  wireOf,
  isBinary: true,
};
