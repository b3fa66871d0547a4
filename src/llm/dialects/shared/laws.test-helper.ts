/**
 * Helpers for the laws of every dialect: a generation as bytes, bytes in chunks, and the joined output of a decoder.
 */
import fc from 'fast-check';
import type { Answered } from '../../arbitrary/answer.ts';
import { seededRandom } from '../../../kit/world/index.ts';
import { seededIds } from '../../streamer/ids.ts';
import type { Decoded, RenderContext, ResponseEvent, Unit } from '../../messages.ts';
import type { Dialect } from './dialect.ts';
import { frameUnit } from './frame.ts';
import type { FrameLines } from './frame.ts';
import { unitsOfGeneration } from './render.ts';

/** The context of a generation: variants of the turn, a fixed time, seeded ids. */
export const contextOf = ({ request, generation, variants }: Answered): RenderContext => ({
  request,
  blocks: generation.blocks,
  end: generation.end,
  variants,
  now: Date.UTC(2026, 0, 2, 3, 4, 5),
  id: seededIds(seededRandom('laws')),
});

/** Every unit of a streamed response. */
export function unitsOf(dialect: Dialect, answered: Answered): readonly Unit[] {
  const { steps } = answered.generation;
  return unitsOfGeneration(steps, dialect.renderer(contextOf(answered)), dialect.ping);
}

/** The bytes of a streamed response. */
export const bytesOf = (dialect: Dialect, answered: Answered, lines: FrameLines = 'lf'): Uint8Array =>
  joined(unitsOf(dialect, answered).map((unit) => frameUnit(dialect.framing, unit, lines)));

export const joined = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** The events and the response of a decoder for bytes in chunks of these sizes, repeated. */
export function decodeIn(
  dialect: Dialect,
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
  how: 'clean' | 'reset' = 'clean',
): { readonly decoded: Decoded; readonly events: readonly ResponseEvent[] } {
  const decoder = dialect.decoder();
  const events: ResponseEvent[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    events.push(...decoder.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { decoded: decoder.end(how), events };
}

/** Sizes of pieces: one byte each, or any. */
export const anySizes: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 }),
);

/** Line ends of a framing. */
export const anyLines: fc.Arbitrary<FrameLines> = fc.constantFrom('lf', 'crlf', 'cr');
