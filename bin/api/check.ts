/** A check from within a program: the options of `wireproof check`, and its report and traces as values. */
import type { Report, TraceEvent, TraceHeader, WireproofError } from '../../src/kit/base/index.ts';
import { check as runCheck } from '../../src/kit/run/index.ts';
import type { CheckOptions as RunOptions, Checked } from '../../src/kit/run/index.ts';
import { readStatement, statementOfValue } from '../../src/kit/spec/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import { killAllTargets } from '../../src/kit/transport/index.ts';
import { planCheck } from '../check-plan.ts';
import type { CheckFlags } from '../check-options.ts';
import { traceHeaderOf } from '../check-results.ts';

/** How a target is reached: a command that starts it, an address where the kit waits for it, or one where it listens. */
export type CheckTarget =
  | {
      /** An argv, never a shell string; `{address}`, `{listen}` and the others are replaced as in the command. */
      readonly command: readonly string[];
      /** More environment variables of the target. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      /** The kit waits here (host:port) for a target that the test starts; port 0: any free port. */
      readonly listen: string;
      /** The host in the address that {@link CheckOptions.onListening} gets, where it is not the listening host. */
      readonly advertise?: string;
    }
  | {
      /** host:port or a URL of a target that runs. */
      readonly connect: string;
      /** A file with certificates to trust (PEM). */
      readonly ca?: string;
      /** The environment variable with a bearer token. */
      readonly tokenEnv?: string;
    };

/** The options of a check. All but `suite` have the defaults of `wireproof check`, and its meaning. */
export interface CheckOptions {
  /** Such as `fold/agent`; see {@link suites}. Absent: the suite of the statement. */
  readonly suite?: string;
  /** Absent: the target of the statement. */
  readonly target?: CheckTarget;
  /** The statement, or its file. No file is read that is not named here. */
  readonly statement?: Statement | string;
  readonly drive?: string;
  /** The claimed features; in place of those of the statement. */
  readonly features?: readonly string[];
  /** Ids of requirements to judge, or to leave out; `*` matches any text. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requirements of this level and above. */
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  /** Only requirements that this version of the kit had. */
  readonly asOf?: string;
  /** Names of scenarios to play, or files (.yaml). Default: all. */
  readonly scenarios?: readonly string[];
  readonly seed?: string;
  /** By name: a time in words, such as `5s`, or milliseconds. */
  readonly timeouts?: Readonly<Record<string, string | number>>;
  /** Multiplies every time, for slow machines. */
  readonly timeoutScale?: number;
  /** How many targets run side by side. */
  readonly jobs?: number;
  /** Whether a violated SHOULD is fatal, too. */
  readonly strict?: boolean;
  readonly failFast?: boolean;
  readonly profile?: string;
  readonly carrier?: 'tcp' | 'stdio' | 'ws' | 'http';
  /** One more gRPC service to serve. */
  readonly service?: string;
  /** How the operator of the target is played. */
  readonly operator?: string;
  /** The model that a model server is asked for. */
  readonly model?: string;
  /** `false` shows secrets in traces. */
  readonly redact?: boolean;
  /** Ends the check early; the report is then `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called when a scenario is over. */
  readonly onProgress?: (done: number, of: number, scenario: string) => void;
  /** Called when the kit waits at an address for a target of `listen`: also for one that must come back. */
  readonly onListening?: (address: string, about: { readonly again?: number }) => void;
  /** Takes a sentence about the options that changes no verdict. */
  readonly onNote?: (text: string) => void;
}

/** A trace of a check; {@link judge} takes it as it is. */
export interface CheckTrace {
  /** As in the evidence of the report. */
  readonly name: string;
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** The result of a check. */
export interface CheckResult {
  readonly report: Report;
  readonly traces: readonly CheckTrace[];
}

/** A check that is ready to run. */
export interface PreparedCheck {
  readonly options: RunOptions;
  run(): Promise<CheckResult>;
}

/**
 * Checks a target, as `wireproof check` does. It writes nothing to stdout, stderr or files, and sets no exit code: the
 * verdict is in the report.
 *
 * @throws WireproofError 'usage' on missing, contradictory and unknown options, 'environment' when the target could not
 * be started or never came: where the command exits with 2 and 3
 *
 * @example
 * import { check } from 'wireproof/check';
 *
 * const { report } = await check({
 *   suite: 'toon/codec',
 *   target: { command: ['python3', 'conformance/examples/toon_testee.py'] },
 *   only: ['TOON-0*'],
 * });
 * report.verdict; // 'partial'
 * report.counts.fail; // 0
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  return (await prepareCheck(options)).run();
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
