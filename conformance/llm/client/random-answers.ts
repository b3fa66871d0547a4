/** Random turns for a client: the model's answers in any pieces, with faults in some of them. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { signals, transportEnds } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { cutArguments, eagerTools, listNotes, readNote, unicode, writeNote } from './notes.ts';
import { formsOf } from './turns.ts';
import type { CaseTurn } from './turns.ts';

const pick = <T>(random: Random, values: readonly T[]): T => values[random.below(values.length)] as T;

const some = <T>(random: Random, most: number, make: () => T): readonly T[] =>
  Array.from({ length: random.below(most + 1) }, make);

const texts = [
  unicode,
  'Noted.',
  'data: no\n\ndata: [DONE]\n\n',
  '{"a":"\\u0041\u2028"}',
  'x '.repeat(40),
] as const;

/** Each of its characters is one UTF-16 unit. */
const thought = 'Hm, 日本.';

/** The errors of a provider; the last two are worth another try. */
const errors: readonly JsonObject[] = [
  { type: 'invalid_request', message: 'No such model.', status: 400 },
  { type: 'server', message: 'Internal error', status: 500 },
  { type: 'overloaded', message: 'Overloaded', status: 529, retry_after: '20ms' },
];

const call = (random: Random): JsonObject =>
  pick(random, [
    writeNote(cutArguments),
    writeNote({ title: pick(random, texts) }),
    readNote('shopping'),
    listNotes,
  ]);

/** What is between the parts of an answer. */
const aside = (random: Random): JsonObject =>
  pick(random, [{ ping: true }, { comment: 'keep-alive' }, { wait: `${1 + random.below(60)}ms` }]);

/** The parts of an answer, of which the first may be a thought. */
function partsOf(random: Random): readonly JsonObject[] {
  const thoughts = random.below(4) === 0 ? [{ thinking: { text: thought, signature: 'c2ln' } }] : [];
  const text = random.below(3) === 0 ? [] : [{ text: pick(random, texts) }];
  const calls = some(random, 3, () => call(random));
  return [...thoughts, ...text, ...(text.length + calls.length === 0 ? [{ text: 'So.' }] : calls)];
}

/** The characters of a part: of its text, or of its arguments as JSON. */
function lengthOf({ text, tool_call: call }: JsonObject): number {
  if (typeof text === 'string') return Array.from(text).length;
  return isObject(call) ? Array.from(JSON.stringify(call['input'])).length : thought.length;
}

/** A cut inside of a part. */
function cutOf(random: Random, parts: readonly JsonObject[]): JsonObject {
  const step = random.below(parts.length);
  return { step, at: { char: 1 + random.below(lengthOf(parts[step] ?? {}) - 1) } };
}

/** How an answer ends: mostly well. */
function endOf(random: Random, parts: readonly JsonObject[]): JsonObject {
  const end = { signal: pick(random, signals), transport: pick(random, transportEnds) };
  switch (random.below(8)) {
    case 0:
      return end;
    case 1:
    case 2:
      return { ...end, cut: cutOf(random, parts) };
    case 3:
      return { limit: 1 + random.below(40) };
    default:
      return {};
  }
}

/** The pieces of an answer. Those that are split have few units: each comes in many writes. */
const pieces: readonly JsonObject[] = [
  { chunk: 'token' },
  { chunk: 'token', delay: '5ms', jitter: '3ms' },
  { chunk: { size: 13 }, pings: 2 },
];

const splitPieces: readonly JsonObject[] = [
  { chunk: { size: 1000 }, split: 'utf8' },
  { chunk: { size: 1000 }, split: { size: 40 } },
  { chunk: { size: 40 }, split: 'lines' },
];

/** How the bytes of an answer come. A WebSocket message is never split, and NDJSON has one end of a line. */
const bytesOf = (random: Random, dialect: DialectName): JsonObject => ({
  ...pick(random, dialect === 'lmstudio' ? pieces : [...pieces, ...splitPieces]),
  ...(dialect === 'ollama' || dialect === 'lmstudio'
    ? {}
    : pick(random, [{}, { lines: 'crlf' }, { lines: 'cr' }])),
});

/** One answer of the model, or an error in its place or in its middle. */
function answer(random: Random, dialect: DialectName): JsonObject {
  if (random.below(10) === 0) return { steps: [{ error: pick(random, errors) }], times: 1 + random.below(2) };
  const parts = partsOf(random);
  const steps = parts.flatMap((part) => (random.below(4) === 0 ? [part, aside(random)] : [part]));
  const how = bytesOf(random, dialect);
  if (random.below(10) === 0)
    return { steps: [...steps, { error: { type: 'server', message: 'Internal error' } }], ...how };
  const form = random.below(3) === 0 ? { variants: pick(random, formsOf(dialect)) } : {};
  return { steps, ...how, ...form, ...endOf(random, parts) };
}

/** One to three turns. The provider's time runs out after half a second. */
export const randomTurns = (random: Random, dialect: DialectName): readonly CaseTurn[] =>
  [undefined, ...some(random, 2, () => undefined)].map(() => ({
    answer: answer(random, dialect),
    later: some(random, 2, () => answer(random, dialect)),
    asks: { timeout_ms: 500, ...(dialect === 'gemini' && random.below(2) === 0 && { tools: eagerTools }) },
  }));
