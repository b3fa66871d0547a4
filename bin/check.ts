/** `wireproof check`: checks whether a target is conformant. */
import { join } from 'node:path';
import { WireproofError } from '../src/kit/base/index.ts';
import { check as runCheck } from '../src/kit/run/index.ts';
import { scenariosOf as suiteScenarios, suiteRows } from '../src/kit/suite/index.ts';
import type { Checked, CheckOptions, ManualStart } from '../src/kit/run/index.ts';
import type { Suite, TargetPlan } from '../src/kit/suite/index.ts';
import { readStatement } from '../src/kit/spec/index.ts';
import type { Requirement, Statement } from '../src/kit/spec/index.ts';
import { killAllTargets } from '../src/kit/transport/index.ts';
import { freshSeed, secretRedactor } from '../src/kit/world/index.ts';
import {
  driveOf,
  targetLimit,
  methodsOf,
  namedTimeouts,
  operands,
  positive,
  profileOf,
  timeoutsOf,
  withModel,
} from './check-options.ts';
import type { CheckFlags } from './check-options.ts';
import { allChecked, underName } from './check-several.ts';
import type { PlannedCheck } from './check-several.ts';
import { partOf } from './check-part.ts';
import { reportsOf, subjectsOf } from './check-subjects.ts';
import type { CheckSubject } from './check-subjects.ts';
import { LastRun } from './last-run.ts';
import { targetOf } from './check-target.ts';
import { exitCodeOf } from './exit.ts';
import { onInterrupt } from './interrupt.ts';
import { progressLine } from './progress.ts';
import { registry } from './registry.ts';
import { wantedReports, writeReports } from './reports.ts';
import { keepTraces, keptSentence, replayCommand } from './check-results.ts';
import { version } from './version.ts';

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

/**
 * Runs the verb.
 *
 * @param seen - called with the result of each target that was there
 */
export async function check(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: CheckFlags,
  seen: (result: Checked) => void = () => {},
): Promise<void> {
  const { suite: word, command } = operands(firstOperand, otherOperands, process.argv);
  const wanted = wantedReports(flags);
  const subjects = subjectsOf(word, command, flags);
  const reports = reportsOf(wanted, subjects);
  const abort = new AbortController();
  const progress = progressLine();
  // All of them are made before the first target starts: what is refused is refused at once.
  const checks = await Promise.all(
    subjects.map((subject) =>
      underName(subject, async (): Promise<PlannedCheck> => {
        const own =
          subject.name === undefined ? flags : { ...flags, traceDir: join(flags.traceDir, subject.name) };
        const { suite, statement } = await chosenSuite(subject, own);
        const plan = optionsOf(suite, statement, command, subject, own, abort.signal, progress.show);
        return { subject, flags: own, reports: reports(subject), ...plan };
      }),
    ),
  );
  const giveBack = onInterrupt(abort, killAllTargets);
  const run = (one: PlannedCheck): Promise<number> => checked(one, progress.clear, seen);
  const [only] = checks;
  if (checks.length === 1 && only !== undefined) process.exitCode = await run(only).finally(giveBack);
  else await allChecked(checks, abort.signal, run).finally(giveBack);
}

/**
 * Checks one target, and writes its report.
 *
 * @returns the exit code
 * @throws WireproofError 'environment' when the target is absent
 */
async function checked(
  { options, flags, reports, remember }: PlannedCheck,
  clear: () => void,
  seen: (result: Checked) => void,
): Promise<number> {
  const result = await runCheck(options).finally(clear);
  const kept = keptTraces(result, options, flags);
  // When the target is absent, the console shows one sentence instead of a report. Other formats are still written.
  const { absent, report } = result;
  const shown = absent === undefined ? reports : reports.filter(({ format }) => format !== 'console');
  const diagrams = flags.trace === 'off' ? 'none' : flags.trace;
  writeReports(report, shown, flags, { traces: result.traces, diagrams });
  if (absent !== undefined) throw absent;
  if (kept.length > 0) process.stderr.write(`${keptSentence(kept, flags.traceDir)}\n`);
  remember(report);
  seen(result);
  return exitCodeOf(report, flags.allowInconclusive === true);
}

/** Keeps the traces. A trace that cannot be written changes no verdict. */
function keptTraces(...kept: Parameters<typeof keepTraces>): readonly string[] {
  try {
    return keepTraces(...kept);
  } catch (error) {
    if (!(error instanceof WireproofError)) throw error;
    process.stderr.write(`note: no trace is kept: ${error.message}\n`);
    return [];
  }
}

/** The suite of this check, and its statement. */
async function chosenSuite(
  { suite: suiteId, statement }: CheckSubject,
  flags: CheckFlags,
): Promise<{ readonly suite: Suite; readonly statement: Statement | undefined }> {
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
    process.stderr.write(
      `note: ${idle.join(', ')} of the statement have no effect on ${suite.id} in this version\n`,
    );
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
function optionsOf(
  suite: Suite,
  statement: Statement | undefined,
  command: readonly string[],
  subject: CheckSubject,
  given: CheckFlags,
  signal: AbortSignal,
  progress: CheckOptions['progress'],
): Pick<PlannedCheck, 'options' | 'remember'> {
  const { plan, name } = targetOf(suite, command, given, statement);
  const { revision, requirements: owed } = suiteRows(suite);
  const seed = given.seed ?? freshSeed();
  const last = new LastRun(suite, subject.name ?? name, statement);
  const flags = last.narrowed(given, owed);
  const options: CheckOptions = {
    kit: version(),
    suite,
    revision,
    ...partOf(suite, owed, flags, statement),
    target: plan,
    targetName: name,
    drive: driveOf(suite, flags, statement),
    statement,
    stated: statement?.features,
    expected: [...expectedOf(flags, statement, owed), ...profileOf(suite, flags, statement)],
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
    replay: (requirement, scenario) => {
      last.failedIn(requirement, scenario);
      return replayCommand(suite, subject.name ?? suite.id, seed, requirement, scenario, command, given);
    },
    progress,
    listening: showWaiting(flags.advertise ?? '127.0.0.1'),
  };
  return { options, remember: (report) => last.remember(report, flags) };
}

/** Says where the kit waits for a target started by hand. */
const showWaiting =
  (host: string) =>
  (port: number, { again, instruction }: ManualStart): void => {
    const longer = `: its stream ended. Start it if it does not run (waiting ${(again ?? 0) / 1000} s; --timeout reconnect=…)`;
    const by = instruction === undefined ? '' : `; ${instruction}`;
    process.stderr.write(
      `waiting at ${host}:${port} for the target${again === undefined ? '' : longer}${by}\n`,
    );
  };

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
