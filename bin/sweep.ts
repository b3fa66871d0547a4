/** `wireproof selftest SUITE --sweep`: a tool call cut everywhere, in every dialect, for the reference or for mutants. */
import { WireproofError } from '../src/kit/base/index.ts';
import { glob } from '../src/kit/scenario/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import { sweeps } from '../conformance/index.ts';
import type { Sweep, SweepOptions } from '../conformance/llm/client/sweep.ts';
import { dialects } from '../src/llm/index.ts';
import { exitCodes } from './exit.ts';
import { progressLine } from './progress.ts';

/** The flags of a sweep. */
export interface SweepFlags {
  readonly dialect: readonly string[];
  readonly mutant: readonly string[];
  readonly json?: boolean;
}

/** Failures of a dialect that are printed; the others are counted. */
const shown = 3;

/** Who is swept. */
interface Swept {
  readonly name: string;
  readonly target?: NonNullable<SweepOptions['target']>;
}

/** Sweeps. The exit code is 1 where a call that was cut ran. */
export async function sweepSuite(suite: Suite, flags: SweepFlags): Promise<void> {
  const load = Object.hasOwn(sweeps, suite.id) ? sweeps[suite.id] : undefined;
  if (load === undefined)
    throw new WireproofError(
      'usage',
      `${suite.id} has no sweep; there is one of ${Object.keys(sweeps).join(', ')}`,
    );
  const sweep = await load();
  const progress = progressLine();
  let broken = 0;
  for (const { name, target } of sweptOf(suite, flags.mutant)) {
    for (const dialect of dialectsOf(flags.dialect)) {
      const result = sweep({
        dialect,
        ...(target === undefined ? {} : { target }),
        onProgress: (done, of) => progress.show(done, of, `cuts of ${dialect}`),
      });
      progress.clear();
      broken += result.failures.length;
      const text =
        flags.json === true ? JSON.stringify({ name, dialect, ...result }) : lines(name, dialect, result);
      process.stdout.write(`${text}\n`);
    }
  }
  process.exitCode = broken === 0 ? exitCodes.conformant : exitCodes.notConformant;
}

/** The reference, or the mutants that were asked for. */
function sweptOf({ mutants }: Suite, wanted: readonly string[]): readonly Swept[] {
  if (wanted.length === 0) return [{ name: 'reference' }];
  const found = mutants.filter(({ id }) => wanted.some((pattern) => glob(pattern)(id)));
  if (found.length > 0) return found.map(({ id, make }) => ({ name: id, target: () => make() }));
  throw new WireproofError('usage', `no mutant is called ${wanted.join(' or ')}`);
}

function dialectsOf(wanted: readonly string[]): readonly SweepOptions['dialect'][] {
  const unknown = wanted.find((name) => dialects.every((dialect) => dialect !== name));
  if (unknown !== undefined)
    throw new WireproofError('usage', `--dialect ${unknown}: there are ${dialects.join(', ')}`);
  return wanted.length === 0 ? dialects : dialects.filter((name) => wanted.includes(name));
}

function lines(name: string, dialect: string, { runs, failures, ms }: Sweep): string {
  const rows = new Map<string, number>();
  for (const { requirement } of failures) rows.set(requirement, (rows.get(requirement) ?? 0) + 1);
  const verdict =
    failures.length === 0
      ? 'all pass'
      : [...rows].map(([row, count]) => `${row} fails ${count} times`).join(', ');
  const first = failures
    .slice(0, shown)
    .map(
      ({ cut, signal, transport, requirement, message }) =>
        `    cut at ${cut}, ${signal} signal, ${transport} end: ${requirement}: ${message}`,
    );
  const head = `${name}  ${dialect.padEnd(16)}  ${runs} cuts in ${(ms / 1000).toFixed(1)} s: ${verdict}`;
  return [head, ...first].join('\n');
}
