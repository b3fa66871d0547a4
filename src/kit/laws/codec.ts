/** The laws of codecs: an encoded message decodes to itself, and no bytes make `decode` throw. */
import fc from 'fast-check';
import type { Codec } from '../base/index.ts';
import { demandSame, textOf } from './value.ts';

/**
 * Round trip: an encoded message decodes to the same message, without a note.
 *
 * @param messages - messages in canonical form, as `decode` returns them
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
 * Total: `decode` throws for no bytes; a refusal is a complete violation; an accepted message survives a second
 * round trip.
 *
 * @param valid - bytes of messages; they are tried unchanged, cut, changed and spliced
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

/** Valid bytes, unchanged or cut short, with bytes changed, removed or inserted, or joined with other valid bytes. */
export function mutated(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const position = fc.nat(0xffff);
  const splice = fc.record({ at: position, remove: fc.nat(4), insert: fc.uint8Array({ maxLength: 4 }) });
  return fc.oneof(
    valid,
    fc.tuple(valid, position).map(([bytes, at]) => bytes.slice(0, at % (bytes.length + 1))),
    fc
      .tuple(valid, fc.array(splice, { minLength: 1, maxLength: 3 }))
      .map(([bytes, edits]) =>
        edits.reduce((b, { at, remove, insert }) => spliced(b, at % (b.length + 1), remove, insert), bytes),
      ),
    fc.tuple(valid, valid).map(([a, b]) => spliced(a, a.length, 0, b)),
    fc.tuple(valid, valid, position).map(([a, b, at]) => spliced(a, at % (a.length + 1), 0, b)),
  );
}

function spliced(bytes: Uint8Array, at: number, remove: number, insert: Uint8Array): Uint8Array {
  const rest = bytes.subarray(Math.min(bytes.length, at + remove));
  const out = new Uint8Array(at + insert.length + rest.length);
  out.set(bytes.subarray(0, at));
  out.set(insert, at);
  out.set(rest, at + insert.length);
  return out;
}
