/**
 * Turns the options of a check into those of a run. Published types do not reach this file: they would need the types of the
 * carriers' packages.
 */
import type { WireproofError } from '../../src/kit/base/index.ts';
import { check as runCheck } from '../../src/kit/run/index.ts';
import type { CheckOptions as RunOptions, Checked } from '../../src/kit/run/index.ts';
import { readStatement, statementOfValue } from '../../src/kit/spec/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import { killAllTargets } from '../../src/kit/transport/index.ts';
import type { CheckFlags } from '../check-options.ts';
import { planCheck } from '../check-plan.ts';
import { traceHeaderOf } from '../check-results.ts';
import type { CheckOptions, CheckResult } from './options.ts';

/** A check that is ready to run. */
export interface PreparedCheck {
  readonly options: RunOptions;
  run(): Promise<CheckResult>;
}

/** Plans a check: refuses wrong options before anything starts. */
export async function prepareCheck(options: CheckOptions): Promise<PreparedCheck> {
  const { onProgress, onListening, onNote, target, signal = new AbortController().signal } = options;
  const host = target !== undefined && 'listen' in target ? (target.advertise ?? hostOf(target.listen)) : '';
  const statement = statementIn(options);
  const plan = await planCheck({
    suiteId: options.suite,
    statement,
    command: target !== undefined && 'command' in target ? target.command : [],
    flags: flagsOf(options),
    signal,
    progress: (done, of, now) => onProgress?.(done, of, now),
    listening: (port, { again }) => onListening?.(`${host}:${port}`, again === undefined ? {} : { again }),
    note: (text) => onNote?.(text),
  });
  return { options: plan, run: () => run(plan) };
}

const hostOf = (address: string): string => address.replace(/:?\d+$/, '') || '127.0.0.1';

async function run(options: RunOptions): Promise<CheckResult> {
  // Targets do not outlive the program.
  process.on('exit', killAllTargets);
  try {
    const checked = await runCheck(options);
    if (checked.absent !== undefined) throw withReport(checked.absent, checked);
    return resultOf(checked, options);
  } finally {
    process.removeListener('exit', killAllTargets);
  }
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

/** The statement of the options, with the values that have no flag. */
function statementIn({ suite, statement, features, target }: CheckOptions): Statement | undefined {
  const stated =
    typeof statement === 'string'
      ? readStatement(statement)
      : statement === undefined
        ? undefined
        : statementOfValue(statement, 'the statement');
  const env = target !== undefined && 'command' in target ? target.env : undefined;
  if (features === undefined && env === undefined) return stated;
  const id = stated?.suite ?? suite ?? '';
  return statementOfValue(
    {
      ...stated,
      suite: id,
      ...(features === undefined ? {} : { features }),
      ...(env === undefined ? {} : { env: { ...stated?.env, ...env } }),
    },
    'the options',
  );
}

/** The options as flags of the command: both take the same way from here. */
function flagsOf({ target = { command: [] }, ...options }: CheckOptions): CheckFlags {
  const { scenarios = [], only = [], skip = [], timeouts = {}, timeoutScale, jobs, redact = true } = options;
  const { drive, level, asOf, seed, strict, failFast, profile, carrier, service, operator, model } = options;
  const same = { drive, level, asOf, seed, strict, failFast, profile, carrier, service, operator, model };
  const unused = { report: [], trace: 'off' as const, traceDir: '' };
  return defined({
    ...same,
    ...unused,
    only,
    skip,
    redact,
    scenario: scenarios,
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
