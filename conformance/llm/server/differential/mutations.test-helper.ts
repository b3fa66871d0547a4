/** Mutations of the reference server's answers: each member of each kind of unit, changed in seven ways. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { simulate } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { isStreamedAnswer, kindOf, serverWith } from '../mutants/mutant.ts';
import type { FaultContext } from '../mutants/mutant.ts';
import { serverScenarios } from '../scenarios.ts';
import { llmServerSuite } from '../suite.ts';

/** A place: the names of members, and `[]` for every item of a list. */
type Place = readonly string[];

export interface Mutation {
  readonly dialect: DialectName;
  /** Whether it is in a stream. Else it is in whole bodies. */
  readonly stream: boolean;
  /** The kind of the units, and the place in them. */
  readonly kind: string;
  readonly place: string;
  readonly change: string;
  readonly make: Mutant['make'];
  /** Whether it changed a unit. It says so when its mutant was played. */
  readonly effect: { seen: boolean };
}

const asText = (value: Json): string => (typeof value === 'string' ? `${value}X` : JSON.stringify(value));

function asList(value: Json): Json {
  if (isArray(value)) return Object.assign({}, value);
  return typeof value === 'string' ? [{ type: 'text', text: value }] : [value];
}

function asEmpty(value: Json): Json {
  if (typeof value === 'string') return '';
  if (isArray(value)) return [];
  return isObject(value) ? {} : value;
}

/** The changes. A list becomes an object under `list`; a number and a text become another one of their type. */
const changes: { readonly [name: string]: (value: Json) => Json | undefined } = {
  missing: () => undefined,
  null: () => null,
  empty: asEmpty,
  number: (value) => (typeof value === 'number' ? value + 1 : 7),
  text: asText,
  list: asList,
  false: (value) => value !== true && false,
};

/** The scenarios in which a judge sees all kinds of units. */
const cases: readonly string[] =
  'text unicode limit tool limit-tool parallel whole whole-limit whole-tool'.split(' ');

const scenariosOf = (dialect: DialectName, stream: boolean) =>
  serverScenarios().filter(({ name }) =>
    cases.some((one) => name === `${dialect}-${one}` && one.startsWith('whole') !== stream),
  );

function addPlaces(value: Json, at: Place, places: Map<string, Place>): void {
  if (at.length > 0) places.set(at.join('.'), at);
  if (isArray(value)) for (const item of value) addPlaces(item, [...at, '[]'], places);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) addPlaces(member ?? null, [...at, name], places);
}

/** A copy with other values at a place. */
function changed(
  value: Json,
  [name, ...rest]: Place,
  change: (value: Json) => Json | undefined,
): Json | undefined {
  if (name === undefined) return change(value);
  if (isArray(value))
    return name === '[]' ? value.flatMap((item) => changed(item, rest, change) ?? []) : value;
  if (!isObject(value) || value[name] === undefined) return value;
  const other = changed(value[name] ?? null, rest, change);
  if (other !== undefined) return { ...value, [name]: other };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

const isMeant = (context: FaultContext, dialect: DialectName, stream: boolean): boolean =>
  context.dialect === dialect &&
  (stream
    ? isStreamedAnswer(context)
    : context.what === 'answer' && context.status === 200 && !context.streams);

/** The kinds of units of the reference, with their places. */
function placesOf(dialect: DialectName, stream: boolean): ReadonlyMap<string, ReadonlyMap<string, Place>> {
  const found = new Map<string, Map<string, Place>>();
  const spy = serverWith({
    unit(unit, context) {
      const kind = stream ? kindOf(unit, context) : 'body';
      if (!isMeant(context, dialect, stream) || kind === 'comment') return [unit];
      const places = found.get(kind) ?? new Map<string, Place>();
      addPlaces(unit.data, [], places);
      found.set(kind, places);
      return [unit];
    },
  });
  for (const scenario of scenariosOf(dialect, stream))
    simulate({ suite: llmServerSuite, scenario, target: spy(), seed: '1' });
  return found;
}

function mutationAt(at: Omit<Mutation, 'make' | 'effect'>, path: Place): Mutation {
  const { dialect, stream, kind, change } = at;
  const effect = { seen: false };
  const edit = (unit: Unit): Unit => {
    const data = changed(unit.data, path, changes[change] ?? (() => undefined)) ?? null;
    effect.seen ||= JSON.stringify(data) !== JSON.stringify(unit.data);
    return { ...unit, data };
  };
  const make = serverWith({
    unit: (unit, context) =>
      isMeant(context, dialect, stream) && (!stream || kindOf(unit, context) === kind)
        ? [edit(unit)]
        : [unit],
  });
  return { ...at, effect, make };
}

export function mutationsOf(dialect: DialectName, stream: boolean): readonly Mutation[] {
  return [...placesOf(dialect, stream)].flatMap(([kind, places]) =>
    [...places].flatMap(([place, path]) =>
      Object.keys(changes).map((change) => mutationAt({ dialect, stream, kind, place, change }, path)),
    ),
  );
}

/** The rows that the judge names for a mutation. */
export function rowsOf({ dialect, stream, make }: Mutation): ReadonlySet<string> {
  const rows = new Set<string>();
  for (const scenario of scenariosOf(dialect, stream)) {
    const { found } = simulate({ suite: llmServerSuite, scenario, target: make(), seed: '1' });
    for (const [row, { violations }] of found) if (violations.length > 0) rows.add(row);
  }
  return rows;
}
