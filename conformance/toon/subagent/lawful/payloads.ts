/** Lawful subagents that write their payloads in an unusual form. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, packed, rightly, runs, utf8 } from '../../shared/mutants/bytes.ts';
import { payloads } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';

/** Writes the JSON of each payload in another way. Compresses payloads of more than `above` bytes where that is shorter. */
const written =
  (json: (payload: JsonObject, message: ToonMessage) => string, above = 1024) =>
  (): PeerFault => ({
    writes(frame, message) {
      const text = utf8(json(message.payload, message));
      const code = packed(runs(text, rightly));
      return framed(frame, text.length > above && code.length < text.length ? code : text);
    },
  });

const working = ['STATUS', 'TOOL_CALL', 'CONTEXT_REQUEST', 'ERROR'] as const;

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
const texts: PeerFaults = {
  'indented-json': written((payload) => `${JSON.stringify(payload, null, 2)}\n`),
  'spaces-before-json': written((payload) => ` \t${JSON.stringify(payload)}`),
  'escaped-letters': written((payload) => escaped(JSON.stringify(payload))),
  'keys-reversed': written((payload) => JSON.stringify(reversed(payload))),
  'progress-with-exponent': written((payload) =>
    JSON.stringify(payload).replace(/"progress":([\d.]+)/, '"progress":$1e0'),
  ),
  'padded-empty-heartbeat': written((payload, { type }) =>
    type === 'HEARTBEAT' ? '{ \n }' : JSON.stringify(payload),
  ),
};

/** Keys besides those of the document, and keys left out. */
const keys: PeerFaults = {
  'keys-of-its-own': () =>
    payloads(working, (payload) => ({ ...payload, agent: 'a-7', model: null, cost: 1e20 })),
  'deep-keys': () => payloads('STATUS', (payload) => ({ ...payload, detail: deep(50) })),
  'unicode-everywhere': () =>
    payloads(working, (payload) => ({ ...payload, mood: '😀 é \u0000 \u2028 \uD83D' })),
  'type-in-payload': () =>
    payloads(['STATUS', 'TOOL_CALL', 'ERROR'], (payload) => ({
      ...payload,
      type: 4,
      timestamp: 0,
    })),
  'no-progress': () => payloads('STATUS', dropping('progress')),
  'errors-without-code': () => payloads('ERROR', dropping('code')),
  'empty-messages': () => payloads('ERROR', (payload) => ({ ...payload, message: '' })),
  'result-in-completed': () =>
    payloads('STATUS', (payload) =>
      payload['status'] === 'completed' ? { ...payload, result: 'ab'.repeat(2500) } : payload,
    ),
};

const compression: PeerFaults = {
  'never-compresses': { fault: () => ({}), options: { compress: false } },
  'compresses-from-10000': written((payload) => JSON.stringify(payload), 10_000),
  'compresses-white-space': written((payload) => {
    const json = JSON.stringify(payload);
    return json.length > 1024 ? `${json.slice(0, -1)}${' '.repeat(700)}}` : json;
  }),
};

export const payloadPeers: PeerFaults = { ...texts, ...keys, ...compression };
