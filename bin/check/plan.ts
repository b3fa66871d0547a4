/** Plans a check: turns flags, a statement and a command into the options of a run. `check` and `wireproof/check` share it. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import type { CheckOptions } from '../../src/kit/run/index.ts';
import { scenariosOf as suiteScenarios, suiteRows } from '../../src/kit/suite/index.ts';
import type { Profile, Suite, TargetPlan } from '../../src/kit/suite/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import { freshSeed, secretRedactor } from '../../src/kit/world/index.ts';
import { registry } from '../registry.ts';
import { version } from '../output/version.ts';
import {
  driveOf,
  targetLimit,
  methodsOf,
  namedTimeouts,
  positive,
  profileOf,
  timeoutsOf,
  withModel,
  withWitness,
  withProvider,
} from './options.ts';
import type { CheckFlags } from './options.ts';
import { partOf } from './part.ts';
import type { CheckSubject } from './subjects.ts';
import { mistypedPlaceholders, targetOf } from './target.ts';
import { expectedOf } from './expected-failures.ts';
import { LastRun } from './last-run.ts';
import { replayCommand } from './results.ts';

/** What a check is asked for, and how it reports while it runs. */
export interface CheckRequest extends Pick<CheckOptions, 'signal' | 'progress' | 'listening'> {
  readonly subject: CheckSubject;
  readonly command: readonly string[];
  readonly flags: CheckFlags;
  /** Takes a sentence about the request that changes no verdict. */
  note(text: string): void;
}

/** A check whose request was accepted. */
export interface CheckPlan {
  readonly options: CheckOptions;
  /** Keeps the failures of a run for `--last-failed`. */
  readonly remember: (report: Report) => void;
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

/** Plans the check of one target. @throws WireproofError 'usage' on missing, contradictory and unknown values */
export async function planCheck(request: CheckRequest): Promise<CheckPlan> {
  const { suite, statement } = await chosenSuite(request);
  return planFor(suite, statement, request);
}

/** The suite of this check, and its statement. */
async function chosenSuite({
  subject: { suite: suiteId, statement },
  flags,
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
  return {
    suite,
    statement: withProvider(suite, flags, withWitness(suite, flags, withModel(suite, flags, statement))),
  };
}

/** Whether a drive of a suite is another suite, whose statements are those of the first. */
async function leadsTo(from: string, to: string): Promise<boolean> {
  const { drives = {} } = await registry.loadSuite(from);
  return Object.values(drives).includes(to);
}

/** The keys of statements that have no effect on a suite. */
const unusedKeys = (suite: Suite): readonly ('tools' | 'operator' | 'routes' | 'claims')[] => [
  ...(suite.target.kind === 'listens' && suite.target.providers !== undefined
    ? []
    : (['routes', 'claims'] as const)),
  ...(suiteScenarios(suite).some(({ needs }) => needs.tools !== undefined) ? [] : (['tools'] as const)),
  ...(suite.target.kind === 'listens' ? [] : (['operator'] as const)),
];

/** The plan of a check, from flags and a statement. Invalid values are refused before a target is started. */
function planFor(suite: Suite, statement: Statement | undefined, request: CheckRequest): CheckPlan {
  const { subject, command, flags: given, signal, progress, listening } = request;
  const target = targetOf(suite, command, given, statement);
  for (const text of mistypedPlaceholders(target, suite)) request.note(text);
  const { plan, name } = target;
  const { revision, requirements: owed } = suiteRows(suite);
  const seed = given.seed ?? freshSeed();
  const last = new LastRun(suite, subject.name ?? name, statement);
  const flags = last.narrowed(given, owed);
  const profile = profileOf(suite, flags, statement);
  const options: CheckOptions = {
    kit: version(),
    suite,
    revision,
    ...partOf(suite, owed, flags, { name: subject.name, statement }),
    target: plan,
    targetName: name,
    drive: driveOf(suite, flags, statement),
    statement,
    stated: statement?.features ?? suite.claimsOf?.(statement),
    otherFeatures: () => registry.featuresOf(suite.protocol),
    expected: [
      ...expectedOf(request, { suite, statement, target: name, rows: owed }),
      ...(profile.expected ?? []),
    ],
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
    ...conditionalRowsOf(suite, statement, namedTimeouts(flags, statement), profile),
    signal,
    replay: (requirement, scenario) => {
      last.failedIn(requirement, scenario);
      return replayCommand(suite, subject.name ?? suite.id, seed, requirement, scenario, command, given);
    },
    progress,
    listening,
  };
  return { options, remember: (report) => last.remember(report, flags) };
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

/** Requirements that cannot be judged in this run, with the reason. */
function conditionalRowsOf(
  suite: Suite,
  statement: Statement | undefined,
  named: ReadonlySet<string>,
  { without }: Profile,
): Required<Pick<CheckOptions, 'untestable' | 'notApplicable'>> {
  const timeouts = Object.fromEntries([...named].map((name) => [name, '']));
  const said = { suite: suite.id, ...statement, timeouts };
  const applicable = suite.conditionalRows.filter(({ unless }) => !unless(said));
  const reasons = (rows: typeof applicable): { readonly [id: string]: string } =>
    Object.fromEntries(rows.map(({ requirement, reason }) => [requirement, reason]));
  return {
    untestable: reasons(applicable.filter(({ excuses }) => excuses !== true)),
    notApplicable: { ...reasons(applicable.filter(({ excuses }) => excuses === true)), ...without },
  };
}
