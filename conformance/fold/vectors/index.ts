/**
 * Makes the golden vectors of Fold: every field of spec/fold/coven.proto, the source's numbers and odd bytes as the case
 * tables have them, and random messages. The reference codec is not used for that.
 */
import { packageRoot, readUserFile, textArgument } from '../../../src/kit/spec/index.ts';
import type { CaseBuilders } from '../../../src/kit/spec/index.ts';
import type { VectorSource } from '../../../src/kit/testee/index.ts';
import { listArgument, numberArgument } from '../../../src/kit/spec/index.ts';
import { fieldTests } from './fields.ts';
import { randomMessages } from './random.ts';
import { readProto } from './schema.ts';
import type { ProtoSchema } from './schema.ts';
import { bytesOf, fieldsIn, hexOf, written } from './wire.ts';

/** The schema of the published messages. */
export const covenSchema = (): ProtoSchema =>
  readProto(readUserFile(`${packageRoot()}/spec/fold/coven.proto`, { kind: 'a schema' }));

const builders: CaseBuilders = {
  /** Bytes written by hand, one part after another; between the digits there may be spaces. */
  hex: (...parts) => hexOf(parts.flatMap((part) => [...bytesOf(textArgument(part))])),
  /** The bytes of fields: `[[number, value], …]`. */
  fields: (...fields) => hexOf(written(fieldsIn(fields))),
  /** The same bytes several times. */
  times: (hex, n) => textArgument(hex).repeat(numberArgument(n)),
  /** An object with one member. */
  keyed: (key, value) => ({ [textArgument(key)]: value ?? null }),
  flat: (...lists) => lists.flatMap((list) => [...listArgument(list)]),
};

export function foldVectorSource(): VectorSource {
  const schema = covenSchema();
  return {
    protocol: 'fold',
    buildersOf: () => builders,
    made: { fields: () => ({ 'fold.decode': fieldTests(schema) }) },
    random: { random: randomMessages(schema) },
  };
}
