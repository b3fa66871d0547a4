/**
 * The shared part of the generated decoders: checked reads, and notes of unknown fields and repeated members.
 */
import type protobuf from 'protobufjs/minimal.js';

type Reader = protobuf.Reader;

/** The longest varint: 64 bits, with seven in each byte. */
const varintBytes = 10;
/** The most groups in groups, as in other decoders. */
const deepestGroup = 100;

let notes: string[] | undefined;

/** Adds a note about bytes that the decoded message does not show. */
export function note(text: string, path: string): void {
  (notes ??= []).push(path === '' ? text : `${text} at ${path}`);
}

/** Returns the notes of the last decoding, and clears them. */
export function takeNotes(): string | undefined {
  const taken = notes?.join('; ');
  notes = undefined;
  return taken;
}

/** Throws when a length-delimited part ends beyond the message. */
export function within(r: Reader, end: number): void {
  if (end > r.len) throw new RangeError(`a part of the message ends at byte ${end} of ${r.len}`);
}

/** Throws when the last field of a part ends beyond the part. */
export function exactly(r: Reader, end: number, path: string): void {
  if (r.pos !== end)
    throw new RangeError(`a field reaches beyond the end of ${path === '' ? 'the message' : path}`);
}

/** Bytes as a Buffer, without a copy. From other arrays protobufjs reads invalid UTF-8 without an error. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const strict = new TextDecoder('utf-8', { fatal: true });

/** A method of Node's Buffer that its typings omit. */
interface Sliceable {
  utf8Slice(start: number, end: number): string;
}

/** Reads a string. Throws on invalid UTF-8, as proto3 demands. */
export function str(r: Reader): string {
  const end = r.uint32() + r.pos;
  within(r, end);
  const value = (r.buf as unknown as Sliceable).utf8Slice(r.pos, end);
  // Invalid bytes become U+FFFD, but U+FFFD may also have been sent.
  if (value.includes('\uFFFD')) strict.decode(r.buf.subarray(r.pos, end));
  r.pos = end;
  return value;
}

/** Reads bytes as base64, the JSON mapping of `bytes`. */
export function b64(r: Reader): string {
  const bytes = r.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Reads a bool: true if one of its 64 bits is set. protobufjs looks at 32 of them. */
export function bool(r: Reader): boolean {
  let bits = 0;
  for (let n = 0; n < varintBytes; n++) {
    if (r.pos >= r.len) throw new RangeError('the message ends within a number');
    const byte = r.buf[r.pos++] ?? 0;
    bits |= byte & 0x7f;
    if (byte < 0x80) return bits !== 0;
  }
  throw new Error('a varint of more than ten bytes');
}

/** Adds one entry of a `map<string, string>` to `into`. */
export function entry(r: Reader, into: Record<string, string>, path: string): void {
  const end = r.uint32() + r.pos;
  within(r, end);
  let key = '';
  let value = '';
  while (r.pos < end) {
    const tag = r.uint32();
    if (tag === 10) key = str(r);
    else if (tag === 18) value = str(r);
    else unknown(r, tag, path, [1, 2]);
  }
  exactly(r, end, path);
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Skips a field that the schema does not have, or has with another wire type, and notes it. */
export function unknown(r: Reader, tag: number, path: string, known: readonly number[]): void {
  const field = tag >>> 3;
  if (field === 0) throw new Error('field number 0');
  if (known.includes(field)) note(`field ${field} with wire type ${tag & 7}`, path);
  else note(`unknown field ${field}`, path);
  skip(r, tag);
}

/** Skips the value of a field. A group must end with its own number, which protobufjs does not check. */
function skip(r: Reader, tag: number): void {
  const groups: number[] = [];
  for (let next = tag; ; next = r.uint32()) {
    const field = next >>> 3;
    const wireType = next & 7;
    if (field === 0) throw new Error('field number 0');
    if (wireType === 3) groups.push(field);
    else if (wireType !== 4) skipValue(r, wireType);
    else if (groups.pop() !== field) throw new Error(`the end of group ${field}, which is not open`);
    if (groups.length === 0) return;
    if (groups.length > deepestGroup) throw new Error(`groups nested deeper than ${deepestGroup}`);
  }
}

function skipValue(r: Reader, wireType: number): void {
  const start = r.pos;
  r.skipType(wireType);
  if (wireType === 0 && r.pos - start > varintBytes) throw new Error('a varint of more than ten bytes');
}

/** The number of an enum's name. Throws on an unknown name. */
export function numberOf(table: { readonly [name: string]: number }, name: string): number {
  const n = Object.hasOwn(table, name) ? table[name] : undefined;
  if (n === undefined)
    throw new Error(`no such enum value: ${name}; one of ${Object.keys(table).join(', ')}`);
  return n;
}
