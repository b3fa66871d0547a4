/** The words in which the tables of test cases are written, and the files that come of them. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { vectorGenerator, vectorSchema } from '../../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';

/** Revision of the requirement list that the cases follow (spec/toon/requirements.yaml). */
export const revision = '1';

/** What the flags of tests mean. */
const notes = {
  'bare-json': 'JSON without the 18-byte header, the likeliest mistake of a first implementation.',
  'default-cap':
    'Rests on the default cap of 16 MiB, on the wire and expanded: give the decoder that cap, whatever its own default is.',
  large: 'The request is longer than 64 KiB.',
  lenient:
    'Implementations differ here, and may: what is demanded is an answer, and that it is right where the input is taken.',
  pair: 'Comes in twos on the same bytes, toon.validate and then toon.decode: TOON-08 is broken where one takes what the other refuses.',
  random: 'Made from the seed.',
} as const;

/** A flag of a test. */
export type Flag = keyof typeof notes;

/** The rows that a wrong answer breaks, by their numbers. */
export type Rows = number | readonly number[];

type Columns = Pick<Vector, 'id' | 'comment' | 'flags' | 'requirements'>;

const columns = (id: string, comment: string, rows: Rows): Columns => ({
  id,
  comment,
  flags: [],
  requirements: [rows].flat().map((row) => `TOON-${String(row).padStart(2, '0')}`),
});

/** The input must be taken, and what is expected must hold of the answer. */
export const valid = (
  id: string,
  comment: string,
  rows: Rows,
  input: JsonObject,
  expect: JsonObject,
): Vector => ({ ...columns(id, comment, rows), ...input, result: 'valid', expect });

/** The input must be refused; the code is left open where two would be right. */
export const invalid = (
  id: string,
  comment: string,
  rows: Rows,
  input: JsonObject,
  error?: string,
): Vector => ({
  ...columns(id, comment, rows),
  ...input,
  result: 'invalid',
  ...(error === undefined ? {} : { error }),
});

/** The input may be refused; where it is taken, what is expected must hold. */
export const acceptable = (
  id: string,
  comment: string,
  rows: Rows,
  input: JsonObject,
  expect: JsonObject,
): Vector => ({ ...columns(id, comment, rows), ...input, result: 'acceptable', expect });

/** The same tests with a flag more. */
export const flagged = (flag: Flag, tests: readonly Vector[]): readonly Vector[] =>
  tests.map((test) => ({ ...test, flags: [...test.flags, flag].toSorted() }));

/** Input of `toon.encode`; what is not said is usual. */
export const sending = (type: string, payload: Json, more: JsonObject = {}): JsonObject => ({
  type,
  payload,
  sequenceId: 1,
  timestamp: '1700000000000',
  compress: true,
  ...more,
});

/** Sending a TOOL_RESULT; without white space its JSON is 26 bytes longer than a `data` of ASCII text. */
export const sendingResult = (data: Json, more: JsonObject = {}): JsonObject =>
  sending('TOOL_RESULT', { success: true, data }, more);

/** A file of vectors: its tests by operation. The notes explain the flags that its tests have. */
export function vectorFile(
  name: string,
  seed: string,
  groups: readonly (readonly [op: string, tests: readonly Vector[]])[],
): VectorFile {
  const used = new Set(groups.flatMap(([, tests]) => tests.flatMap(({ flags }) => flags)));
  const explained = Object.entries(notes).filter(([flag]) => used.has(flag));
  return {
    name: `${name}.json`,
    vectors: {
      schema: vectorSchema,
      protocol: 'toon',
      revision,
      generator: vectorGenerator('toon', seed),
      notes: Object.fromEntries(explained),
      groups: groups.map(([op, tests]) => ({ op, tests })),
    },
  };
}
