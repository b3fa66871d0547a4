/**
 * Cases of size: payloads that expand beyond the cap (TOON-26). White space makes the size, so that the answer of a
 * decoder without a cap is small.
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import { hex, message, run, utf8 } from './bytes.ts';
import { flagged, invalid, vectorFile } from './table.ts';

/** The default cap, on the wire and expanded (bytes). */
const cap = 16 * 1024 * 1024;

const json = '{"success":true}';

/** A TOOL_RESULT that expands to so many bytes: JSON and spaces, 255 a triple, what remains as literals. */
function expandingTo(bytes: number): JsonObject {
  const spaces = bytes - json.length;
  const triples = Array.from({ length: Math.floor(spaces / 255) }, () => [0xff, 0x20, 0xff]).flat();
  const payload = [0x5a].concat(utf8(json), triples, run(0x20, spaces % 255));
  return { wire: hex(message('TOOL_RESULT', payload)) };
}

const over = invalid(
  'cap-expanded-over',
  '200 KB that expand to one byte more than 16 MiB',
  26,
  expandingTo(cap + 1),
  'too-large',
);

const bombs = (...tests: readonly Vector[]): readonly Vector[] =>
  flagged('large', flagged('default-cap', tests));

/** limits.json */
export const limitCases = (seed: string): VectorFile =>
  vectorFile('limits', seed, [['toon.decode', bombs(over)]]);
