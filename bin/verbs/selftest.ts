/** `wireproof selftest`: proves that every check can fail. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { glob } from '../../src/kit/scenario/index.ts';
import { scenariosOf, selftest as prove, selftestTable, suiteRows } from '../../src/kit/suite/index.ts';
import type { PlayStorm, Suite } from '../../src/kit/suite/index.ts';
import { exitCodes } from '../output/exit.ts';
import { progressLine } from '../output/progress.ts';
import { registry } from '../registry.ts';

/** The flags of `selftest`. */
export interface SelftestFlags {
  readonly seed: string;
  readonly seeds?: string;
  readonly mutant: readonly string[];
  readonly sweep?: boolean;
  readonly quick?: boolean;
  readonly part: readonly string[];
  /** The older name of `part`. */
  readonly dialect: readonly string[];
  readonly json?: boolean;
}

/** Runs the verb: of one suite, or of all suites of a protocol. */
export async function selftest(name: string, flags: SelftestFlags): Promise<void> {
  const protocol = registry.protocol(name);
  if (flags.seeds !== undefined && protocol?.system !== undefined)
    return playStorms(name, await protocol.system(), flags);
  const names = registry.protocols.map((one) => one.name);
  if (protocol === undefined) return selftestSuite(await registry.loadSuite(name, names), flags);
  for (const load of Object.values(protocol.suites)) await selftestSuite(await load(), flags);
}

async function selftestSuite(suite: Suite, flags: SelftestFlags): Promise<void> {
  if (flags.sweep === true) {
    const part = [...flags.part, ...flags.dialect];
    return (await import('./sweep.ts')).sweepSuite(suite, { ...flags, part });
  }
  if (flags.seeds !== undefined) return playStorms(suite.id, await stormOf(suite), flags);
  const wanted = flags.mutant.map(glob);
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted.some((is) => is(id));
  if (wanted.length > 0 && ![...suite.mutants(), ...(suite.lawful?.() ?? [])].some(isWanted)) {
    throw new WireproofError(
      'usage',
      `no mutant or lawful peer is called ${flags.mutant.join(' or ')}; see wireproof list mutants ${suite.id}`,
    );
  }
  const progress = progressLine();
  const began = performance.now();
  const result = prove(suite, {
    requirements: suiteRows(suite).requirements,
    scenarios: scenariosOf(suite),
    seed: flags.seed,
    quick: flags.quick === true,
    onProgress: progress.show,
    ...(wanted.length === 0 ? {} : { mutants: isWanted, lawful: isWanted }),
  });
  progress.clear();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(
    flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${selftestTable(result)}\n`,
  );
  process.stderr.write(`${seconds} s\n`);
  if (result.failures.length > 0) process.exitCode = exitCodes.internal;
}

/** The storm of a suite. @throws WireproofError 'usage' without one */
async function stormOf({ id, protocol, role }: Suite): Promise<PlayStorm> {
  const load = registry.protocol(protocol)?.storms?.[role];
  if (load !== undefined) return load();
  const there = registry.protocols.flatMap(({ name, storms = {} }) =>
    Object.keys(storms).map((one) => `${name}/${one}`),
  );
  throw new WireproofError(
    'usage',
    `${id} has no random conversations; the suites with them are ${there.join(', ')}`,
  );
}

/** Plays random conversations with random faults, one per seed. The reference must violate no rule. */
async function playStorms(id: string, storm: PlayStorm, flags: SelftestFlags): Promise<void> {
  const count = Number(flags.seeds);
  if (!(Number.isInteger(count) && count > 0))
    throw new WireproofError('usage', `--seeds ${flags.seeds ?? ''}: expected a whole number above 0`);
  const from = Number(flags.seed);
  if (!Number.isInteger(from))
    throw new WireproofError(
      'usage',
      `--seed ${flags.seed}: expected a whole number, the first seed of --seeds`,
    );
  const progress = progressLine();
  const began = performance.now();
  const { sessions, events, failures } = storm({
    from,
    count,
    onProgress: (done) => progress.show(done, count, 'conversations'),
  });
  progress.clear();
  const seconds = (performance.now() - began) / 1000;
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ sessions, events, failures }, null, 2)}\n`);
  else {
    for (const { seed, what } of failures)
      process.stdout.write(
        `seed ${seed}: ${what}\n  again: npx wireproof selftest ${id} --seed ${seed} --seeds 1\n`,
      );
    process.stdout.write(
      `${sessions} conversations with random faults, ${events} events, ${failures.length} broken invariants; ${seconds.toFixed(1)} s, ${Math.round((sessions / seconds) * 60)} a minute\n`,
    );
  }
  process.exitCode = failures.length === 0 ? exitCodes.conformant : exitCodes.internal;
}
