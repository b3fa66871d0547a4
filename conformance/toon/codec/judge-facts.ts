/**
 * What must hold of bytes that an encoder gave. No two encoders need to write a message alike, so single facts are
 * looked at: those that a test names in `expect`; where it names none, those that its requirements are about.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { difference, shown } from '../../../src/kit/testee/index.ts';
import { hexAt } from './judge-bytes.ts';
import { headerSize, looksCompressed, readWire, typeNumbers } from './judge-wire.ts';
import type { Peculiarity, ParsedFrame } from './judge-wire.ts';

/** Facts by name, with what they must be. */
type Facts = { readonly [fact: string]: Json };

/** Says what is expected and what came when a fact does not hold; `bytes` are the whole message. */
type Check = (wire: ParsedFrame, wanted: Json, bytes: Uint8Array) => string | undefined;

const same = (what: string, wanted: Json, came: Json): string | undefined =>
  wanted === came ? undefined : `expected ${what} ${shown(wanted)}; came ${shown(came)}`;

const type: Check = ({ type: came }, wanted) => {
  const number = typeof wanted === 'string' ? (typeNumbers[wanted] ?? wanted) : wanted;
  return same(`type ${shown(wanted)} at offset 1, which is`, number, came);
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

/** TOON-16: what is RLE says so. */
const magic: Check = ({ payload: came }, _, bytes) =>
  typeof came === 'string' && looksCompressed(bytes)
    ? `expected 0x5A before RLE; the payload is RLE and begins with ${hexAt(bytes.subarray(headerSize, headerSize + 4))}`
    : undefined;

const without: Check = ({ payload: came, expanded, peculiar }, wanted) => {
  if (expanded === undefined && typeof came === 'string') return cannotRead(came);
  const words = Array.isArray(wanted) ? (wanted as readonly Json[]) : [];
  const found = words.find((word) => peculiar[word as Peculiarity] !== undefined);
  return found === undefined ? undefined : peculiar[found as Peculiarity];
};

const cannotRead = (why: string): string => `expected a payload that can be read; ${why}`;

const checks: { readonly [fact: string]: Check } = {
  version: ({ version }, wanted) => same('version', wanted, version),
  type,
  timestamp: ({ timestamp }, wanted) => same('timestamp', wanted, String(timestamp)),
  sequenceId: ({ sequenceId }, wanted) => same('sequenceId', wanted, sequenceId),
  framed,
  compressed,
  magic,
  without,
  object,
  payload,
};

/** What a request asks for, as a fact; not given, no fact. */
const asked = (request: JsonObject, ...names: readonly string[]): Facts =>
  Object.fromEntries(names.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])));

/** The facts that a requirement is about. */
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
  'TOON-27': (request) => (request['compress'] === false ? { compressed: false } : {}),
  'TOON-28': (request) => asked(request, 'timestamp'),
  'TOON-32': (request) => asked(request, 'timestamp', 'sequenceId'),
};

/** What is wrong with the bytes of a message that was asked for; undefined: nothing of what was to be looked at. */
export function judgeWire(
  rows: readonly string[],
  expect: JsonObject | undefined,
  request: JsonObject,
  bytes: Uint8Array,
): string | undefined {
  const wire = readWire(bytes);
  if (typeof wire === 'string') return wire;
  // A whole wire is one right answer of many.
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

/** What other requirements come to: the payload arrives (TOON-35, TOON-37, TOON-42, TOON-47). */
const plainFacts = (request: JsonObject): Facts => asked(request, 'payload');

/** Rows about what compression does: what was not compressed shows nothing of them. */
const onlyCompressed: ReadonlySet<string> = new Set(['TOON-16', 'TOON-18', 'TOON-19', 'TOON-20', 'TOON-22']);

/** Whether bytes in which nothing is wrong show anything of a requirement: nobody has to compress. */
export function showsRow(row: string, bytes: Uint8Array): boolean {
  const wire = readWire(bytes);
  if (typeof wire === 'string') return false;
  const isSmall = (wire.expanded ?? 0) <= 1024;
  if (row === 'TOON-14') return isSmall;
  if (row === 'TOON-15') return !isSmall;
  return wire.compressed || !onlyCompressed.has(row);
}
