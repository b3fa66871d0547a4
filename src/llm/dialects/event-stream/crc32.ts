/** The checksum of event streams: CRC-32 of GZIP (RFC 1952, section 8). Node's own exists only from 20.15 and 22.2 on. */

/** The polynomial, with its bits reversed. */
const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  return value;
});

/**
 * The checksum of bytes, or of more bytes after those with the checksum `before`.
 *
 * @example
 * crc32(new TextEncoder().encode('123456789')); // 3421780262
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let at = 0; at < bytes.length; at++)
    value = (value >>> 8) ^ (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return ~value >>> 0;
}
