/**
 * Judges the bytes of an encoder by single facts, because encoders may write a message in different ways. The facts are
 * those in the test's `expect`, or else the facts of its requirements.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, shown } from '../../../../src/kit/testee/index.ts';
import { hexAt } from './bytes.ts';
import { forbiddenIn } from './rle.ts';
import { headerSize, looksCompressed, readWire, typeNumbers } from './wire.ts';
import type { ParsedFrame } from './wire.ts';

/** Facts by name, with their wanted values. */
type Facts = { readonly [fact: string]: Json };

/** Checks a fact. @returns the expectation and the observation when it does not hold; `bytes` are the whole message */
type Check = (wire: ParsedFrame, wanted: Json, bytes: Uint8Array) => string | undefined;

const sameValue = (name: string, wanted: Json, came: Json): string | undefined =>
  wanted === came ? undefined : `expected ${name} ${shown(wanted)}; came ${shown(came)}`;

const type: Check = ({ type: came }, wanted) => {
  const number = typeof wanted === 'string' ? (typeNumbers[wanted] ?? wanted) : wanted;
  return sameValue(`type ${shown(wanted)} at offset 1, which is`, number, came);
};

const framed: Check = ({ payloadLength, rest }, wanted) =>
  (payloadLength === rest) === wanted
    ? undefined
    : `expected payloadLength ${rest}, the bytes that follow the header; came ${payloadLength}`;

const payload: Check = ({ payload: came }, wanted) =>
  typeof came === 'string' ? cannotRead(came) : difference('payload', wanted, came.value);

const object: Check = ({ payload: came }, wanted) => {
  if (typeof came === 'string') return cannotRead(came);
  return isObject(came.value) === wanted
    ? undefined
    : `expected an object as payload; came ${shown(came.value)}`;
};

const compressed: Check = (wire, wanted) => {
  if (wanted === 'may' || wanted === wire.compressed) return undefined;
  const unwanted = 'expected a payload that is not compressed; it begins with 0x5A';
  return wire.compressed ? unwanted : 'expected a compressed payload; it does not begin with 0x5A';
};

/** TOON-16: an RLE payload begins with the magic byte. */
const magic: Check = ({ payload: came }, _, bytes) =>
  typeof came === 'string' && looksCompressed(bytes)
    ? `expected 0x5A before RLE; the payload is RLE and begins with ${hexAt(bytes.subarray(headerSize, headerSize + 4))}`
    : undefined;

const without: Check = ({ payload: came, expanded, peculiar }, wanted) => {
  if (expanded === undefined && typeof came === 'string') return cannotRead(came);
  return forbiddenIn(peculiar, wanted);
};

const cannotRead = (why: string): string => `expected a payload that can be read; ${why}`;

const checks: { readonly [fact: string]: Check } = {
  version: ({ version }, wanted) => sameValue('version', wanted, version),
  type,
  timestamp: ({ timestamp }, wanted) => sameValue('timestamp', wanted, String(timestamp)),
  sequenceId: ({ sequenceId }, wanted) => sameValue('sequenceId', wanted, sequenceId),
  framed,
  compressed,
  magic,
  without,
  object,
  payload,
};

/** The named members of a request, as facts. */
const asked = (request: JsonObject, ...names: readonly string[]): Facts =>
  Object.fromEntries(names.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])));

const factsOfRow: { readonly [row: string]: (request: JsonObject) => Facts } = {
  'TOON-01': (request) => asked(request, 'type', 'timestamp', 'sequenceId'),
  'TOON-02': () => ({ version: 1 }),
  'TOON-03': () => ({ framed: true }),
  'TOON-12': () => ({ without: ['bom'] }),
  'TOON-13': () => ({ object: true }),
  'TOON-14': () => ({ without: ['compressed-small'] }),
  'TOON-15': () => ({ without: ['compressed-not-shorter'] }),
  'TOON-16': () => ({ magic: true }),
  'TOON-18': (request) => ({ version: 1, ...asked(request, 'type') }),
  'TOON-19': () => ({ without: ['run-literal'] }),
  'TOON-20': () => ({ without: ['run-split'] }),
  'TOON-22': () => ({ without: ['count-zero'] }),
  'TOON-38': () => ({ without: ['stray'] }),
  'TOON-27': (request) => (request['compress'] === false ? { compressed: false } : {}),
  'TOON-28': (request) => asked(request, 'timestamp'),
  'TOON-32': (request) => asked(request, 'timestamp', 'sequenceId'),
};

/** The fault of an encoded message; undefined when all wanted facts hold. */
export function judgeWire(
  rows: readonly string[],
  expect: JsonObject | undefined,
  request: JsonObject,
  bytes: Uint8Array,
): string | undefined {
  const wire = readWire(bytes);
  if (typeof wire === 'string') return wire;
  // `wire` is only one of many right answers.
  const named = expect === undefined || expect['wire'] !== undefined ? undefined : expect;
  const wanted = named === undefined ? rows.map((row) => (factsOfRow[row] ?? plainFacts)(request)) : [named];
  for (const facts of wanted) {
    for (const [fact, value] of Object.entries(facts)) {
      const wrong = checks[fact]?.(wire, value, bytes);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

/** The facts of other requirements: the payload is kept (TOON-35, TOON-37, TOON-42, TOON-47). */
const plainFacts = (request: JsonObject): Facts => asked(request, 'payload');

/** Rows about compression. An uncompressed payload does not exercise them. */
const onlyCompressed: ReadonlySet<string> = new Set(['TOON-16', 'TOON-18', 'TOON-19', 'TOON-20', 'TOON-22']);

/** Whether right bytes exercise a requirement. Compression is optional. */
export function showsRow(row: string, bytes: Uint8Array): boolean {
  const wire = readWire(bytes);
  if (typeof wire === 'string') return false;
  const isSmall = (wire.expanded ?? 0) <= 1024;
  if (row === 'TOON-14') return isSmall;
  if (row === 'TOON-15') return !isSmall;
  return wire.compressed || !onlyCompressed.has(row);
}
