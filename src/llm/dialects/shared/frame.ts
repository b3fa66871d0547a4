/** Units to bytes: an SSE event, a line of NDJSON, a JSON body, a message of an event stream, or the text of a WebSocket message. */
import type { Json } from '../../../kit/base/index.ts';
import type { Framing, Unit } from '../../messages.ts';
import { encodeUnit } from '../event-stream/index.ts';

/** Line ends of a framing. SSE has all of them; in NDJSON, LF replaces a CR alone. */
export type FrameLines = 'lf' | 'crlf' | 'cr';

const lineEnds: { readonly [L in FrameLines]: string } = { lf: '\n', crlf: '\r\n', cr: '\r' };

/**
 * The bytes of a unit in a framing. Outside SSE a comment is empty.
 *
 * @example
 * new TextDecoder().decode(frameUnit('sse', { event: 'ping', data: { type: 'ping' } }, 'lf')); // 'event: ping\ndata: {"type":"ping"}\n\n'
 */
export function frameUnit(framing: Framing, unit: Unit, lines: FrameLines): Uint8Array {
  if (framing === 'eventstream') return unit.comment === true ? new Uint8Array(0) : encodeUnit(unit);
  // For short texts, Buffer takes a third of TextEncoder's time.
  return Buffer.from(frameText(framing, unit, lines));
}

/** The text of a unit in a framing of text; see {@link frameUnit}. */
export function frameText(framing: Framing, unit: Unit, lines: FrameLines): string {
  if (framing === 'sse')
    return unit.sse !== undefined && lines === 'lf' ? unit.sse : sseText(unit, lineEnds[lines]);
  if (unit.comment === true) return '';
  const text = unit.json ?? textOf(unit.data);
  return framing === 'ndjson' ? text + (lines === 'crlf' ? '\r\n' : '\n') : text;
}

function sseText(unit: Unit, end: string): string {
  const { event, comment, json } = unit;
  const name = event === undefined ? '' : `event: ${bare(event)}${end}`;
  // JSON has no line breaks of its own. The data of a unit with its JSON is not read: to make it takes time.
  if (json !== undefined) return `${name}data: ${json}${end}${end}`;
  const { data } = unit;
  if (typeof data !== 'string' && comment !== true) return `${name}data: ${JSON.stringify(data)}${end}${end}`;
  if (comment === true) return field('', textOf(data), end) + end;
  return name + field('data', textOf(data), end) + end;
}

const bare = (name: string): string => (/[\r\n]/.test(name) ? name.replaceAll(/[\r\n]/g, ' ') : name);

/** A line break in a value would end its field, so each line becomes a field. */
function field(name: string, value: string, end: string): string {
  if (!/[\r\n]/.test(value)) return `${name}: ${value}${end}`;
  return value
    .split(/\r\n|\r|\n/)
    .map((line) => `${name}: ${line}${end}`)
    .join('');
}

const textOf = (data: Json): string => (typeof data === 'string' ? data : JSON.stringify(data));
