/** Compares a testee's bytes with the expected bytes, and describes the first difference. */

/** The bytes that a message shows before the first difference. */
const bytesBefore = 4;
/** The most bytes that a message shows. */
const bytesShown = 16;

/** The bytes of a hex text; undefined for any other value. */
export function bytesOf(hex: unknown): Uint8Array | undefined {
  if (typeof hex !== 'string' || !/^(?:[0-9A-Fa-f]{2})*$/.test(hex)) return undefined;
  return Buffer.from(hex, 'hex');
}

/** Bytes as hex, cut to an excerpt that begins shortly before `at` (a byte offset). */
export function hexAt(bytes: Uint8Array, at = 0): string {
  if (bytes.length === 0) return 'no bytes';
  const from = bytes.length <= bytesShown ? 0 : Math.max(0, Math.min(at, bytes.length) - bytesBefore);
  const to = Math.min(bytes.length, from + bytesShown);
  const hex = Buffer.from(bytes.subarray(from, to)).toString('hex');
  const size = bytes.length > bytesShown ? ` (${bytes.length} bytes)` : '';
  return `${from > 0 ? '…' : ''}${hex}${to < bytes.length ? '…' : ''}${size}`;
}

/** The difference between bytes and the expected bytes; undefined when they are equal. */
export function bytesDiffer(at: string, expected: Uint8Array, came: Uint8Array): string | undefined {
  const first = expected.findIndex((byte, i) => byte !== came[i]);
  if (first === -1 && expected.length === came.length) return undefined;
  const where = first === -1 ? expected.length : first;
  return `${at}: expected ${hexAt(expected, where)}; came ${hexAt(came, where)}, which differs at byte ${where}`;
}
