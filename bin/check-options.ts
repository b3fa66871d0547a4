/** From flags and a statement to a check: what is missing, contradictory or unknown is refused with a sentence. */
import { existsSync, readFileSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import { duration } from '../src/kit/scenario/index.ts';
import { shownCarrier } from '../src/kit/suite/index.ts';
import type { Carrier, Suite, TargetPlan } from '../src/kit/suite/index.ts';
import { readStatement } from '../src/kit/spec/index.ts';
import type { Statement } from '../src/kit/spec/index.ts';
import type { ReportingFlags } from './reports.ts';

/** The flags of `check`. */
export interface CheckFlags extends ReportingFlags {
  readonly statement?: string;
  readonly drive?: string;
  readonly listen?: string;
  readonly advertise?: string;
  readonly connect?: string;
  readonly operator?: string;
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
  readonly profile?: string;
  readonly carrier?: string;
  readonly shard?: string;
  readonly trace: 'off' | 'failed' | 'all';
  readonly traceDir: string;
  readonly redact: boolean;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** What stands after `--` is the command, all of it: without a suite before it, the parser takes its first word for one. */
export function operands(
  suite: string | undefined,
  command: readonly string[],
  argv: readonly string[],
): { readonly suite: string | undefined; readonly command: readonly string[] } {
  const after = argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [];
  return after.length > command.length ? { suite: undefined, command: after } : { suite, command };
}

/** The statement that applies: the one named, or wireproof.yaml here when it is of the suite that is asked for. */
export function statementOf(flags: CheckFlags, suiteId: string | undefined): Statement | undefined {
  if (flags.statement !== undefined) return readStatement(flags.statement);
  const here = existsSync('wireproof.yaml') ? readStatement('wireproof.yaml') : undefined;
  return suiteId === undefined || here?.suite === suiteId ? here : undefined;
}

/** host:port as its parts. */
function hostPort(text: string, flag: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const n = Number(port);
  if (port === undefined || n > 65_535)
    throw usage(`${flag} ${text}: expected host:port, such as 127.0.0.1:50051`);
  return { host: host ?? '127.0.0.1', port: n };
}

/** How the target is reached: one way, and one only. */
export function targetOf(
  suite: Suite,
  command: readonly string[],
  flags: CheckFlags,
  statement: Statement | undefined,
): { readonly plan: TargetPlan; readonly name: string } {
  const named = command.length > 0 || flags.listen !== undefined || flags.connect !== undefined;
  const stated = named ? undefined : statement?.target;
  const argv = command.length > 0 ? command : stated?.command;
  const listen = flags.listen ?? stated?.listen;
  const connect = flags.connect ?? stated?.connect;
  const ways = [argv, listen, connect].filter((way) => way !== undefined).length;
  if (ways > 1) throw usage('the target is given twice; use one of: a command after --, --listen, --connect');
  const carrier = carrierOf(suite, flags, statement, argv);
  const carried = carrier === undefined ? {} : { carrier };
  const over = carrier === undefined ? '' : ` (${carrier})`;
  const meant = (at: { readonly plan: TargetPlan; readonly name: string }): typeof at => ({
    plan: { ...at.plan, ...carried },
    name: `${at.name}${over}`,
  });
  if (connect !== undefined) return meant(connected(suite, connect, statement));
  if (listen !== undefined) return meant(awaited(suite, listen, flags));
  if (argv === undefined) throw usage(noTarget(suite));
  return meant({
    plan: { kind: 'command', command: argv, env: environment(statement) },
    name: argv.join(' '),
  });
}

/** How a target of each kind is named on the command line. */
const examples: { readonly [kind in Suite['target']['kind']]: readonly string[] } = {
  dials: ['./my-agent {address}', 'or --listen'],
  listens: ['./my-gateway --grpc {listen} --http 127.0.0.1:{http_port}', 'or --connect'],
  meets: [
    './my-program {address}',
    'with {address} where it dials, {listen} where it listens, neither where it speaks on stdin and stdout; or --listen, --connect',
  ],
};

function noTarget({ id, target }: Suite): string {
  if (target.kind === 'meets' && target.carriers.includes('stdio') && !target.carriers.includes('tcp'))
    return `the kit starts a target of ${id} itself: give its command after --, such as\n  wireproof check ${id} -- python3 my_testee.py`;
  const [command = '', ways = ''] = examples[target.kind];
  return `no target: give its command after --, such as\n  wireproof check ${id} -- ${command}\n${ways}, or a statement with a target (wireproof init ${id})`;
}

/** A target that runs already. */
function connected(
  suite: Suite,
  connect: string,
  statement: Statement | undefined,
): { readonly plan: TargetPlan; readonly name: string } {
  if (suite.target.kind === 'dials')
    throw usage(
      `--connect ${connect}: a target of ${suite.id} dials the kit, so there is nothing to connect to; give its command after --, or use --listen ${connect.replace(/^\w+:\/\//, '')} and start it by hand`,
    );
  if (/^(https|wss):/.test(connect))
    throw usage(`--connect ${connect}: TLS is not there in this version; expected http:// or host:port`);
  const [place = '', ...path] = connect.replace(/^(http|grpc|tcp|ws):\/\//, '').split('/');
  const { host, port } = hostPort(place, '--connect');
  const based = path.some((part) => part !== '') ? connect : undefined;
  const url = statement?.operator?.url ?? based;
  return {
    plan: { kind: 'connect', host, port, ...(url === undefined ? {} : { url }) },
    name: `${host}:${port}`,
  };
}

/** A target that is started by hand, and comes. */
function awaited(
  suite: Suite,
  listen: string,
  flags: CheckFlags,
): { readonly plan: TargetPlan; readonly name: string } {
  if (suite.target.kind === 'listens')
    throw usage(
      `--listen ${listen}: a target of ${suite.id} listens itself; give its command after --, or --connect host:port where it runs`,
    );
  const { host, port } = hostPort(listen, '--listen');
  const advertise = flags.advertise === undefined ? {} : { advertise: flags.advertise };
  return {
    plan: { kind: 'listen', host, port, ...advertise },
    name: `a target started by hand, at ${host}:${port}`,
  };
}

function environment(statement: Statement | undefined): { readonly [name: string]: string } {
  const key = statement?.auth?.ssh_key_file;
  return { ...statement?.env, ...(key === undefined ? {} : { WIREPROOF_SSH_KEY_FILE: key }) };
}

/** Every timeout in ms: the suite's, the statement's, then the flags'. */
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
      throw usage(`--timeout ${name}: no such timeout; there are ${Object.keys(suite.timeouts).join(', ')}`);
    if (ms === undefined) throw usage(`--timeout ${name}=${time}: expected a time such as 300ms, 5s or 2m`);
    return [name, ms];
  });
  return { ...suite.timeouts, ...Object.fromEntries(set) };
}

/** The times that somebody has named. */
export const namedTimeouts = (flags: CheckFlags, statement: Statement | undefined): ReadonlySet<string> =>
  new Set([
    ...Object.keys(statement?.timeouts ?? {}),
    ...flags.timeout.map((text) => text.replace(/=.*/, '')),
  ]);

/** A positive number of a flag. */
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

/** The scenario that finds out how a target can be driven, where the suite has one. */
export function probeOf({ target }: Suite): string | undefined {
  if (target.kind === 'meets') return target.probe?.scenario;
  return target.kind === 'dials' ? target.probe : undefined;
}

/** The drive, taken at its word. */
export function driveOf(suite: Suite, flags: CheckFlags, statement: Statement | undefined): string {
  if (suite.target.kind === 'listens') {
    const operator = flags.operator ?? statement?.operator?.driver;
    const driver = operator ?? flags.drive ?? statement?.drive ?? 'auto';
    if (driver === 'auto' || suite.target.drivers.includes(driver)) return driver;
    const [flag, how] = operator === undefined ? ['--drive', 'driven'] : ['--operator', 'operated'];
    throw usage(`${flag} ${driver}: ${suite.id} can be ${how} through ${suite.target.drivers.join(', ')}`);
  }
  const drive = flags.drive ?? statement?.drive ?? 'auto';
  if (suite.target.kind === 'meets' && suite.target.probe === undefined) {
    if (drive === 'auto' || drive === suite.target.drive) return drive;
    throw usage(`--drive ${drive}: ${suite.id} needs no drive; leave the flag out`);
  }
  if (drive === 'auto' || drive === 'passive' || drive === 'directive') return drive;
  throw usage(
    `--drive ${drive}: ${suite.id} can be driven auto, passive or directive in this version; the llm drive needs the simulated model, which it does not have yet`,
  );
}

/** The gRPC methods to serve: the known ones, and the user's. */
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

/** The most targets that may run side by side under this process's limit of open files. */
export function laneLimit(): number {
  try {
    const soft = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Math.max(1, Math.floor((Number(soft) - 32) / 14));
  } catch {
    return Infinity;
  }
}

/** The deviations that a profile knows of. */
export function profileOf(
  suite: Suite,
  flags: CheckFlags,
  statement: Statement | undefined,
): NonNullable<Suite['profiles']>[string] {
  const name = flags.profile ?? statement?.profile;
  if (name === undefined) return [];
  const profiles = suite.profiles ?? {};
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const there = Object.keys(profiles);
  throw usage(`--profile ${name}: ${suite.id} has ${there.length === 0 ? 'no profiles' : there.join(', ')}`);
}

/** What carries the messages: as it was named, or as the command shows; undefined where there is no choice. */
function carrierOf(
  suite: Suite,
  flags: CheckFlags,
  statement: Statement | undefined,
  command: readonly string[] | undefined,
): Carrier | undefined {
  const named = flags.carrier ?? statement?.carrier;
  const { target } = suite;
  if (target.kind !== 'meets') {
    if (named === undefined || named === 'grpc') return undefined;
    throw usage(`--carrier ${named}: ${suite.protocol} is carried by gRPC, and by nothing else`);
  }
  if (command === undefined && target.carriers.every((name) => name === 'stdio' || name === 'http'))
    throw usage(noTarget(suite));
  const guess = target.carriers.length > 1 ? shownCarrier(command ?? [], flags.connect) : target.carriers[0];
  const carrier = target.carriers.find((name) => name === (named ?? guess));
  if (carrier === undefined)
    throw usage(`--carrier ${named ?? guess ?? ''}: ${suite.id} is carried by ${target.carriers.join(', ')}`);
  if (carrier === 'http' && command === undefined)
    throw usage(
      `--carrier http: give the command of a program after --; it is told of the kit in its environment`,
    );
  if (carrier === 'stdio' && command === undefined)
    throw usage(
      `--carrier stdio: give the command of a target after --, whose stdin and stdout carry the messages`,
    );
  return carrier;
}
