/**
 * Turns the options of a check into those of a run. Published types do not reach this file: they would need the types of the
 * carriers' packages.
 */
import { addressText, hostPortOf, WireproofError } from '../../src/kit/base/index.ts';
import { check as runCheck } from '../../src/kit/run/index.ts';
import type { CheckOptions as RunOptions, Checked } from '../../src/kit/run/index.ts';
import { statementOfValue } from '../../src/kit/spec/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import type { CheckFlags } from '../check/options.ts';
import { planCheck } from '../check/plan.ts';
import { traceHeaderOf } from '../check/results.ts';
import { subjectsOf } from '../check/subjects.ts';
import type { CheckSubject } from '../check/subjects.ts';
import type { CheckOptions, CheckResult } from './options.ts';

/** A check that is ready to run. */
export interface PreparedCheck {
  readonly options: RunOptions;
  run(): Promise<CheckResult>;
}

/** Plans a check: refuses wrong options before anything starts. */
export async function prepareCheck(options: CheckOptions): Promise<PreparedCheck> {
  const { onProgress, onListening, onNote, target, signal = new AbortController().signal } = options;
  const host =
    target !== undefined && 'listen' in target
      ? (target.advertise ?? hostPortOf(target.listen)?.host ?? '')
      : '';
  const command = target !== undefined && 'command' in target ? target.command : [];
  const flags = flagsOf(options);
  const { options: plan } = await planCheck({
    subject: subjectOf(options, command, flags),
    command,
    flags,
    signal,
    progress: (done, of, now) => onProgress?.(done, of, now),
    listening: (port, { again }) =>
      onListening?.(addressText({ host, port }), again === undefined ? {} : { again }),
    note: (text) => onNote?.(text),
  });
  return { options: plan, run: () => run(plan) };
}

async function run(options: RunOptions): Promise<CheckResult> {
  const checked = await runCheck(options);
  if (checked.absent !== undefined) throw withReport(checked.absent, checked);
  return resultOf(checked, options);
}

const withReport = (error: WireproofError, { report }: Checked): WireproofError =>
  Object.assign(error, { report });

const resultOf = ({ report, traces }: Checked, options: RunOptions): CheckResult => ({
  report,
  traces: traces.map((trace) => ({
    name: trace.name,
    header: traceHeaderOf(trace, options),
    events: trace.events,
  })),
});

/** What the options are about. The statement has the values that have no flag. */
function subjectOf(options: CheckOptions, command: readonly string[], flags: CheckFlags): CheckSubject {
  const { suite, statement, features, target } = options;
  const subject =
    typeof statement === 'string'
      ? statedIn(statement, subjectsOf(suite, command, flags))
      : { suite, name: undefined, statement: statement && statementOfValue(statement, 'the statement') };
  const env = target !== undefined && 'command' in target ? target.env : undefined;
  if (features === undefined && env === undefined) return subject;
  const stated = subject.statement;
  const completed: Statement = {
    ...stated,
    suite: stated?.suite ?? suite ?? '',
    ...(features === undefined ? {} : { features }),
    ...(env === undefined ? {} : { env: { ...stated?.env, ...env } }),
  };
  return { ...subject, statement: statementOfValue(completed, 'the options') };
}

/** The one subject of a statement's file. @throws WireproofError 'usage' when there are several */
function statedIn(file: string, subjects: readonly CheckSubject[]): CheckSubject {
  const [first, ...more] = subjects;
  if (first !== undefined && more.length === 0) return first;
  const names = subjects.map(({ name }) => name).join(', ');
  throw new WireproofError('usage', `${file} has several targets (${names}): name the suite of one of them`);
}

/** The options as flags of the command: both take the same way from here. */
function flagsOf({ target = { command: [] }, ...options }: CheckOptions): CheckFlags {
  const { scenarios = [], only = [], skip = [], timeouts = {}, timeoutScale, jobs, redact = true } = options;
  const { drive, level, asOf, seed, strict, failFast, profile, carrier, service, operator, model } = options;
  const { statement } = options;
  const same = { drive, level, asOf, seed, strict, failFast, profile, carrier, service, operator, model };
  const unused = { report: [], trace: 'off' as const, traceDir: '' };
  return defined({
    ...same,
    ...unused,
    only,
    skip,
    redact,
    scenario: scenarios,
    statement: typeof statement === 'string' ? statement : undefined,
    timeout: Object.entries(timeouts).map(
      ([name, time]) => `${name}=${typeof time === 'number' ? `${time}ms` : time}`,
    ),
    timeoutScale: timeoutScale === undefined ? undefined : String(timeoutScale),
    jobs: jobs === undefined ? undefined : String(jobs),
    ...('listen' in target ? { listen: target.listen, advertise: target.advertise } : {}),
    ...('connect' in target ? { connect: target.connect, ca: target.ca, tokenEnv: target.tokenEnv } : {}),
  });
}

/** Without the members that are undefined. */
const defined = <T extends object>(
  values: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof defined<T>
  >;
