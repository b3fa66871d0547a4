/** SSH's data types (RFC 4251, section 5), read without exceptions, and canonical base64. */
import { Buffer } from 'node:buffer';

/** The bytes of a canonical text: base64 with padding, base64url without (RFC 7515, section 2), unused bits 0. */
export function decodeCanonical(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}

/** A `uint32`. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A `string`: its length, then its bytes. */
export function string(value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** Bytes without their leading zeros. */
export function unpadded(value: Uint8Array): Uint8Array {
  const first = value.findIndex((byte) => byte !== 0);
  return first === -1 ? value.subarray(value.length) : value.subarray(first);
}

/** A positive `mpint`: without unnecessary leading zeros, with one zero byte before a set top bit. */
export function mpint(value: Uint8Array): Buffer {
  const bytes = unpadded(value);
  return string((bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** Bytes with leading zeros up to `size` bytes; `undefined` when there are more. */
export function padded(value: Uint8Array, size: number): Buffer | undefined {
  return value.length > size ? undefined : Buffer.concat([Buffer.alloc(size - value.length), value]);
}

/** Reads values in order. A value is `undefined` when the bytes end before it or it is invalid. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether all bytes were read. */
  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next `length` bytes. */
  bytes(length: number): Buffer | undefined {
    if (length > this.#bytes.length - this.#at) return undefined;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A `uint32`. */
  uint32(): number | undefined {
    return this.bytes(4)?.readUInt32BE();
  }

  /** A `string`. */
  string(): Buffer | undefined {
    const length = this.uint32();
    return length === undefined ? undefined : this.bytes(length);
  }

  /** A positive, canonical `mpint`, without the zero byte of its sign. */
  mpint(): Buffer | undefined {
    const value = this.string();
    if (value === undefined || value.length === 0) return undefined;
    return mpint(value).equals(string(value)) ? Buffer.from(unpadded(value)) : undefined;
  }
}
