/** The codec against the laws of codecs, and against protobufjs' own reading of the schema. */
import { join } from 'node:path';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import type { Codec } from '../kit/base/index.ts';
import { roundTrip, total } from '../kit/laws/index.ts';
import { packageRoot } from '../kit/spec/index.ts';
import { agentMessages, serverMessages } from './arbitrary.ts';
import { agentCodec, serverCodec } from './codec.ts';

const runs = { numRuns: 3000, seed: 7 };
const agentBytes = agentMessages.map(agentCodec.encode);
const serverBytes = serverMessages.map(serverCodec.encode);

describe('the laws of codecs', () => {
  it('hold for what agents send', () => {
    fc.assert(roundTrip(agentCodec, agentMessages), runs);
    fc.assert(total(agentCodec, agentBytes), runs);
  });

  it('hold for what gateways send', () => {
    fc.assert(roundTrip(serverCodec, serverMessages), runs);
    fc.assert(total(serverCodec, serverBytes), runs);
  });

  it('hold for texts of any bytes, in a Buffer or not', () => {
    const bad = fc.array(fc.constantFrom(0x61, 0x80, 0xa0, 0xc3, 0xed, 0xff), { minLength: 1, maxLength: 9 });
    const texts = bad.map((b) => [0x12, b.length + 2, 0x1a, b.length, ...b]);
    const buffers = texts.map((b) => Buffer.from(b));
    const arrays = texts.map((b) => new Uint8Array(b));
    for (const bytes of [buffers, arrays]) fc.assert(total(agentCodec, bytes), runs);
  });
});

const schema = new protobuf.Root();
schema.loadSync(join(packageRoot(), 'spec', 'fold', 'coven.proto'), { keepCase: true });

/** That the codec and protobufjs by reflection agree on the bytes of a message, and on the message of its bytes. */
function agreement<M extends object>(codec: Codec<M>, messages: fc.Arbitrary<M>): fc.IProperty<[M]> {
  const type = schema.lookupType(codec.name);
  return fc.property(messages, (message) => {
    const bytes = type.encode(type.fromObject(message)).finish();
    expect(Buffer.from(codec.encode(message)).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
    const theirs = type.toObject(type.decode(bytes), { longs: String, enums: String, bytes: String });
    expect(codec.decode(bytes)).toEqual({
      ok: true,
      value: { message: JSON.parse(JSON.stringify(theirs)) as M },
    });
  });
}

describe('against protobufjs by reflection', () => {
  it('has the same bytes, and reads them as the same message, for what agents send', () => {
    fc.assert(agreement(agentCodec, agentMessages), runs);
  });

  it('has the same bytes, and reads them as the same message, for what gateways send', () => {
    fc.assert(agreement(serverCodec, serverMessages), runs);
  });
});
