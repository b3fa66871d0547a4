/** Reads the tables of scenarios: `fixtures/llm/scenarios/<role>/<theme>.yaml`. */
import type { Json, JsonObject, Validator } from '../../src/kit/base/index.ts';
import { readScenarioTests } from '../../src/kit/spec/index.ts';
import type { CaseBuilders, TestTable } from '../../src/kit/spec/index.ts';
import { dialects } from '../../src/llm/index.ts';
import type { DialectName } from '../../src/llm/index.ts';

/** What each test has: those of one name and dialect belong to one scenario. */
export interface ScenarioTest {
  readonly name: string;
  readonly title: string;
  /** Rows, or lists of rows. */
  readonly exercises: readonly (string | readonly string[])[];
}

/** A test that is played in several dialects. */
export interface DialectTest extends ScenarioTest {
  /** Rows that it exercises in single dialects, or in the profile of a dialect. */
  readonly own?: { readonly [dialect: string]: readonly string[] };
  /** The dialects in which it can occur. The default is all. */
  readonly dialects?: readonly DialectName[];
}

/** Variables that the player of a scenario fills in. Tables leave them as they are. */
const played: CaseBuilders = Object.fromEntries(['any', 'tmp'].map((name) => [name, (): Json => `$${name}`]));

/**
 * The tests of a table.
 *
 * @param table - its role and theme, such as `client/turns`
 * @throws WireproofError 'usage' with file, line and column
 */
export const testsOfTable = <T extends ScenarioTest>(
  table: string,
  builders: CaseBuilders,
  schema: Validator,
): TestTable<T> => readScenarioTests<T>('llm', table, { ...played, ...builders }, schema);

/** Tests by name, in the order of the table. */
export function testsByName<T extends ScenarioTest>(tests: readonly T[]): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const test of tests) {
    const group = groups.get(test.name);
    if (group === undefined) groups.set(test.name, [test]);
    else group.push(test);
  }
  return [...groups.values()];
}

/** Whether a test is played in a dialect. */
export const occursIn = (test: DialectTest, dialect: DialectName): boolean =>
  test.dialects?.includes(dialect) ?? true;

/** The dialects in which some of these tests can occur, with those tests. */
export const testsByDialect = <T extends DialectTest>(
  tests: readonly T[],
): readonly (readonly [DialectName, readonly T[]])[] =>
  dialects
    .map((dialect) => [dialect, tests.filter((test) => occursIn(test, dialect))] as const)
    .filter(([, own]) => own.length > 0);

/** The rows of a test. @param dialect - the dialect, or a profile of it that has rows of its own */
export const rowsOf = ({ exercises, own }: DialectTest, dialect: string): readonly string[] => [
  ...exercises.flat(),
  ...(own?.[dialect] ?? []),
];

/** The other members of a test, such as the words of its answer. */
export const membersExcept = (test: ScenarioTest, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(test).filter(([name]) => !names.has(name)));
