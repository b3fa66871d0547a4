/** Reads scenario files. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { JsonObject, Scenario, ScenarioStep, Validator } from '../base/index.ts';
import type { CaseBuilders } from './case-builders.ts';
import { readTests } from './case-tables.ts';
import type { TestTable } from './case-tables.ts';
import { readDocument } from './document.ts';
import { scenario as validator } from './generated/validators.ts';
import { packageRoot } from './root.ts';

interface ScenarioFile {
  readonly title: string;
  readonly suite: string;
  readonly needs?: Partial<Scenario['needs']>;
  readonly exercises?: readonly string[];
  readonly fresh?: boolean;
  readonly alone?: boolean;
  readonly last?: boolean;
  readonly may_fail?: readonly string[];
  readonly reference?: JsonObject;
  readonly processes?: readonly string[];
  readonly peers: { readonly [name: string]: { readonly role: string; readonly options?: JsonObject } };
  readonly steps: readonly ScenarioStep[];
}

/** Reads one scenario file. @throws WireproofError 'usage' with file, line and column */
export function readScenario(file: string): Scenario {
  const { value } = readDocument<ScenarioFile>(file, validator, 'scenario');
  const { needs, exercises = [], peers, steps, ...rest } = value;
  return {
    fresh: false,
    alone: false,
    last: false,
    reference: {},
    ...rest,
    name: basename(file).replace(/\.ya?ml$/, ''),
    needs: { drive: [], features: [], ...needs },
    exercises,
    peers: Object.fromEntries(
      Object.entries(peers).map(([name, { role, options = {} }]) => [
        name,
        {
          role,
          options,
        },
      ]),
    ),
    steps: withSends(steps),
  };
}

/** Where a protocol's scenarios lie. */
const scenarioFolder = (protocol: string): string => join(packageRoot(), 'fixtures', protocol, 'scenarios');

/** The keys of steps. Another key is the name of a peer; the schema says which. */
const stepWords: ReadonlySet<string> = new Set(
  'send raw mark await as else soon quiet stop end fault barrier parallel repeat verbatim'.split(' '),
);

/** The steps of a file. A call of a peer, such as `operator: {send: {…}}`, becomes a `send` from this peer. */
const withSends = (steps: readonly ScenarioStep[]): readonly ScenarioStep[] =>
  steps.map((step) => {
    if ('parallel' in step) return { ...step, parallel: step.parallel.map(withSends) };
    if ('repeat' in step) return { ...step, repeat: { ...step.repeat, steps: withSends(step.repeat.steps) } };
    const call = Object.entries<unknown>({ ...step }).find(([key]) => !stepWords.has(key));
    if (call === undefined) return step;
    const [from, message] = call;
    // The schema has checked both members.
    const { as } = step as { readonly as?: { readonly [name: string]: 'uuid' | 'nonce' } };
    return { send: { from, message: message as JsonObject }, ...(as === undefined ? {} : { as }) };
  });

/** Reads all scenarios of a suite, in order of name. */
export function readScenarios(protocol: string, suite: string): readonly Scenario[] {
  const folder = scenarioFolder(protocol);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => readScenario(join(folder, name)))
    .filter((scenario) => scenario.suite === suite);
}

/**
 * Reads a table of which a suite makes scenarios.
 *
 * @param table - its role and theme, such as `client/turns`
 * @throws WireproofError 'usage' with file, line and column
 */
export const readScenarioTests = <T>(
  protocol: string,
  table: string,
  builders: CaseBuilders,
  schema: Validator,
): TestTable<T> => readTests(join(scenarioFolder(protocol), `${table}.yaml`), builders, schema);
