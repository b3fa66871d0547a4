/**
 * The reference codec as a testee of the suite `koda/codec`: one request in, one answer out. Carrying them as lines of
 * JSON is for the caller.
 */
import { dispatcher, RequestRefusal } from '../kit/base/index.ts';
import type { Json, JsonObject } from '../kit/base/index.ts';
import { decodeText, encodeText } from './codec.ts';
import type { DecodeOptions } from './codec.ts';
import type { MessageKind } from './messages.ts';

/**
 * Makes a testee. With `serde: true` it reads also the spellings that serde reads and never writes. It never throws.
 *
 * @example
 * const free = kodaTesteeWith({ serde: true });
 * free({ id: 1, op: 'koda.decode', kind: 'event', text: '["text_done"]' }); // { id: 1, ok: { text: '{"type":"text_done"}' } }
 */
export const kodaTesteeWith = (
  options: Pick<DecodeOptions, 'serde'>,
): ((request: JsonObject) => JsonObject) =>
  dispatcher({
    name: 'wireproof reference',
    version: '0.1.0',
    hello: { codes: true },
    operations: {
      'koda.decode': (request) => recode(request, options),
      'koda.encode': (request) => recode(request, options),
    },
  });

/**
 * Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` for an operation that it does not know. It never
 * throws.
 *
 * @example
 * kodaTestee({ id: 1, op: 'koda.decode', kind: 'command', text: '{"cmd":"help","type":"slash_command"}' }); // { id: 1, ok: { text: '{"type":"slash_command","cmd":"help"}' } }
 * kodaTestee({ id: 2, op: 'koda.decode', kind: 'event', text: '{"type":"text_delta"}' }); // { id: 2, error: { code: 'missing-field', message: 'text is missing' } }
 */
export const kodaTestee: (request: JsonObject) => JsonObject = kodaTesteeWith({});

/** Decodes a text and encodes its message: both operations take a text, so that numbers survive. */
function recode({ kind, text }: JsonObject, options: DecodeOptions): JsonObject {
  if (!isKind(kind)) throw badInput('kind', 'event or command', kind);
  if (typeof text !== 'string') throw badInput('text', 'a string', text);
  const decoded = decodeText(kind, text, options);
  if (!decoded.ok) throw new RequestRefusal(decoded.error.code, decoded.error.message);
  const { message, ...hidden } = decoded.value;
  // The canonical text may be longer: 1e20 has 21 digits there. The answer is no message of a carrier.
  return { text: encodeText(kind, message, { ...hidden, maxBytes: Infinity }) };
}

const isKind = (kind: Json | undefined): kind is MessageKind => kind === 'event' || kind === 'command';

const badInput = (field: string, expected: string, came: Json | undefined): RequestRefusal =>
  new RequestRefusal(
    'bad-input',
    `expected ${field} to be ${expected}; came ${came === undefined ? 'nothing' : typeof came}`,
  );
