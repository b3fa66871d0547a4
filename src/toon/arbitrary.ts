/**
 * Generators for TOON (Task Orchestration Over Node): messages in canonical form (as the codec decodes them), payloads
 * with and without runs, and frames, some of them badly compressed.
 */
import fc from 'fast-check';
import type { Json, JsonObject } from '../kit/base/index.ts';
import { packageRoot, readUserFile } from '../kit/spec/index.ts';
import { toonCodec } from './codec.ts';
import { HEADER_SIZE, MAX_SEQUENCE_ID } from './frame/header.ts';
import { messageNames, senders } from './messages.ts';
import type { MessageName, OrchestratorMessage, Side, SubagentMessage, ToonMessage } from './messages.ts';
import { COMPRESSION_MAGIC, COMPRESSION_THRESHOLD, RLE_ESCAPE, runLengthEncode } from './frame/rle.ts';

/** Any text of JSON, among them the texts that break implementations. */
const shortText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '__proto__', '\uFFFD', '\uFEFFx', '\0', '\u2028', '\uD800', 'Z', '\u007F', '𝄞'),
);

/** Texts of up to some thousand bytes: with runs of every length, without runs, and with a length near the threshold. */
const longText: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom('x', ' ', 'é', '𝄞'), fc.integer({ min: 1, max: 1500 }))
    .map(([c, n]) => c.repeat(n)),
  fc
    .array(fc.tuple(shortText, fc.nat(600)), { maxLength: 6 })
    .map((parts) => parts.map(([t, n]) => t + '-'.repeat(n)).join('')),
  fc.integer({ min: 980, max: 1040 }).map((n) => 'abc'.repeat(400).slice(0, n)),
);

const text = fc.oneof({ weight: 3, arbitrary: shortText }, { weight: 1, arbitrary: longText });
const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }) as fc.Arbitrary<Json>;
const object: fc.Arbitrary<JsonObject> = fc.dictionary(shortText, json, {
  maxKeys: 3,
  noNullPrototype: true,
});

/** The payloads of spec/toon/payloads.schema.json. */
interface PayloadSchemas {
  readonly definitions: {
    readonly [N in MessageName]: {
      readonly required?: readonly string[];
      readonly properties?: { readonly [key: string]: { readonly type?: keyof typeof values } };
    };
  };
}

const any = fc.oneof(text, json);

/** The values of each type of the schema. Its numbers are a progress from 0 to 1, and milliseconds. */
const values = {
  string: text,
  boolean: fc.boolean(),
  number: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat()),
  object,
};

const { definitions } = JSON.parse(
  readUserFile(`${packageRoot()}/spec/toon/payloads.schema.json`, { kind: 'a schema', most: 65_536 }),
) as PayloadSchemas;

/** Keys that the document does not name: it has none for the context. */
const further: { readonly [N in MessageName]?: { readonly [key: string]: fc.Arbitrary<Json> } } = {
  CONTEXT_RESPONSE: { content: text },
};

function fieldsOf(name: MessageName): fc.Arbitrary<JsonObject> {
  const { required = [], properties = {} } = definitions[name];
  const known = Object.entries(properties).map(
    ([key, { type }]) => [key, type === undefined ? any : values[type]] as const,
  );
  const model: { readonly [key: string]: fc.Arbitrary<Json> } = {
    ...Object.fromEntries(known),
    ...further[name],
  };
  return fc.record(model, { requiredKeys: [...required] });
}

/** A payload of this type: its fields, and unknown keys. */
export const payloadOf = (name: MessageName): fc.Arbitrary<JsonObject> =>
  fc.tuple(object, fieldsOf(name)).map(([unknown, known]) => ({ ...unknown, ...known }));

const sequenceId = fc.oneof(
  fc.integer({ min: 0, max: MAX_SEQUENCE_ID }),
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, MAX_SEQUENCE_ID),
);
const timestamp = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.constantFrom(0n, 1700000000000n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n),
  )
  .map(String);

/** The lengths of a message that is compressed where that makes it shorter (TOON-14, 15). */
function lengthsOf(payload: JsonObject): { payloadLength: number; expandedLength?: number } {
  const plain = new TextEncoder().encode(JSON.stringify(payload));
  const coded = plain.length > COMPRESSION_THRESHOLD ? runLengthEncode(plain).length + 1 : Infinity;
  return coded < plain.length
    ? { payloadLength: coded, expandedLength: plain.length }
    : { payloadLength: plain.length };
}

const messageOf = (name: MessageName): fc.Arbitrary<ToonMessage> =>
  fc
    .record({ type: fc.constant(name), sequenceId, timestamp, payload: payloadOf(name) })
    .map((message) => ({ ...message, ...lengthsOf(message.payload) }) as ToonMessage);

const messagesFrom = <M extends ToonMessage>(side: Side): fc.Arbitrary<M> =>
  fc.oneof(...messageNames.filter((name) => senders[name].includes(side)).map(messageOf)) as fc.Arbitrary<M>;

/** Any message, in canonical form. */
export const toonMessages: fc.Arbitrary<ToonMessage> = fc.oneof(...messageNames.map(messageOf));

export const orchestratorMessages: fc.Arbitrary<OrchestratorMessage> = messagesFrom('orchestrator');

export const subagentMessages: fc.Arbitrary<SubagentMessage> = messagesFrom('subagent');

/** Bytes with many runs, also with lengths near 4 and near 255. */
export const runBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(0x41, 0x42, RLE_ESCAPE, COMPRESSION_MAGIC, 0), fc.nat(255)),
      fc.oneof(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 250, max: 260 }),
        fc.integer({ min: 1, max: 800 }),
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap(([byte, count]) => Array<number>(count).fill(byte))));

/** A badly compressed message: some of its bytes are triples of 1. */
const badlyCompressed = fc.tuple(toonMessages, fc.infiniteStream(fc.boolean())).map(([message, choices]) => {
  const frame = toonCodec.encode({ ...message, compress: false });
  const coded = Array.from(frame.subarray(HEADER_SIZE, HEADER_SIZE + 3000)).flatMap((byte) =>
    choices.next().value === true ? [RLE_ESCAPE, byte, 1] : [byte],
  );
  const rest = frame.subarray(HEADER_SIZE + 3000);
  const bytes = Uint8Array.from([...frame.subarray(0, HEADER_SIZE), COMPRESSION_MAGIC, ...coded, ...rest]);
  new DataView(bytes.buffer).setUint32(2, bytes.length - HEADER_SIZE, true);
  return bytes;
});

/** Frames that a decoder must accept. */
export const toonFrames: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: toonMessages.map((message) => toonCodec.encode(message)) },
  { weight: 1, arbitrary: badlyCompressed },
);
