/** Faults of event streams, and the limits of a message. */
import { refuse } from '../../../kit/base/index.ts';
import type { Violation } from '../../../kit/base/index.ts';

/** The sizes of a message: aws-c-event-stream, `event_stream.h`; names have one byte for their length, values two. */
export const sizes = {
  /** Total length, headers length, and the checksum of both. */
  prelude: 12,
  /** A message without headers and payload. */
  least: 16,
  message: 16_777_216,
  headers: 131_072,
  name: 255,
  value: 32_767,
} as const;

/** The kinds of faults. */
export type EventStreamFault =
  | 'bad-length'
  | 'too-large'
  | 'prelude-checksum'
  | 'message-checksum'
  | 'bad-header'
  | 'bad-utf8'
  | 'duplicate-header'
  | 'truncated';

/**
 * A refusal at a byte offset. `expected` completes the sentence "expected …".
 *
 * @example
 * refuseAt('too-large', 4, 'a total length of at most 16777216'); // { ok: false, error: { code: 'too-large', path: '@4', message: 'expected a total length of at most 16777216' } }
 */
export const refuseAt = (
  code: EventStreamFault,
  at: number,
  expected: string,
): { readonly ok: false; readonly error: Violation } =>
  refuse({ code, path: `@${at}`, message: `expected ${expected}` });

/** A checksum as eight hexadecimal digits. */
export const hex = (checksum: number): string => `0x${checksum.toString(16).padStart(8, '0')}`;
