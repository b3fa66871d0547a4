/** Bytes to units: the inverse of frame.ts, for a trace that is read later than it is written. */
import { jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { Framing, Unit } from '../../messages.ts';

/**
 * The units of a text that `frameText` wrote: whole units, of `sse` or `ndjson`.
 *
 * @example
 * unitsOf('sse', 'event: a\ndata: {"b":1}\n\n: c\n\n'); // [{ event: 'a', data: { b: 1 } }, { comment: true, data: 'c' }]
 */
export function unitsOf(framing: Framing, text: string): readonly Unit[] {
  const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  if (framing !== 'sse')
    return plain
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ data: dataOf(line) }));
  return plain.split('\n\n').flatMap((block) => (block === '' ? [] : [unitOf(block.split('\n'))]));
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
