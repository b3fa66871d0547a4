/** Turns flags and a statement into the options of a check. Missing, contradictory and unknown values are refused. */
import { readFileSync } from 'node:fs';
import { WireproofError, didYouMean, entryOf } from '../../src/kit/base/index.ts';
import { duration } from '../../src/kit/scenario/index.ts';
import type { Profile, Suite } from '../../src/kit/suite/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import type { ReportingFlags } from '../output/reports.ts';

/** The flags of `check`. */
export interface CheckFlags extends ReportingFlags {
  readonly statement?: string;
  readonly drive?: string;
  readonly listen?: string;
  readonly advertise?: string;
  readonly connect?: string;
  readonly ca?: string;
  readonly tokenEnv?: string;
  /** Each `llm_url=host:port`. Functions of the package give none. */
  readonly serve?: readonly string[];
  readonly operator?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly witness?: string;
  readonly service?: string;
  readonly scenario: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  readonly asOf?: string;
  readonly timeout: readonly string[];
  readonly timeoutScale?: string;
  readonly jobs?: string;
  readonly seed?: string;
  readonly failFast?: boolean;
  readonly expected?: string;
  readonly lastFailed?: boolean;
  readonly profile?: string;
  readonly carrier?: string;
  readonly shard?: string;
  readonly trace: 'off' | 'failed' | 'all';
  readonly traceDir: string;
  readonly redact: boolean;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/**
 * Everything after `--` is the command. Without a suite before it, the parser takes the command's first word for one.
 */
export function operands(
  suite: string | undefined,
  command: readonly string[],
  argv: readonly string[],
): { readonly suite: string | undefined; readonly command: readonly string[] } {
  const after = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  return after.length > command.length ? { suite: undefined, command: after } : { suite, command };
}

/** The statement with the model of `--model`. @throws WireproofError 'usage' where the kit asks for no model */
export function withModel(
  { id, target }: Suite,
  { model }: CheckFlags,
  statement: Statement | undefined,
): Statement | undefined {
  if (model === undefined) return statement;
  if (target.kind !== 'listens' || target.asksForModel !== true)
    throw usage(`--model ${model}: the kit asks a target of ${id} for no model; leave the flag out`);
  return { suite: id, ...statement, operator: { ...statement?.operator, model } };
}

/** The statement with the page of `--witness`. @throws WireproofError 'usage' where the kit asks for none */
export function withWitness(
  { id, features }: Suite,
  { witness }: CheckFlags,
  statement: Statement | undefined,
): Statement | undefined {
  if (witness === undefined) return statement;
  if (!features.some(({ name }) => name === 'witness'))
    throw usage(`--witness ${witness}: no page of a target of ${id} is read; leave the flag out`);
  if (!/^(\/|https?:\/\/)/.test(witness))
    throw usage(`--witness ${witness}: expected a path such as /metrics, or a URL of http or https`);
  return { suite: id, ...statement, operator: { ...statement?.operator, witness } };
}

/**
 * The statement with the provider of `--provider`, and the drive that goes with it.
 *
 * @throws WireproofError 'usage' where the kit is no provider behind the target, or not such a one
 */
export function withProvider(
  { id, target }: Suite,
  { provider, drive, model }: CheckFlags,
  statement: Statement | undefined,
): Statement | undefined {
  if (provider === undefined) return statement;
  const { providers = [] } = target.kind === 'listens' ? target : {};
  if (providers.length === 0)
    throw usage(`--provider ${provider}: nothing is asked behind a target of ${id}; leave the flag out`);
  if (!providers.includes(provider))
    throw usage(`--provider ${provider}: expected ${providers.join(', ')}${didYouMean(provider, providers)}`);
  const driven = drive ?? statement?.drive;
  if (driven === undefined)
    throw usage(`--provider ${provider}: name the client, too: --drive ${providers.join(' | ')}`);
  // The pair of the flags alone is tried, by its route where one is stated.
  const { routes = [], ...stated } = statement ?? {};
  const route = routes.find((one) => one.client === driven && one.provider === provider);
  return {
    suite: id,
    ...stated,
    ...(route === undefined ? {} : { routes: [{ ...route, ...(model === undefined ? {} : { model }) }] }),
    drive: driven,
    operator: { ...statement?.operator, provider },
  };
}

/** Every timeout (ms). A flag overrides the statement, and the statement overrides the suite. */
export function timeoutsOf(
  suite: Suite,
  flags: CheckFlags,
  statement: Statement | undefined,
): { readonly [name: string]: number } {
  const stated = Object.entries(statement?.timeouts ?? {});
  const flagged = flags.timeout.map((text): [string, string] => {
    const [name = '', time = ''] = text.split('=');
    return [name, time];
  });
  const set = [...stated, ...flagged].map(([name, time]): [string, number] => {
    const ms = duration(time);
    if (suite.timeouts[name] === undefined)
      throw usage(
        `--timeout ${name}: no such timeout; the timeouts are ${Object.keys(suite.timeouts).join(', ')}`,
      );
    if (ms === undefined) throw usage(`--timeout ${name}=${time}: expected a time such as 300ms, 5s or 2m`);
    return [name, ms];
  });
  return { ...suite.timeouts, ...Object.fromEntries(set) };
}

/** The timeouts that the statement or a flag names. */
export const namedTimeouts = (flags: CheckFlags, statement: Statement | undefined): ReadonlySet<string> =>
  new Set([
    ...Object.keys(statement?.timeouts ?? {}),
    ...flags.timeout.map((text) => text.replace(/=.*/, '')),
  ]);

/** Reads the positive number of a flag. @throws WireproofError 'usage' */
export function positive(
  text: string | undefined,
  flag: string,
  otherwise: number,
  most: number = Infinity,
): number {
  if (text === undefined) return otherwise;
  const n = Number(text);
  if (!(n > 0 && n <= most))
    throw usage(`${flag} ${text}: expected a number above 0${most === Infinity ? '' : ` and up to ${most}`}`);
  return n;
}

/**
 * The scenario that is played first to find out which operations and features a target has. Not every suite has one.
 */
export function probeOf({ target }: Suite): string | undefined {
  if (target.kind === 'meets') return target.hello?.scenario ?? target.probe?.scenario;
  return target.kind === 'dials' ? target.probe : target.probe?.scenario;
}

/** The drive that a flag or the statement names, or that of the profile. The default is `auto`. */
export function driveOf(suite: Suite, flags: CheckFlags, statement: Statement | undefined): string {
  const drive = namedDrive(suite, flags, statement);
  const { drives } = profileOf(suite, flags, statement);
  if (drives === undefined) return drive;
  const [only] = Object.keys(drives);
  const found = entryOf(drives, drive === 'auto' ? String(only) : drive);
  if (found !== undefined) return found;
  const name = flags.profile ?? statement?.profile ?? '';
  throw usage(
    `--drive ${drive}: the profile ${name} of ${suite.id} is for --drive ${Object.keys(drives).join(' | ')}`,
  );
}

function namedDrive(suite: Suite, flags: CheckFlags, statement: Statement | undefined): string {
  if (suite.target.kind === 'listens') {
    const operator = flags.operator ?? statement?.operator?.driver;
    const driver = operator ?? flags.drive ?? statement?.drive ?? 'auto';
    if (driver === 'auto' || suite.target.drivers.includes(driver)) return driver;
    const [flag, how] = operator === undefined ? ['--drive', 'driven'] : ['--operator', 'operated'];
    throw usage(`${flag} ${driver}: ${suite.id} can be ${how} through ${suite.target.drivers.join(', ')}`);
  }
  const drive = flags.drive ?? statement?.drive ?? 'auto';
  const only = onlyDrive(suite);
  if (only !== undefined) {
    if (drive === 'auto' || drive === only) return drive;
    throw usage(`--drive ${drive}: ${suite.id} needs no drive; leave the flag out`);
  }
  if (drive === 'auto' || drive === 'passive' || drive === 'directive') return drive;
  throw usage(`--drive ${drive}: ${suite.id} can be driven auto, passive or directive`);
}

/** The drive of a suite that has only one. */
const onlyDrive = ({ target }: Suite): string | undefined =>
  target.kind === 'dials' || (target.kind === 'meets' && target.probe === undefined)
    ? target.drive
    : undefined;

/** The gRPC methods to serve: the suite's, and the one that a flag or the statement names. */
export function methodsOf(
  suite: Suite,
  flags: CheckFlags,
  statement: Statement | undefined,
): readonly string[] {
  const service = flags.service ?? statement?.service;
  const known = suite.target.kind === 'dials' ? suite.target.methods : [];
  if (service === undefined) return known;
  if (!/^[\w.]+(\/\w+)?$/.test(service))
    throw usage(`--service ${service}: expected a service such as my.Control, or service/Method`);
  const [name = '', method = 'AgentStream'] = service.split('/');
  return [...new Set([...known, `/${name}/${method}`])];
}

/** The most targets that can run side by side within this process's limit of open files. */
export function targetLimit(): number {
  try {
    const soft = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Math.max(1, Math.floor((Number(soft) - 32) / 16));
  } catch {
    return Infinity;
  }
}

/** The profile that a flag or the statement names; an empty one where none is named. */
export function profileOf(suite: Suite, flags: CheckFlags, statement: Statement | undefined): Profile {
  const name = flags.profile ?? statement?.profile;
  if (name === undefined) return {};
  const { profiles = {} } = suite;
  const found = entryOf(profiles, name);
  if (found !== undefined) return found;
  const there = Object.keys(profiles);
  throw usage(`--profile ${name}: ${suite.id} has ${there.length === 0 ? 'no profiles' : there.join(', ')}`);
}
