/** Anthropic's stream as text, event by event, for vectors. Source: spec/llm/README.md, "The dialects on the wire". */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** An event. `fields` is JSON text that begins with a comma, or is empty. */
const event = (type: string, fields = ''): string => `event: ${type}\ndata: {"type":"${type}"${fields}}\n\n`;

/** The first event, with this usage as JSON text. */
const start = (
  usage = '{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}',
): string =>
  event(
    'message_start',
    `,"message":{"id":"msg_01","type":"message","role":"assistant","content":[],"model":"claude-opus-9","stop_reason":null,"stop_sequence":null,"usage":${usage}}`,
  );

/** The start of a block. `block` is its JSON text. */
const open = (index: number, block: string): string =>
  event('content_block_start', `,"index":${index},"content_block":${block}`);

/** A delta. `delta` is its JSON text. */
const delta = (index: number, text: string): string =>
  event('content_block_delta', `,"index":${index},"delta":${text}`);

/** The end of a block. */
const close = (index: number): string => event('content_block_stop', `,"index":${index}`);

const textDelta = (index: number, piece: string): string =>
  delta(index, `{"type":"text_delta","text":${JSON.stringify(piece)}}`);

/** A block of text in pieces. */
const text = (index: number, ...pieces: readonly string[]): string =>
  open(index, '{"type":"text","text":""}') +
  pieces.map((piece) => textDelta(index, piece)).join('') +
  close(index);

/** The start of a call, with its arguments in pieces, without its end. */
const openTool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  open(index, `{"type":"tool_use","id":"${id}","name":"${name}","input":{}}`) +
  pieces
    .map((piece) => delta(index, `{"type":"input_json_delta","partial_json":${JSON.stringify(piece)}}`))
    .join('');

/** A whole block of a call. */
const tool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  openTool(index, id, name, ...pieces) + close(index);

/** The stop reason and the usage so far. `usage` is JSON text. */
const reason = (word: string | null, usage = '{"output_tokens":12}'): string =>
  event(
    'message_delta',
    `,"delta":{"stop_reason":${JSON.stringify(word)},"stop_sequence":null},"usage":${usage}`,
  );

/** The terminal. */
const stop: string = event('message_stop');

/** The end of a response, with this stop reason. */
const end = (word: string, usage?: string): string => reason(word, usage) + stop;

/** An error in mid-stream. */
const error = (type: string, message: string): string =>
  event('error', `,"error":{"type":"${type}","message":"${message}"}`);

/** A drawn generation in wire form. */
const wireOf = ({ text: said, calls, cut, outcome }: DrawnGeneration): string =>
  start() +
  text(0, ...said) +
  calls
    .map(({ id, name, pieces }, i) =>
      (cut && i === calls.length - 1 ? openTool : tool)(i + 1, id, name, '', ...pieces),
    )
    .join('') +
  end(outcome.stop);

/** The wire form of Anthropic, for vectors. */
export const anthropicWire: DialectWire = {
  builders: asBuilders({
    event,
    start,
    open,
    delta,
    close,
    textDelta,
    text,
    openTool,
    tool,
    reason,
    end,
    error,
  }),
  wireOf,
};
