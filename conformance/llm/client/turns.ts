/** The turns of clients: fixtures/llm/scenarios/client/turns.yaml, and the words of its own. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, ScenarioStep } from '../../../src/kit/base/index.ts';
import { objectArgument, textArgument, textBuilders } from '../../../src/kit/spec/index.ts';
import type { CaseBuilders } from '../../../src/kit/spec/index.ts';
import { frameUnit } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { turnTest } from '../generated/scenario-validators.ts';
import { membersExcept, testsOfTable, rowsOf, testsByDialect, testsByName } from '../scenario-tables.ts';
import type { DialectTest } from '../scenario-tables.ts';
import {
  applyPatch,
  cutArguments,
  eagerTools,
  listNotes,
  patchTools,
  readNote,
  unicode,
  writeNote,
} from './notes.ts';

/** One `llm.turn`, and the provider's answers to its requests. */
export interface CaseTurn {
  /** Answers the first request: a turn of a script, without its match. */
  readonly answer: JsonObject;
  /** Answers to the requests that follow. By default each gets a short text. */
  readonly later?: readonly JsonObject[];
  /** Fields of the request that are added to the common fields, or replace them. */
  readonly asks?: JsonObject;
  /** Facts about the turn for rules. */
  readonly about?: JsonObject;
  /** Further conditions of the first answer. Other requests get a short text. */
  readonly match?: JsonObject;
  /** Steps, or lists of steps, between the request and the end of the answer. */
  readonly meanwhile?: readonly (ScenarioStep | readonly ScenarioStep[])[];
  /** Replaces the usual step that waits for the answer. */
  readonly awaits?: readonly ScenarioStep[];
}

/** A turn as its table has it. Further members are the answer's. */
interface TurnTest extends DialectTest, Omit<CaseTurn, 'answer'> {
  readonly features?: readonly string[];
}

/** The turns that one scenario plays in one dialect. */
export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly CaseTurn[];
  readonly exercises?: readonly string[];
  readonly features?: readonly string[];
}

const dataLine = (value: Json | undefined): string => `data: ${JSON.stringify(value)}\n\n`;

const builders: CaseBuilders = {
  ...textBuilders,
  unicode: () => unicode,
  every_kind: () => cutArguments,
  write: (input) => writeNote(objectArgument(input)),
  read: (title) => readNote(textArgument(title)),
  list: () => listNotes,
  patch: (file) => applyPatch(textArgument(file)),
  patch_tools: () => patchTools,
  eager_tools: () => eagerTools,
  /** An event of SSE with the name that is its type. */
  event: (value) => `event: ${textArgument(objectArgument(value)['type'])}\n${dataLine(value)}`,
  /** An event of SSE with the name that is its event_type. */
  interaction: (value) => `event: ${textArgument(objectArgument(value)['event_type'])}\n${dataLine(value)}`,
  data: dataLine,
  line: (value) => `${JSON.stringify(value)}\n`,
  /** Writes of the provider that its script does not name. */
  raw: (...writes) =>
    writes.map((write) => ({ raw: { from: 'provider', hex: Buffer.from(bytesOf(write)).toString('hex') } })),
};

/** The bytes of a write: a text, or a unit of an event stream. */
const bytesOf = (write: Json | undefined): Uint8Array =>
  isObject(write)
    ? frameUnit('eventstream', { event: textArgument(write['event']), data: write['data'] ?? null }, 'lf')
    : Buffer.from(textArgument(write));

let read: readonly TurnTest[] | undefined;
const turnTests = (): readonly TurnTest[] =>
  (read ??= testsOfTable<TurnTest>('client/turns', builders, turnTest).tests);

/** The members of a test that are not its answer's. */
const ownMembers: ReadonlySet<string> = new Set(
  'name title exercises own dialects features later asks about match meanwhile awaits'.split(' '),
);

const turnOf = (test: TurnTest): CaseTurn => ({ ...test, answer: membersExcept(test, ownMembers) });

function sceneOf(tests: readonly TurnTest[], first: TurnTest, dialect: DialectName): Scene {
  const { name, title, features } = first;
  return {
    name: `${dialect}-${name}`,
    title: `${dialect}: ${title}`,
    turns: tests.map(turnOf),
    exercises: rowsOf(first, dialect),
    ...(features === undefined ? {} : { features }),
  };
}

/** All scenes, in the order of play. */
export const scenes = (): readonly (readonly [Scene, DialectName])[] =>
  testsByName(turnTests()).flatMap((tests) =>
    testsByDialect(tests).map(([dialect, own]) => [sceneOf(own, tests[0], dialect), dialect] as const),
  );

/** The forms in which servers of a dialect send one and the same answer: the variants of the turns named `forms`. */
export function formsOf(dialect: DialectName): readonly Json[] {
  const forms = turnTests().filter(({ name, dialects }) => name === 'forms' && dialects?.includes(dialect));
  return [
    ...new Map(
      forms.map(turnOf).map(({ answer: { variants = {} } }) => [JSON.stringify(variants), variants]),
    ).values(),
  ];
}
