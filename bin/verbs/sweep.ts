/** `wireproof selftest SUITE --sweep`: tries one fault at every position, for the reference or for mutants. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { glob } from '../../src/kit/scenario/index.ts';
import type { MakePeer, Suite, Sweep, Sweeper } from '../../src/kit/suite/index.ts';
import { exitCodes } from '../output/exit.ts';
import { progressLine } from '../output/progress.ts';
import { registry } from '../registry.ts';

/** The flags of a sweep. */
export interface SweepFlags {
  readonly part: readonly string[];
  readonly mutant: readonly string[];
  readonly json?: boolean;
}

/** The most failures of a part that are printed. All are counted. */
const maxPrintedFailures = 3;

/** A target of a sweep: the reference (without `target`) or a mutant. */
interface SweepTarget {
  readonly name: string;
  readonly target?: () => MakePeer;
}

/** Runs the sweep. The exit code is 1 when a requirement was violated. */
export async function sweepSuite(suite: Suite, flags: SweepFlags): Promise<void> {
  const sweeper = await sweeperOf(suite);
  const progress = progressLine();
  let violations = 0;
  for (const { name, target } of sweepTargetsOf(suite, flags.mutant)) {
    for (const part of partsOf(sweeper, flags.part)) {
      const result = sweeper.sweep({
        part,
        ...(target === undefined ? {} : { target }),
        onProgress: (done, of) => progress.show(done, of, part),
      });
      progress.clear();
      violations += result.failures.length;
      const text =
        flags.json === true ? JSON.stringify({ name, part, ...result }) : resultLines(name, part, result);
      process.stdout.write(`${text}\n`);
    }
  }
  process.exitCode = violations === 0 ? exitCodes.conformant : exitCodes.notConformant;
}

async function sweeperOf(suite: Suite): Promise<Sweeper> {
  const load = registry.protocol(suite.protocol)?.sweeps?.[suite.role];
  if (load !== undefined) return load();
  const there = registry.protocols.flatMap(({ name, sweeps = {} }) =>
    Object.keys(sweeps).map((role) => `${name}/${role}`),
  );
  throw new WireproofError(
    'usage',
    `${suite.id} has no sweep; the suites with a sweep are ${there.join(', ')}`,
  );
}

/** The reference, or the mutants that `--mutant` names. */
function sweepTargetsOf({ mutants }: Suite, wanted: readonly string[]): readonly SweepTarget[] {
  if (wanted.length === 0) return [{ name: 'reference' }];
  const found = mutants().filter(({ id }) => wanted.some((pattern) => glob(pattern)(id)));
  if (found.length > 0) return found.map(({ id, make }) => ({ name: id, target: () => make() }));
  throw new WireproofError('usage', `no mutant is called ${wanted.join(' or ')}`);
}

function partsOf({ parts }: Sweeper, wanted: readonly string[]): readonly string[] {
  const unknown = wanted.find((name) => !parts.includes(name));
  if (unknown !== undefined)
    throw new WireproofError('usage', `--part ${unknown}: the parts are ${parts.join(', ')}`);
  return wanted.length === 0 ? parts : parts.filter((name) => wanted.includes(name));
}

function resultLines(name: string, part: string, { runs, failures, ms }: Sweep): string {
  const rows = new Map<string, number>();
  for (const { requirement } of failures) rows.set(requirement, (rows.get(requirement) ?? 0) + 1);
  const verdict =
    failures.length === 0
      ? 'all pass'
      : [...rows].map(([row, count]) => `${row} fails ${count} times`).join(', ');
  const first = failures
    .slice(0, maxPrintedFailures)
    .map(({ place, requirement, message }) => `    ${place}: ${requirement}: ${message}`);
  const head = `${name}  ${part.padEnd(16)}  ${runs} places in ${(ms / 1000).toFixed(1)} s: ${verdict}`;
  return [head, ...first].join('\n');
}
