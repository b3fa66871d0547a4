/** `wireproof selftest SUITE --sweep`: one thing tried at every place, for the reference or for mutants. */
import { WireproofError } from '../src/kit/base/index.ts';
import { glob } from '../src/kit/scenario/index.ts';
import type { MakePeer, Suite, Sweep, Sweeper } from '../src/kit/suite/index.ts';
import { exitCodes } from './exit.ts';
import { progressLine } from './progress.ts';
import { registry } from './registry.ts';

/** The flags of a sweep. */
export interface SweepFlags {
  readonly part: readonly string[];
  readonly mutant: readonly string[];
  readonly json?: boolean;
}

/** Failures of a part that are printed; the others are counted. */
const printed = 3;

/** A target of a sweep. */
interface Swept {
  readonly name: string;
  readonly target?: () => MakePeer;
}

/** Sweeps. The exit code is 1 where a requirement was broken. */
export async function sweepSuite(suite: Suite, flags: SweepFlags): Promise<void> {
  const sweeper = await sweeperOf(suite);
  const progress = progressLine();
  let broken = 0;
  for (const { name, target } of sweptOf(suite, flags.mutant)) {
    for (const part of partsOf(sweeper, flags.part)) {
      const result = sweeper.sweep({
        part,
        ...(target === undefined ? {} : { target }),
        onProgress: (done, of) => progress.show(done, of, part),
      });
      progress.clear();
      broken += result.failures.length;
      const text =
        flags.json === true ? JSON.stringify({ name, part, ...result }) : lines(name, part, result);
      process.stdout.write(`${text}\n`);
    }
  }
  process.exitCode = broken === 0 ? exitCodes.conformant : exitCodes.notConformant;
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

/** The reference, or the mutants that were asked for. */
function sweptOf({ mutants }: Suite, wanted: readonly string[]): readonly Swept[] {
  if (wanted.length === 0) return [{ name: 'reference' }];
  const found = mutants.filter(({ id }) => wanted.some((pattern) => glob(pattern)(id)));
  if (found.length > 0) return found.map(({ id, make }) => ({ name: id, target: () => make() }));
  throw new WireproofError('usage', `no mutant is called ${wanted.join(' or ')}`);
}

function partsOf({ parts }: Sweeper, wanted: readonly string[]): readonly string[] {
  const unknown = wanted.find((name) => !parts.includes(name));
  if (unknown !== undefined)
    throw new WireproofError('usage', `--part ${unknown}: the parts are ${parts.join(', ')}`);
  return wanted.length === 0 ? parts : parts.filter((name) => wanted.includes(name));
}

function lines(name: string, part: string, { runs, failures, ms }: Sweep): string {
  const rows = new Map<string, number>();
  for (const { requirement } of failures) rows.set(requirement, (rows.get(requirement) ?? 0) + 1);
  const verdict =
    failures.length === 0
      ? 'all pass'
      : [...rows].map(([row, count]) => `${row} fails ${count} times`).join(', ');
  const first = failures
    .slice(0, printed)
    .map(({ place, requirement, message }) => `    ${place}: ${requirement}: ${message}`);
  const head = `${name}  ${part.padEnd(16)}  ${runs} places in ${(ms / 1000).toFixed(1)} s: ${verdict}`;
  return [head, ...first].join('\n');
}
