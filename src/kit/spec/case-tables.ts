/**
 * Case tables: tests written by hand in YAML, of which golden vectors are made. A table has columns and rows, and what
 * its tests have in common; builders of the protocol make bytes and texts of what a person can read.
 * spec/formats/cases.schema.json says what the files hold.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isArray, isObject, pathOf, schemaRefusal, WireproofError } from '../base/index.ts';
import type { Json, JsonObject, Validator } from '../base/index.ts';
import { readDocument } from './document.ts';
import { cases as validator } from './generated/validators.ts';
import { packageRoot } from './root.ts';
import { listArgument } from './case-builders.ts';
import type { CaseBuilders } from './case-builders.ts';

/** A test as its table has it, with everything filled in. */
export type Case = JsonObject;

/** The tests of a file. */
export interface CaseFile {
  /** The file's name without its ending. */
  readonly theme: string;
  readonly groups: readonly { readonly op: string; readonly cases: readonly Case[] }[];
}

/** The tests of a protocol, and what their flags mean. */
export interface CaseTables {
  readonly files: readonly CaseFile[];
  readonly notes: { readonly [flag: string]: string };
}

/** Tests of one table that a schema has checked. */
export interface TestTable<T> {
  readonly tests: readonly T[];
}

interface Node extends JsonObject {
  readonly columns?: readonly string[];
  readonly rows?: string | readonly Json[] | { readonly from: number; readonly to: number };
  readonly tests?: readonly Node[];
}

interface Document {
  readonly notes?: { readonly [flag: string]: string };
  readonly values?: JsonObject;
  readonly groups?: readonly (Node & { readonly op: string })[];
}

/** What names stand for where a value is expanded. */
interface Scope {
  readonly values: JsonObject;
  readonly builders: CaseBuilders;
}

/** The kind of these documents, as a refusal names it. */
export const tableKind = 'case table';

/** Where a protocol's case tables lie. */
export const caseFolder = (protocol: string): string => join(packageRoot(), 'fixtures', protocol, 'cases');

/**
 * Reads the case tables of a folder, in order of names; `buildersOf` gives what a file may use.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readCaseTables(folder: string, buildersOf: (theme: string) => CaseBuilders): CaseTables {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const read = names.toSorted().map((name) => {
    const theme = name.replace(/\.yaml$/, '');
    return { theme, ...readTable(join(folder, name), buildersOf(theme)) };
  });
  return {
    files: read.filter(({ groups }) => groups.length > 0),
    notes: Object.fromEntries(read.flatMap(({ notes = {} }) => Object.entries(notes))),
  };
}

/**
 * Reads the tests of one table, in their order. Each is held to a schema when everything is filled in.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readTests<T>(file: string, builders: CaseBuilders, schema: Validator): TestTable<T> {
  const tests: readonly unknown[] = readTable(file, builders, schema).groups.flatMap(({ cases }) => cases);
  return { tests: tests as readonly T[] };
}

function readTable(
  file: string,
  builders: CaseBuilders,
  schema?: Validator,
): Pick<CaseFile, 'groups'> & { readonly notes: Document['notes'] | undefined } {
  const { value, at } = readDocument<Document>(file, validator, tableKind);
  const groups = groupsOf(value, builders, (pointer) => `${file}:${at(pointer)}`, schema);
  return { groups, notes: value.notes };
}

function groupsOf(
  { values = {}, groups = [] }: Document,
  builders: CaseBuilders,
  placeOf: (pointer: string) => string,
  schema: Validator | undefined,
): CaseFile['groups'] {
  const within = <T>(pointer: string, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new WireproofError('usage', `${placeOf(pointer)}: ${why}`, { cause: error });
    }
  };
  const made: Record<string, Json> = {};
  const scope: Scope = { builders, values: made };
  for (const [name, value] of Object.entries(values))
    made[name] = within(`/values/${name}`, () => expand(value, scope));
  const casesOf = (node: Node, common: JsonObject, around: Scope, pointer: string): readonly Case[] => {
    const { columns, rows, tests, ...own } = node;
    const all = { ...common, ...own };
    return within(pointer, () => scopesOf(around, columns, rows)).flatMap((each) =>
      tests === undefined
        ? [within(pointer, () => checked(expandObject(all, each), schema))]
        : tests.flatMap((test, i) => casesOf(test, all, each, `${pointer}/tests/${i}`)),
    );
  };
  return groups.map(({ op, ...group }, g) => ({
    op,
    cases: casesOf(group, {}, scope, `/groups/${g}`),
  }));
}

function checked(test: Case, schema: Validator | undefined): Case {
  const refused = schema === undefined ? undefined : schemaRefusal(schema, test);
  if (refused === undefined) return test;
  const { fault, expected, came } = refused;
  const path = fault.instancePath === '' ? '' : `${pathOf(fault.instancePath)}: `;
  throw new Error(`not such a test: ${path}expected ${expected}; came ${came}`);
}

/** A scope for each row; without rows, the one around. */
function scopesOf(around: Scope, columns: Node['columns'], rows: Node['rows']): readonly Scope[] {
  if (columns === undefined || rows === undefined) return [around];
  return rowsIn(rows, around).map((row) => {
    const cells = isArray(row) && columns.length > 1 ? row : [row];
    if (cells.length !== columns.length)
      throw new Error(`expected rows of ${columns.length} cells; came ${JSON.stringify(row)}`);
    const values = columns.map((column, i) => [column, cells[i] ?? null] as const);
    return { ...around, values: { ...around.values, ...Object.fromEntries(values) } };
  });
}

/** Rows as they are, by the name of a value, or as a range of integers. */
function rowsIn(rows: NonNullable<Node['rows']>, scope: Scope): readonly Json[] {
  if (typeof rows === 'object' && 'from' in rows)
    return Array.from({ length: rows.to - rows.from + 1 }, (_, i) => rows.from + i);
  return listArgument(expand(rows, scope));
}

const whole = /^\$([A-Za-z_]\w*)$/;
const inside = /\$\{([A-Za-z_]\w*)\}/g;

/** A copy of a value with its names and builders filled in. */
function expand(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return expandText(value, scope);
  if (isArray(value)) return value.map((one) => expand(one, scope));
  if (!isObject(value)) return value;
  const [first, ...others] = Object.entries(value);
  const builder = others.length === 0 ? whole.exec(first?.[0] ?? '')?.[1] : undefined;
  if (builder === undefined) return expandObject(value, scope);
  const made = expand(first?.[1] ?? null, scope);
  return build(builder, isArray(made) ? made : [made], scope);
}

const expandObject = (object: JsonObject, scope: Scope): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, one]) => [key, expand(one, scope)]));

function expandText(text: string, scope: Scope): Json {
  const name = whole.exec(text)?.[1];
  if (name !== undefined) return valueOf(name, scope);
  return text.replaceAll(inside, (_, inner: string) => {
    const value = valueOf(inner, scope);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function valueOf(name: string, scope: Scope): Json {
  return Object.hasOwn(scope.values, name) ? (scope.values[name] ?? null) : build(name, [], scope);
}

function build(name: string, args: readonly Json[], { builders, values }: Scope): Json {
  const builder = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (builder !== undefined) return builder(...args);
  const there = [...Object.keys(values), ...Object.keys(builders)].join(', ');
  throw new Error(`unknown name $${name}; there are ${there}`);
}
