/** Finds the trials of a peer's frame: the requirements that its unusual parts put to the test. */
import { entryOf } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { HEADER_SIZE, isCompressed, serialCompare, toonCodec } from '../../../src/toon/index.ts';
import type { MessageName, ToonMessage } from '../../../src/toon/index.ts';
import type { StreamView, Trial, Trials } from './view-stream.ts';

/** The known keys of each type; undefined: both ends agree on its keys. */
const knownKeys: { readonly [type in MessageName]: ReadonlySet<string> | undefined } = {
  INSTRUCTION: new Set(['instruction']),
  TOOL_CALL: new Set(['toolName', 'args', 'requestId']),
  TOOL_RESULT: new Set(['success', 'data', 'duration', 'requestId', 'error']),
  STATUS: new Set(['status', 'progress']),
  ERROR: new Set(['code', 'message', 'details']),
  HEARTBEAT: new Set(),
  CONTEXT_REQUEST: undefined,
  CONTEXT_RESPONSE: undefined,
};

/** Whether a message of the peer is compressed on the wire. For a message without wire lengths, encodes it. */
function compressed(message: ToonMessage): boolean {
  if (message.expandedLength !== undefined) return true;
  return message.compress === true && isCompressed(toonCodec.encode(message).subarray(HEADER_SIZE));
}

/** Whether a decimal number without leading zeros is smaller than another: compares the lengths, then the texts. */
const earlier = (a: string, b: string): boolean => (a.length === b.length ? a < b : a.length < b.length);

/** Whether a sequenceId follows another by wrapping. */
const wrapped = (id: number, before: number): boolean => id < before && serialCompare(id, before) > 0;

/** Whether the target must act on a message, so that it shows if it dropped the message. */
function isActedOn({ type }: ToonMessage, { calls }: StreamView): boolean {
  if (type === 'TOOL_RESULT' || type === 'CONTEXT_RESPONSE') return calls.length > 0;
  return type === 'INSTRUCTION' || type === 'TOOL_CALL' || type === 'CONTEXT_REQUEST';
}

/** The trials of a good frame of the peer; undefined for an ordinary one. */
export function trialsOf(stream: StreamView, message: ToonMessage, { seq }: TraceEvent): Trials | undefined {
  let trials: Trials | undefined;
  const test = (requirement: string, what: string): void => {
    (trials ??= new Map()).set(requirement, { seq, what, fatal: true });
  };
  const { sequenceId, timestamp } = stream.peer;
  const known = knownKeys[message.type];
  if (compressed(message)) test('TOON-17', 'a compressed payload');
  if (timestamp !== undefined && earlier(message.timestamp, timestamp))
    test('TOON-29', `a timestamp (${message.timestamp}) before that of the frame it follows (${timestamp})`);
  if (sequenceId !== undefined && wrapped(message.sequenceId, sequenceId))
    test('TOON-31', `sequenceId ${message.sequenceId} after ${sequenceId}`);
  if (
    sequenceId !== undefined &&
    serialCompare(message.sequenceId, sequenceId) <= 0 &&
    isActedOn(message, stream)
  )
    test('TOON-55', `sequenceId ${message.sequenceId} after ${sequenceId}`);
  if (stream.split !== undefined && stream.carrier !== 'ws') test('TOON-38', 'bytes that came in pieces');
  if (stream.gathered?.begun === true) test('TOON-38', 'another frame in the same write');
  const unknown = known === undefined ? undefined : unknownKey(message.payload, known);
  if (unknown !== undefined) test('TOON-37', `an unknown key, ${JSON.stringify(unknown.slice(0, 40))}`);
  return trials;
}

function unknownKey(payload: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const key in payload) if (!known.has(key)) return key;
  return undefined;
}

/** The trial of a frame that must be skipped by its length. */
const skipped = (what: string): readonly [string, Omit<Trial, 'seq'>] => ['TOON-39', { what, fatal: true }];
const only = (requirement: string, what: string): readonly (readonly [string, Omit<Trial, 'seq'>])[] => [
  [requirement, { what, fatal: true }],
];

/** The trials of bad frames, by the codec's code. */
const badTrials: { readonly [code: string]: readonly (readonly [string, Omit<Trial, 'seq'>])[] } = {
  'bad-version': [
    ['TOON-06', { what: 'a frame of an unknown version', fatal: false }],
    skipped('a frame of an unknown version'),
  ],
  'bad-type': [
    ['TOON-07', { what: 'a frame of an unknown type', fatal: false }],
    skipped('a frame of an unknown type'),
  ],
  'bad-utf8': only('TOON-10', 'a payload that is not UTF-8'),
  'bad-json': only('TOON-11', 'a payload that is not JSON'),
  'bad-rle': only('TOON-24', 'a payload whose compression is cut off'),
  'bad-payload': only('TOON-35', 'a payload without a field that its type requires'),
  direction: only('TOON-34', 'a message of a type that only the other side sends'),
};

/** The trials of a bad frame. */
export const badTrialsOf = (code: string, seq: number): Trials =>
  new Map((entryOf(badTrials, code) ?? []).map(([requirement, trial]) => [requirement, { seq, ...trial }]));

/** The requirement that a target violates by acting on a bad frame, by the codec's code. */
export const rowsOfBadFrames: { readonly [code: string]: string } = {
  'bad-version': 'TOON-06',
  'bad-type': 'TOON-07',
  'bad-utf8': 'TOON-10',
  'bad-json': 'TOON-11',
  'bad-rle': 'TOON-24',
  'bad-payload': 'TOON-35',
  direction: 'TOON-34',
  truncated: 'TOON-38',
  'too-short': 'TOON-38',
};

const demanding: ReadonlySet<string> = new Set(['bad-utf8', 'bad-json', 'bad-rle', 'bad-payload']);

/** Whether an ERROR should answer a frame that the codec refuses with a code. Others may be skipped in silence. */
export const demandsError = (code: string): boolean => demanding.has(code);

/** The fault of a bad frame in words. */
export const badFrameText = (code: string): string =>
  entryOf(badTrials, code)?.[0]?.[1].what ?? `a frame that is ${code}`;
