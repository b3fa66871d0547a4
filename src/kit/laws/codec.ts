/** The laws of codecs: what was encoded comes back, and no bytes make `decode` throw. */
import fc from 'fast-check';
import type { Codec } from '../base/index.ts';
import { demandSame, textOf } from './value.ts';

/**
 * Round-trip: what a message was encoded to decodes to the same message, and nothing is noted.
 *
 * @param messages - messages in canonical form: what `decode` would give
 *
 * @example
 * import fc from 'fast-check';
 * import { agentMessages } from '../../fold/arbitrary.ts';
 *
 * fc.assert(roundTrip(agentCodec, agentMessages));
 */
export function roundTrip<M>(codec: Codec<M>, messages: fc.Arbitrary<M>): fc.IProperty<[M]> {
  return fc.property(messages, (message) => {
    const decoded = codec.decode(codec.encode(message));
    if (!decoded.ok) throw new Error(`${codec.name}: its own bytes were refused: ${decoded.error.message}`);
    demandSame(`${codec.name}: round trip`, message, decoded.value.message);
    if (decoded.value.note !== undefined) throw new Error(`${codec.name}: a note: ${decoded.value.note}`);
  });
}

/**
 * Total: `decode` never throws, whatever the bytes; a refusal is a complete violation; and what it accepts, it
 * encodes to bytes that decode to the same again.
 *
 * @param valid - bytes of messages; they are tried as they are, cut, flipped, and spliced
 *
 * @example
 * import fc from 'fast-check';
 * import { agentMessages } from '../../fold/arbitrary.ts';
 *
 * fc.assert(total(agentCodec, agentMessages.map(agentCodec.encode)));
 */
export function total<M>(codec: Codec<M>, valid?: fc.Arbitrary<Uint8Array>): fc.IProperty<[Uint8Array]> {
  const arbitrary = fc.uint8Array({ maxLength: 64 });
  return fc.property(valid === undefined ? arbitrary : fc.oneof(arbitrary, mutated(valid)), (bytes) => {
    const before = textOf(bytes);
    const decoded = codec.decode(bytes);
    if (textOf(bytes) !== before) throw new Error(`${codec.name}: decode changed its input`);
    if (!decoded.ok) {
      const { code, path, message } = decoded.error;
      if (code === '' || typeof path !== 'string' || message === '') {
        throw new Error(
          `${codec.name}: expected a code and a message in a violation; came ${textOf(decoded.error)}`,
        );
      }
      return;
    }
    const { message } = decoded.value;
    const again = codec.decode(codec.encode(message));
    if (!again.ok) throw new Error(`${codec.name}: it refused what it accepted: ${again.error.message}`);
    demandSame(`${codec.name}: decoded, encoded and decoded again`, message, again.value.message);
  });
}

/** Bytes as they are, or cut short, with bytes changed, removed, put in, or with other such bytes behind or inside. */
export function mutated(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const place = fc.nat(0xffff);
  const splice = fc.record({ at: place, remove: fc.nat(4), put: fc.uint8Array({ maxLength: 4 }) });
  return fc.oneof(
    valid,
    fc.tuple(valid, place).map(([bytes, at]) => bytes.slice(0, at % (bytes.length + 1))),
    fc
      .tuple(valid, fc.array(splice, { minLength: 1, maxLength: 3 }))
      .map(([bytes, edits]) =>
        edits.reduce((b, { at, remove, put }) => spliced(b, at % (b.length + 1), remove, put), bytes),
      ),
    fc.tuple(valid, valid).map(([a, b]) => spliced(a, a.length, 0, b)),
    fc.tuple(valid, valid, place).map(([a, b, at]) => spliced(a, at % (a.length + 1), 0, b)),
  );
}

function spliced(bytes: Uint8Array, at: number, remove: number, put: Uint8Array): Uint8Array {
  const rest = bytes.subarray(Math.min(bytes.length, at + remove));
  const out = new Uint8Array(at + put.length + rest.length);
  out.set(bytes.subarray(0, at));
  out.set(put, at);
  out.set(rest, at + put.length);
  return out;
}
