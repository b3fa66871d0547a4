/** The words in which the tables of test cases are written. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';

/** A request, and the facts that must hold of its answer. */
export interface TokensTest {
  /** Permanent and unique. */
  readonly id: string;
  /** What is shown, in words. */
  readonly comment: string;
  readonly op: string;
  /** The row that a wrong answer breaks. */
  readonly requirement: string;
  /** What the request has beside its `id` and `op`. */
  readonly input: JsonObject;
  /** Facts by name, with what they must be (`../judge.ts`). */
  readonly expect: JsonObject;
  /** Put to the testee a second time, with the messages that it answered: it must answer these again. */
  readonly again?: boolean;
}

/** A test of an operation; `row` is the requirement's number. */
export type Make = (
  id: string,
  comment: string,
  row: number,
  input: JsonObject,
  expect: JsonObject,
) => TokensTest;

/** Tests of one operation. */
export const testsOf =
  (op: string): Make =>
  (id, comment, row, input, expect) => ({
    id,
    comment,
    op,
    requirement: `TOK-${String(row).padStart(2, '0')}`,
    input,
    expect,
  });

/** A tool: `required` names some of its `properties`, each by the schema of its own. */
export const tool = (name: string, properties: JsonObject, required: readonly string[]): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties, required: [...required] },
});

/** A call; without an input where there is none. */
export const call = (id: string, name: string, input?: Json): JsonObject => ({
  id,
  name,
  ...(input === undefined ? {} : { input }),
});
