/** Lawful subagents that write their payloads in an unusual form. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { lawful, payloads, written } from './lawful.ts';

const asJson = 'TOON Protocol Specification, Payload Format: any JSON text; equality by value in TOON-42';
const unknownKeys = 'Wireproof: TOON decisions, 2. Payload: unknown keys are ignored';
const optional = 'TOON Protocol Specification, Compression: payloads are optionally compressed';
const fields = 'TOON, Messages: the table of required keys (requirement TOON-35)';

const working = ['STATUS', 'TOOL_CALL', 'CONTEXT_REQUEST', 'ERROR'];

const escaped = (json: string): string =>
  json.replaceAll(/[a-w]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const reversed = (value: Json): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value;

const deep = (levels: number): Json => (levels === 0 ? {} : { in: deep(levels - 1) });

const dropping =
  (key: string) =>
  (payload: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key));

/** Unusual texts of the same JSON. */
const texts: readonly LawfulPeer[] = [
  lawful(
    'indented-json',
    'It indents its JSON, and ends it with a line feed.',
    asJson,
    written((payload) => `${JSON.stringify(payload, null, 2)}\n`),
  ),
  lawful(
    'spaces-before-json',
    'Its payloads begin with a space and a tab.',
    asJson,
    written((payload) => ` \t${JSON.stringify(payload)}`),
  ),
  lawful(
    'escaped-letters',
    'It writes the letters a to w as \\u escapes.',
    asJson,
    written((payload) => escaped(JSON.stringify(payload))),
  ),
  lawful(
    'keys-reversed',
    'It writes keys in the reverse order.',
    asJson,
    written((payload) => JSON.stringify(reversed(payload))),
  ),
  lawful(
    'progress-with-exponent',
    'It writes progress with an exponent.',
    asJson,
    written((payload) => JSON.stringify(payload).replace(/"progress":([\d.]+)/, '"progress":$1e0')),
  ),
  lawful(
    'padded-empty-heartbeat',
    'Its heartbeats are `{ }` with white space.',
    asJson,
    written((payload, { type }) => (type === 'HEARTBEAT' ? '{ \n }' : JSON.stringify(payload))),
  ),
];

/** Keys beside those of the document, and keys left out. */
const keys: readonly LawfulPeer[] = [
  lawful(
    'keys-of-its-own',
    'It adds keys of its own to every message but HEARTBEAT.',
    unknownKeys,
    payloads(working, (payload) => ({ ...payload, agent: 'a-7', model: null, cost: 1e20 })),
  ),
  lawful(
    'deep-keys',
    'It adds an object of 50 levels to its statuses.',
    unknownKeys,
    payloads(['STATUS'], (payload) => ({ ...payload, detail: deep(50) })),
  ),
  lawful(
    'unicode-everywhere',
    'It adds texts with emoji, umlauts and a null character.',
    unknownKeys,
    payloads(working, (payload) => ({ ...payload, mood: '😀 é \u0000 \u2028 \uD83D' })),
  ),
  lawful(
    'type-in-payload',
    'It repeats the type and a timestamp in its payloads.',
    unknownKeys,
    payloads(['STATUS', 'TOOL_CALL', 'ERROR'], (payload) => ({ ...payload, type: 4, timestamp: 0 })),
  ),
  lawful('no-progress', 'It never reports progress.', fields, payloads(['STATUS'], dropping('progress')), {
    unseen: { 'TOON-36': 'It never sends progress.' },
  }),
  lawful(
    'errors-without-code',
    'Its ERRORs have only a message.',
    fields,
    payloads(['ERROR'], dropping('code')),
  ),
  lawful(
    'empty-messages',
    'Its ERRORs have an empty message.',
    fields,
    payloads(['ERROR'], (payload) => ({ ...payload, message: '' })),
  ),
  lawful(
    'result-in-completed',
    'Its STATUS completed holds the result, of 5000 bytes.',
    unknownKeys,
    payloads(['STATUS'], (payload) =>
      payload['status'] === 'completed' ? { ...payload, result: 'ab'.repeat(2500) } : payload,
    ),
  ),
];

/** When it compresses. */
const compression: readonly LawfulPeer[] = [
  lawful('never-compresses', 'It never compresses.', optional, () => ({}), {
    options: { compress: false },
    lacks: ['compression'],
  }),
  lawful(
    'compresses-from-10000',
    'It compresses only payloads of more than 10000 bytes.',
    optional,
    written((payload) => JSON.stringify(payload), 10_000),
  ),
  lawful(
    'compresses-white-space',
    'It pads long payloads with white space, which compression removes again.',
    asJson,
    written((payload) => {
      const json = JSON.stringify(payload);
      return json.length > 1024 ? `${json.slice(0, -1)}${' '.repeat(700)}}` : json;
    }),
  ),
];

/** The peers of this theme. */
export const payloadPeers: readonly LawfulPeer[] = [...texts, ...keys, ...compression];
