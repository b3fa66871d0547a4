/** Refuses reports that are not all shards of one run, and says what differs. */
import { WireproofError, clip } from '../base/index.ts';
import type { Report, ShardFacts } from '../base/index.ts';

/** The report of a shard, and its name in refusals: its file. */
export interface ShardReport {
  readonly name: string;
  readonly report: Report;
}

/** A report that holds the facts of its shard. */
export type Shard = Report & { readonly shard: ShardFacts };

const refuse = (message: string): WireproofError => new WireproofError('usage', message);

interface NamedShard {
  readonly name: string;
  readonly shard: Shard;
}

const isShard = (report: Report): report is Shard => report.shard !== undefined;

/**
 * The shards in the order of their numbers.
 *
 * @throws WireproofError 'usage' when one is missing, comes twice, or is of another run
 */
export function onlyAgreeing(given: readonly ShardReport[]): readonly Shard[] {
  const named = given.map(({ name, report }): NamedShard => {
    if (isShard(report)) return { name, shard: report };
    throw refuse(
      `${name}: the report of a whole run; expected that of a shard (wireproof check --shard 1/2 --report json=…)`,
    );
  });
  const [first, ...others] = named;
  if (first === undefined) throw refuse('no report to merge');
  for (const other of others) refuseDifference(first, other);
  refuseOtherDrive(named);
  refuseWrongParts(named);
  return named.map(({ shard }) => shard).toSorted((a, b) => a.shard.part - b.shard.part);
}

/** The facts that all shards of a run share, with the flag that makes them agree. */
const shared: readonly (readonly [string, (shard: Shard) => unknown, string])[] = [
  ['kit', ({ kit }) => kit, 'use one version of wireproof'],
  ['suite', ({ suite }) => suite, 'check one suite'],
  ['revision', ({ revision }) => revision, 'use one version of wireproof'],
  ['target', ({ target }) => target, 'check one target'],
  ['number of shards', ({ shard }) => shard.of, 'give each shard the same n of --shard i/n'],
  ['seed', ({ seed }) => seed, 'give each shard the same --seed'],
  ['strict', ({ strict }) => strict, 'give --strict to all shards, or to none'],
  ['named drive', ({ shard }) => shard.drive_named, 'give each shard the same --drive'],
  [
    'selection',
    ({ shard }) => shard.selected,
    'give each shard the same --only, --skip, --level and --scenario',
  ],
  ['requirements', ({ shard }) => shard.requirements, 'give each shard the same --only, --skip and --level'],
  ['scenarios', ({ shard }) => shard.scenarios, 'give each shard the same statement and --scenario'],
  ['expected failures', ({ shard }) => shard.expected, 'give each shard the same statement'],
  ['excuses', ({ shard }) => shard.excused, 'give each shard the same statement'],
];

function refuseDifference(first: NamedShard, other: NamedShard): void {
  for (const [what, of, advice] of shared) {
    const [a, b] = [first, other].map(({ shard }) => JSON.stringify(of(shard)) ?? 'absent');
    if (a === b || a === undefined || b === undefined) continue;
    const isShort = Math.max(a.length, b.length) <= 120;
    const seen = isShort
      ? `${a} in ${first.name}, and ${b} in ${other.name}`
      : `another in ${first.name} than in ${other.name}`;
    throw refuse(`not shards of one run: the ${what} is ${clip(seen, 400)}; ${advice}`);
  }
}

/** A shard whose target did not start has shown no drive. */
function refuseOtherDrive(named: readonly NamedShard[]): void {
  const [first, ...others] = named.filter(({ shard }) => shard.shard.met);
  const other = others.find(({ shard }) => shard.drive !== first?.shard.drive);
  if (first === undefined || other === undefined) return;
  throw refuse(
    `the target was driven in another way in each shard: ${first.shard.drive} in ${first.name}, and ${other.shard.drive} in ${other.name}; name the drive of each check: wireproof check --drive NAME --shard i/n`,
  );
}

/** The most missing shards that a refusal lists. */
const listedAtMost = 16;

function refuseWrongParts(named: readonly NamedShard[]): void {
  const of = named[0]?.shard.shard.of ?? 0;
  const byPart = new Map<number, string>();
  for (const { name, shard } of named) {
    const { part } = shard.shard;
    const before = byPart.get(part);
    if (before !== undefined) throw refuse(`shard ${part}/${of} stands in ${before} and in ${name}`);
    if (part > of) throw refuse(`${name}: shard ${part} of ${of}; expected at most ${of}`);
    byPart.set(part, name);
  }
  const missing: string[] = [];
  for (let part = 1; part <= of && missing.length < listedAtMost; part++)
    if (!byPart.has(part)) missing.push(`${part}/${of}`);
  const count = of - byPart.size;
  if (count > 0)
    throw refuse(
      `${count === 1 ? 'a shard is' : `${count} shards are`} missing: ${missing.join(', ')}${count > missing.length ? ', …' : ''}; give the reports of all shards`,
    );
}
