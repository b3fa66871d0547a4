/** Bytes to units: the inverse of frame.ts, for a trace that is read later than it is written. */
import { jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { EventStreamReader, messageWords } from '../event-stream/index.ts';
import type { EventItem } from '../event-stream/index.ts';
import type { Framing, Unit } from '../../messages.ts';

/**
 * The whole units of bytes that `frameUnit` wrote.
 *
 * @example
 * unitsOf('sse', Buffer.from('event: a\ndata: {"b":1}\n\n: c\n\n')); // [{ event: 'a', data: { b: 1 } }, { comment: true, data: 'c' }]
 */
export function unitsOf(framing: Framing, bytes: Uint8Array): readonly Unit[] {
  if (framing === 'eventstream') return new EventStreamReader().push(bytes).flatMap(unitOfMessage);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (framing === 'message') return [{ data: dataOf(text) }];
  const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  if (framing !== 'sse')
    return plain
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ data: dataOf(line) }));
  return plain.split('\n\n').flatMap((block) => (block === '' ? [] : [unitOf(block.split('\n'))]));
}

function unitOfMessage(item: EventItem): readonly Unit[] {
  if (!item.ok) return [];
  const { name, data, text } = messageWords(item.value);
  return [{ event: name, data: data ?? text }];
}

function unitOf(lines: readonly string[]): Unit {
  const valuesOf = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const [event] = valuesOf('event');
  const data = valuesOf('data');
  if (data.length === 0) return { comment: true, data: valuesOf('').join('\n') };
  return { ...(event === undefined ? {} : { event }), data: dataOf(data.join('\n')) };
}

/** A data that is no JSON goes out as it is (`[DONE]`). */
function dataOf(text: string): Json {
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
