/** `wireproof list`: lists suites, requirements, scenarios, features, mutants or lawful peers. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { scenariosOf, suiteRows } from '../../src/kit/suite/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';
import { print } from '../output/terminal.ts';

type Row = { readonly [column: string]: string };

const tables: { readonly [what: string]: (suite: Suite) => Row[] } = {
  suites: (suite) => [{ suite: suite.id, title: suite.title }],
  requirements: (suite) =>
    suiteRows(suite).requirements.map(({ id, level, feature = '', text }) => ({ id, level, feature, text })),
  scenarios: (suite) =>
    scenariosOf(suite).map(({ name, title, exercises, needs }) => ({
      name,
      needs: [...needs.drive, ...needs.features, ...(needs.carrier ?? [])].join(' '),
      exercises: exercises.join(' '),
      title,
    })),
  features: (suite) =>
    suite.features.map(({ name, advertised, text }) => ({
      feature: name,
      known_by: advertised ? 'advertised on the wire' : 'stated only',
      text,
    })),
  mutants: (suite) => suite.mutants().map(({ id, breaks, title }) => ({ id, breaks, title })),
  lawful: (suite) => (suite.lawful?.() ?? []).map(({ id, title, allowed }) => ({ id, title, allowed })),
};

/** Runs the verb. */
export async function list(
  what: string,
  suiteId: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  const table = Object.hasOwn(tables, what) ? tables[what] : undefined;
  if (table === undefined)
    throw new WireproofError('usage', `list ${what}: the lists are ${Object.keys(tables).join(', ')}`);
  const rows = (await chosenSuites(suiteId)).flatMap(table);
  if (flags.json !== true) return print(alignedColumns(rows));
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
}

/** The suite with a name, or all suites of a protocol; without a name, every suite. */
async function chosenSuites(name: string | undefined): Promise<readonly Suite[]> {
  if (name === undefined) return registry.loadAll();
  const protocol = registry.protocol(name);
  return protocol === undefined
    ? [await registry.loadSuite(name)]
    : Promise.all(Object.values(protocol.suites).map((load) => load()));
}

/** Formats rows as aligned columns. The last column is not padded. */
function alignedColumns(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => (row[name] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${[line(names.map((n) => n.toUpperCase())), ...rows.map((row) => line(names.map((n) => row[n] ?? '')))].join('\n')}\n`;
}
