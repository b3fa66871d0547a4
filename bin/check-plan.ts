/** Plans a check: turns flags, a statement and a command into the options of a run. `check` and `wireproof/check` share it. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { Scenario } from '../src/kit/base/index.ts';
import type { CheckOptions } from '../src/kit/run/index.ts';
import { selectRequirements } from '../src/kit/scenario/index.ts';
import { scenariosOf as suiteScenarios, suiteRows } from '../src/kit/suite/index.ts';
import type { Suite, TargetPlan } from '../src/kit/suite/index.ts';
import { readScenario, readStatement } from '../src/kit/spec/index.ts';
import type { Requirement, Statement } from '../src/kit/spec/index.ts';
import { freshSeed, secretRedactor } from '../src/kit/world/index.ts';
import {
  driveOf,
  targetLimit,
  methodsOf,
  namedTimeouts,
  positive,
  probeOf,
  profileOf,
  timeoutsOf,
  withModel,
} from './check-options.ts';
import type { CheckFlags } from './check-options.ts';
import { targetOf } from './check-target.ts';
import { registry } from './registry.ts';
import { selectionOf } from './selection.ts';
import { shardOf } from './shard.ts';
import { replayCommand } from './check-results.ts';
import { version } from './version.ts';

/** What a check is asked for, and how it reports while it runs. */
export interface CheckRequest extends Pick<CheckOptions, 'signal' | 'progress' | 'listening'> {
  /** Absent: the suite of the statement. */
  readonly suiteId: string | undefined;
  readonly statement: Statement | undefined;
  readonly command: readonly string[];
  readonly flags: CheckFlags;
  /** Takes a sentence about the request that changes no verdict. */
  note(text: string): void;
}

/**
 * The largest message that the kit receives (bytes): above the limit of a peer, so that rules see messages that are too
 * large.
 */
const maxReceive = 16 << 20;
/**
 * The default of `--jobs`. Above the number of cores, because scenarios mostly wait. Whole programs share a folder with
 * their configuration, so they run one at a time.
 */
const defaultJobs = ({ carrier }: TargetPlan): number => (carrier === 'http' ? 1 : 8);

/** The options of a check. @throws WireproofError 'usage' on missing, contradictory and unknown values */
export async function planCheck(request: CheckRequest): Promise<CheckOptions> {
  const { suite, statement } = await chosenSuite(request);
  return optionsOf(suite, { ...request, statement });
}

/** The suite of this check, and its statement. */
async function chosenSuite({
  suiteId,
  flags,
  statement,
  note,
}: CheckRequest): Promise<{ readonly suite: Suite; readonly statement: Statement | undefined }> {
  const id = suiteId ?? statement?.suite;
  if (id === undefined) {
    throw new WireproofError(
      'usage',
      'no suite: name one (wireproof list suites), or write a statement (wireproof init)',
    );
  }
  const named = await registry.loadSuite(id);
  if (
    statement !== undefined &&
    statement.suite !== named.id &&
    !(await leadsTo(statement.suite, named.id))
  ) {
    throw new WireproofError(
      'usage',
      `the statement is for ${statement.suite}; this check is of ${named.id}`,
    );
  }
  const other = named.drives?.[flags.drive ?? statement?.drive ?? ''];
  const suite = other === undefined ? named : await registry.loadSuite(other);
  refuseUnknownFeatures(suite, statement);
  const idle = unusedKeys(suite).filter((key) => statement?.[key] !== undefined);
  if (idle.length > 0) {
    note(`${idle.join(', ')} of the statement have no effect on ${suite.id} in this version`);
  }
  return { suite, statement: withModel(suite, flags, statement) };
}

/** Whether a drive of a suite is another suite, whose statements are those of the first. */
async function leadsTo(from: string, to: string): Promise<boolean> {
  const { drives = {} } = await registry.loadSuite(from);
  return Object.values(drives).includes(to);
}

/** The keys of statements that have no effect on a suite. */
const unusedKeys = (suite: Suite): readonly ('tools' | 'operator')[] => [
  ...(suiteScenarios(suite).some(({ needs }) => needs.tools !== undefined) ? [] : (['tools'] as const)),
  ...(suite.target.kind === 'listens' ? [] : (['operator'] as const)),
];

/** The options of a check, from flags and a statement. Invalid values are refused before a target is started. */
function optionsOf(suite: Suite, request: CheckRequest): CheckOptions {
  const { statement, command, flags, signal, progress, listening } = request;
  const { plan, name } = targetOf(suite, command, flags, statement);
  const { revision, requirements: rows } = suiteRows(suite);
  const { only, skip, level, asOf } = flags;
  const requirements = selectRequirements(rows, { only, skip, level, asOf });
  if (requirements.length === 0) {
    throw new WireproofError('usage', 'the selection leaves no requirement; see wireproof list requirements');
  }
  const seed = flags.seed ?? freshSeed();
  const scenarios = scenariosOf(suite, flags, statement);
  const rowsOfVersion = selectRequirements(rows, { only: [], skip: [], level: undefined, asOf });
  return {
    kit: version(),
    suite,
    revision,
    requirements,
    scenarios,
    selected: selectionOf(
      flags,
      { selected: requirements, of: rowsOfVersion },
      { selected: scenarios, of: suiteScenarios(suite, statement) },
    ),
    target: plan,
    targetName: name,
    drive: driveOf(suite, flags, statement),
    statement,
    stated: statement?.features,
    expected: [...expectedOf(flags, statement, rows), ...profileOf(suite, flags, statement)],
    methods: methodsOf(suite, flags, statement),
    service: flags.service ?? statement?.service,
    timeouts: timeoutsOf(suite, flags, statement),
    named: namedTimeouts(flags, statement),
    timeoutScale: positive(flags.timeoutScale, '--timeout-scale', 1),
    jobs: Math.max(
      1,
      Math.min(positive(flags.jobs, '--jobs', statement?.parallel ?? defaultJobs(plan), 64), targetLimit()),
    ),
    seed,
    strict: flags.strict === true,
    failFast: flags.failFast === true,
    redact: flags.redact ? secretRedactor() : undefined,
    maxReceive,
    today: new Date().toISOString().slice(0, 10),
    ...conditionalRowsOf(suite, statement, namedTimeouts(flags, statement)),
    signal,
    replay: (requirement, scenario) => replayCommand(suite, seed, requirement, scenario, command, flags),
    progress,
    listening,
  };
}

function refuseUnknownFeatures(suite: Suite, statement: Statement | undefined): void {
  const known = suite.features.map(({ name }) => name);
  const unknown = statement?.features?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new WireproofError(
      'usage',
      `the statement claims the feature "${unknown}", which ${suite.id} does not have; its features are ${known.join(', ')}`,
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
      `expected_failures names ${unknown.id}, which is not a requirement of this suite`,
    );
  return expected;
}

function scenariosOf(suite: Suite, flags: CheckFlags, statement: Statement | undefined): readonly Scenario[] {
  const all = suiteScenarios(suite, statement);
  const mine = shardOf(flags.shard);
  const isProbe = ({ name }: Scenario): boolean => name === probeOf(suite);
  if (flags.scenario.length === 0) return all.filter((scenario, i) => isProbe(scenario) || mine(i));
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
  return [...all.filter(isProbe), ...chosen.filter((scenario) => !isProbe(scenario))];
}

/** Requirements that cannot be judged in this run, with the reason. */
function conditionalRowsOf(
  suite: Suite,
  statement: Statement | undefined,
  named: ReadonlySet<string>,
): Required<Pick<CheckOptions, 'handles' | 'excused'>> {
  const timeouts = Object.fromEntries([...named].map((name) => [name, '']));
  const said = { suite: suite.id, ...statement, timeouts };
  const applicable = suite.conditionalRows.filter(({ unless }) => !unless(said));
  const reasons = (rows: typeof applicable): { readonly [id: string]: string } =>
    Object.fromEntries(rows.map(({ requirement, reason }) => [requirement, reason]));
  return {
    handles: reasons(applicable.filter(({ excuses }) => excuses !== true)),
    excused: reasons(applicable.filter(({ excuses }) => excuses === true)),
  };
}
