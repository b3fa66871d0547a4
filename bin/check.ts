/** `wireproof check`: is this target conformant? */
import { WireproofError } from '../src/kit/base/index.ts';
import type { Scenario } from '../src/kit/base/index.ts';
import { check as runCheck, selectRequirements } from '../src/kit/check/index.ts';
import type { Checked, Suite } from '../src/kit/check/index.ts';
import { readRequirements, readScenario, readScenarios, readStatement } from '../src/kit/spec/index.ts';
import type { Requirement, Statement } from '../src/kit/spec/index.ts';
import { killAllTargets } from '../src/kit/transport/index.ts';
import { freshSeed, secretRedactor } from '../src/kit/world/index.ts';
import { loadSuite } from '../conformance/index.ts';
import {
  driveOf,
  laneLimit,
  methodsOf,
  positive,
  statementOf,
  targetOf,
  timeoutsOf,
} from './check-options.ts';
import type { CheckFlags } from './check-options.ts';
import { exitCodeOf } from './exit.ts';
import { onInterrupt } from './interrupt.ts';
import { progressLine } from './progress.ts';
import { wantedReports, writeReports } from './reports.ts';
import { writeTrace } from './traces.ts';
import { version } from './version.ts';

/** Largest message the kit takes: more than a peer may send, so that one too large is seen and judged (bytes). */
const maxReceive = 16 << 20;
/** Targets side by side, when nothing says otherwise: scenarios mostly wait. */
const defaultJobs = 8;

/** Runs the verb. */
export async function check(
  suiteId: string | undefined,
  command: readonly string[],
  flags: CheckFlags,
): Promise<void> {
  const wanted = wantedReports(flags);
  const statement = statementOf(flags);
  const id = suiteId ?? statement?.suite;
  if (id === undefined)
    throw new WireproofError(
      'usage',
      'no suite: name one (wireproof list suites), or write a statement (wireproof init)',
    );
  const suite = await loadSuite(id);
  if (statement !== undefined && statement.suite !== suite.id) {
    throw new WireproofError(
      'usage',
      `the statement is for ${statement.suite}; this check is of ${suite.id}`,
    );
  }
  refuseUnknownFeatures(suite, statement);
  const { plan, name } = targetOf(suite, command, flags, statement);
  const list = readRequirements(suite.protocol);
  const rows = list.requirements.filter(({ role }) => role === suite.role);
  const requirements = selectRequirements(rows, {
    only: flags.only,
    skip: flags.skip,
    level: flags.level,
    asOf: flags.asOf,
  });
  if (requirements.length === 0)
    throw new WireproofError('usage', 'the selection leaves no requirement; see wireproof list requirements');
  const expected = expectedOf(flags, statement, rows);
  const seed = flags.seed ?? freshSeed();
  const abort = new AbortController();
  const calm = onInterrupt(abort, killAllTargets);
  const progress = progressLine();
  const checked = await runCheck({
    kit: version(),
    suite,
    revision: list.revision,
    requirements,
    scenarios: scenariosOf(suite, flags),
    target: plan,
    targetName: name,
    drive: driveOf(suite, flags, statement),
    stated: statement?.features,
    expected,
    methods: methodsOf(suite, flags, statement),
    timeouts: timeoutsOf(suite, flags, statement),
    timeoutScale: positive(flags.timeoutScale, '--timeout-scale', 1),
    jobs: Math.max(1, Math.min(positive(flags.jobs, '--jobs', defaultJobs, 64), laneLimit())),
    seed,
    strict: flags.strict === true,
    failFast: flags.failFast === true,
    redact: flags.redact ? secretRedactor() : undefined,
    maxReceive,
    today: new Date().toISOString().slice(0, 10),
    handles: handlesOf(suite, statement),
    signal: abort.signal,
    replay: (requirement, scenario) => replay(suite, seed, requirement, scenario, command, flags),
    progress: progress.show,
    listening: (port) =>
      process.stderr.write(`waiting at ${flags.advertise ?? '127.0.0.1'}:${port} for the target\n`),
  }).finally(progress.clear);
  calm();
  const kept = keepTraces(checked, flags, suite, seed, list.revision, name);
  if (checked.absent !== undefined) {
    // The sentence says all; programs that read a report get one all the same.
    writeReports(
      checked.report,
      wanted.filter(({ format }) => format !== 'console'),
      flags,
    );
    throw checked.absent;
  }
  writeReports(checked.report, wanted, flags);
  if (kept.length > 0)
    process.stderr.write(
      `${kept.length === 1 ? 'trace' : `${kept.length} traces`} kept: ${kept.length > 3 ? flags.traceDir : kept.join(', ')}\n`,
    );
  process.exitCode = exitCodeOf(checked.report, flags.allowInconclusive === true);
}

function refuseUnknownFeatures(suite: Suite, statement: Statement | undefined): void {
  const known = suite.features.map(({ name }) => name);
  const unknown = statement?.features?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new WireproofError(
      'usage',
      `the statement claims the feature "${unknown}", which ${suite.id} does not have; it has ${known.join(', ')}`,
    );
}

function expectedOf(
  flags: CheckFlags,
  statement: Statement | undefined,
  rows: readonly Requirement[],
): NonNullable<Statement['expected_failures']> {
  const expected =
    (flags.expected === undefined ? statement : readStatement(flags.expected))?.expected_failures ?? [];
  const unknown = expected.find(({ id }) => rows.every((row) => row.id !== id));
  if (unknown !== undefined)
    throw new WireproofError(
      'usage',
      `expected_failures names ${unknown.id}, which is no requirement of this suite`,
    );
  return expected;
}

function scenariosOf(suite: Suite, flags: CheckFlags): readonly Scenario[] {
  const all = readScenarios(suite.protocol, suite.id);
  if (flags.scenario.length === 0) return all;
  const chosen = flags.scenario.map((name) => {
    const found =
      all.find((scenario) => scenario.name === name) ??
      (/\.ya?ml$/.test(name) ? readScenario(name) : undefined);
    if (found === undefined)
      throw new WireproofError(
        'usage',
        `no scenario ${name}; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
      );
    return found;
  });
  return [
    ...all.filter(({ name }) => name === suite.probe),
    ...chosen.filter(({ name }) => name !== suite.probe),
  ];
}

/** Rows that this run has no handle on, and why. */
function handlesOf(suite: Suite, statement: Statement | undefined): { readonly [id: string]: string } {
  const applicable = suite.handles.filter(({ unless }) => !unless(statement ?? { suite: suite.id }));
  return Object.fromEntries(applicable.map(({ requirement, reason }) => [requirement, reason]));
}

const quoted = (arg: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;

function replay(
  suite: Suite,
  seed: string,
  requirement: string,
  scenario: string | undefined,
  command: readonly string[],
  flags: CheckFlags,
): string {
  const parts = ['npx wireproof check', suite.id, '--only', requirement];
  if (scenario !== undefined && scenario !== suite.probe) parts.push('--scenario', scenario);
  parts.push('--seed', seed);
  if (flags.statement !== undefined) parts.push('--statement', quoted(flags.statement));
  if (flags.service !== undefined) parts.push('--service', flags.service);
  if (flags.listen !== undefined) parts.push('--listen', flags.listen);
  return [...parts, '--trace all', ...(command.length === 0 ? [] : ['--', ...command.map(quoted)])].join(' ');
}

function keepTraces(
  checked: Checked,
  flags: CheckFlags,
  suite: Suite,
  seed: string,
  revision: string,
  target: string,
): string[] {
  if (flags.trace === 'off') return [];
  const failed = new Set(
    checked.report.requirements.flatMap((r) =>
      r.verdict === 'fail' ? (r.evidence ?? []).map((e) => e.trace) : [],
    ),
  );
  const kept = checked.traces.filter(({ name }) => flags.trace === 'all' || failed.has(name));
  return kept.map(({ name, events, started, scenarios }) =>
    writeTrace(
      flags.traceDir,
      name,
      {
        wireproof: 'trace/1',
        suite: suite.id,
        revision,
        seed,
        scenario: scenarios.join(','),
        target,
        started,
      },
      events,
    ),
  );
}
