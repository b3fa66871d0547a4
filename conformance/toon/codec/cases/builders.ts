/**
 * The builders of TOON's case tables. Bytes in a table are a text (UTF-8), `{hex}`, or a list of both. Builders make bytes
 * from messages and runs.
 */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import {
  numberArgument,
  objectArgument,
  textArgument,
  textBuilders,
} from '../../../../src/kit/spec/index.ts';
import type { Case, CaseBuilders, Vector } from '../../../../src/kit/spec/index.ts';
import { vectorOf } from '../../../../src/kit/testee/index.ts';
import { compressed, header, hex, message, rle, run, typeNames, utf8 } from './bytes.ts';
import type { Bytes, HeaderFields, TypeName } from './bytes.ts';

/** The bytes of a table's value. */
function bytesIn(value: Json | undefined): Bytes {
  if (typeof value === 'string') return utf8(value);
  if (isArray(value)) return value.flatMap(bytesIn);
  if (isObject(value) && typeof value['hex'] === 'string')
    return Buffer.from(value['hex'], 'hex').toJSON().data;
  throw new Error(`expected a text, {hex} or a list of these; came ${JSON.stringify(value)}`);
}

const made = (bytes: Bytes): JsonObject => ({ hex: hex(bytes) });

const typeOf = (name: Json | undefined): TypeName => {
  const type = typeNames.find((known) => known === name);
  if (type === undefined) throw new Error(`expected a message type; came ${JSON.stringify(name)}`);
  return type;
};

/** The header fields of a table's value. A 64-bit number is a text of digits. */
function fieldsOf(value: Json | undefined): HeaderFields {
  const { timestamp, ...others } = objectArgument(value);
  return timestamp === undefined ? others : { ...others, timestamp: BigInt(textArgument(timestamp)) };
}

/** Bytes that are cut at offsets. `{every, times}` cuts `times` times, after each `every` bytes. */
function chunks(value: Json | undefined, places: readonly Json[]): Json {
  const bytes = bytesIn(value);
  const inner = places.flatMap((place) => {
    if (!isObject(place)) return [numberArgument(place)];
    const { every, times } = objectArgument(place);
    return Array.from({ length: numberArgument(times) }, (_, i) => numberArgument(every) * (i + 1));
  });
  const edges = [0, ...inner, bytes.length];
  return edges.slice(1).map((end, i) => made(bytes.slice(edges[i], end)));
}

/** The builders by name. */
export const toonBuilders: CaseBuilders = {
  ...textBuilders,
  /** A message: its type, its payload, and wrong header fields. */
  message: (type, payload, fields) => made(message(typeOf(type), bytesIn(payload), fieldsOf(fields))),
  /** A TOOL_RESULT with this payload. */
  result: (...payload) => made(message('TOOL_RESULT', bytesIn(payload))),
  /** STATUS messages, one after the other. */
  status: (...texts) => made(texts.flatMap((status) => message('STATUS', JSON.stringify({ status })))),
  /** The decoded STATUS messages. */
  statuses: (...texts) => texts.map((status) => ({ payload: { status } })),
  header: (fields) => made(header(fieldsOf(fields))),
  /** A run of a byte, given in hex. */
  run: (byte, count) => made(run(Number.parseInt(textArgument(byte), 16), numberArgument(count))),
  rle: (bytes) => made(rle(bytesIn(bytes))),
  compressed: (bytes) => made(compressed(bytesIn(bytes))),
  cut: (bytes, from, to) => made(bytesIn(bytes).slice(numberArgument(from), numberArgument(to, Infinity))),
  chunks: (bytes, ...places) => chunks(bytes, places),
  /** A text `times` times, each with one more space before it. */
  indented: (text, times) =>
    Array.from({ length: numberArgument(times) }, (_, n) => ' '.repeat(n) + textArgument(text)).join(''),
};

const hexIn = (value: Json): string => hex(bytesIn(value));

/** Turns the bytes of a test, or of its expectation, into hex. */
function asHex(members: JsonObject): JsonObject {
  const { wire, bytes, chunks: parts } = members;
  return {
    ...members,
    ...(wire === undefined ? {} : { wire: hexIn(wire) }),
    ...(bytes === undefined ? {} : { bytes: hexIn(bytes) }),
    ...(isArray(parts) ? { chunks: parts.map(hexIn) } : {}),
  };
}

/** A test of a table as a vector, with its bytes in hex. */
export function toonVector(test: Case): Vector {
  const { expect } = test;
  return vectorOf({
    ...asHex(test),
    ...(expect === undefined ? {} : { expect: asHex(objectArgument(expect)) }),
  });
}
