/** Turns flags and a statement into the target of a check: how it is reached, its carrier, and trusted certificates. */
import { addressText, hostPortOf, nearest, WireproofError } from '../../src/kit/base/index.ts';
import type { HostPort } from '../../src/kit/base/index.ts';
import { listensItself, shownCarrier } from '../../src/kit/suite/index.ts';
import type { Carrier, Suite, TargetPlan } from '../../src/kit/suite/index.ts';
import { readUserFile } from '../../src/kit/spec/index.ts';
import { credentialIn, withoutSecretArguments } from '../../src/kit/world/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';
import { registry } from '../registry.ts';
import type { CheckFlags } from './options.ts';
import { sidePlaces } from './side-places.ts';

/** A target, and its name in reports. */
interface NamedTarget {
  readonly plan: TargetPlan;
  readonly name: string;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** The plan to reach the target. @throws WireproofError 'usage' unless exactly one way is given */
export function targetOf(
  suite: Suite,
  command: readonly string[],
  flags: CheckFlags,
  statement: Statement | undefined,
): NamedTarget {
  const named = command.length > 0 || flags.listen !== undefined || flags.connect !== undefined;
  const stated = named ? undefined : statement?.target;
  const argv = command.length > 0 ? command : stated?.command;
  const listen = flags.listen ?? stated?.listen;
  const connect = flags.connect ?? stated?.connect;
  const ways = [argv, listen, connect].filter((way) => way !== undefined).length;
  if (ways > 1) throw usage('the target is given twice; use one of: a command after --, --listen, --connect');
  const carrier = carrierOf(suite, flags, statement, argv, connect);
  const { plan, name } =
    connect !== undefined
      ? dialledTarget(suite, connect, statement)
      : listen !== undefined
        ? listeningTarget(suite, listen, flags)
        : commandTarget(suite, argv, statement);
  const onCarrier = carrier === undefined ? plan : { ...plan, carrier };
  const ca = flags.ca ?? stated?.ca;
  const tokenEnv = flags.tokenEnv ?? stated?.token_env;
  const sideServers = sidePlaces(suite, flags.serve ?? [], stated?.serve);
  return {
    plan: {
      ...onCarrier,
      ...(Object.keys(sideServers).length === 0 ? {} : { sideServers }),
      ...(ca === undefined ? {} : { ca: certificates(ca, plan, statement) }),
      ...(tokenEnv === undefined ? {} : { token: tokenOf(tokenEnv, suite, onCarrier) }),
    },
    name: carrier === undefined ? name : `${name} (${carrier})`,
  };
}

/** Examples of the command line for each kind of target. */
const examples: { readonly [kind in Suite['target']['kind']]: readonly string[] } = {
  dials: ['./my-agent {address}', 'or --listen'],
  listens: ['./my-gateway --grpc {listen} --http 127.0.0.1:{http_port}', 'or --connect'],
  meets: [
    './my-program {address}',
    'with {address} if it dials, {listen} if it listens, or neither if it uses stdin and stdout; or use --listen or --connect',
  ],
};

/** The commands that the protocol of a suite shows for it. */
const ownExamples = ({ id, protocol }: Suite): readonly string[] =>
  (registry.protocol(protocol)?.examples ?? [])
    .filter((one) => one.command.startsWith(`check ${id} `) && one.command.includes(' -- '))
    .map((one) => `wireproof ${one.command}`);

function noTargetMessage(suite: Suite): string {
  const { id, target } = suite;
  const own = ownExamples(suite);
  const such = (command: string): string =>
    (own.length > 0 ? own : [`wireproof check ${id} -- ${command}`]).map((line) => `\n  ${line}`).join('');
  if (target.kind === 'meets' && target.carriers.includes('stdio') && !target.carriers.includes('tcp'))
    return `the kit starts a target of ${id} itself: give its command after --, such as${such('python3 my_testee.py')}`;
  const [command = '', ways = ''] = examples[target.kind];
  return `no target: give its command after --, such as${such(command)}\n${ways}, or a statement with a target (wireproof init ${id})`;
}

/** The placeholders of a target's command. */
const placeholders = ['address', 'listen', 'host', 'port', 'http_port', 'url', 'tmp', 'llm_url'];

/** The variables of the kit's HTTP servers, which are placeholders, too. */
const variablesOf = ({ sideServers = [] }: Suite): readonly string[] =>
  sideServers.map(({ variable }) => variable);

/** A sentence for each placeholder that looks mistyped. Other texts in braces are the program's own. */
export function mistypedPlaceholders({ plan }: NamedTarget, suite: Suite): readonly string[] {
  const known = [...placeholders, ...variablesOf(suite), ...Object.keys(suite.keys ?? {})];
  const command = plan.kind === 'command' ? plan.command : [];
  const found = command.flatMap((argument) => [...argument.matchAll(/\{(\w+)\}/gu)]);
  return found.flatMap(([whole, name = '']) => {
    const near = known.includes(name) ? undefined : nearest(name, known);
    return near === undefined
      ? []
      : [`${whole} is no placeholder, and stays as it is; did you mean {${near}}?`];
  });
}

/** A target that the kit starts. */
function commandTarget(
  suite: Suite,
  command: readonly string[] | undefined,
  statement: Statement | undefined,
): NamedTarget {
  if (command === undefined) throw usage(noTargetMessage(suite));
  const key = statement?.auth?.['ssh_key_file'];
  const { folder } = command === statement?.target?.command ? (statement ?? {}) : {};
  const env = { ...statement?.env, ...(key === undefined ? {} : { WIREPROOF_SSH_KEY_FILE: key }) };
  return {
    plan: { kind: 'command', command, env, ...(folder === undefined ? {} : { folder }) },
    name: withoutSecretArguments(command).join(' '),
  };
}

/** A target that is started by hand, and dials the kit. */
function listeningTarget(suite: Suite, listen: string, flags: CheckFlags): NamedTarget {
  if (suite.target.kind === 'listens')
    throw usage(
      `--listen ${listen}: a target of ${suite.id} listens itself; give its command after --, or use --connect host:port`,
    );
  const { host, port } = addressIn(listen, '--listen');
  const advertise = flags.advertise === undefined ? {} : { advertise: flags.advertise };
  return {
    plan: { kind: 'listen', host, port, ...advertise },
    name: `a target started by hand, at ${addressText({ host, port })}`,
  };
}

/** The schemes of URLs to dial: whether they use TLS, and the default port. */
const schemes: { readonly [scheme: string]: { readonly tls: boolean; readonly port?: number } } = {
  http: { tls: false, port: 80 },
  ws: { tls: false, port: 80 },
  grpc: { tls: false },
  tcp: { tls: false },
  https: { tls: true, port: 443 },
  wss: { tls: true, port: 443 },
  grpcs: { tls: true },
  tls: { tls: true },
};

/** The schemes that use TLS, by kind of target. */
const secureSchemes: { readonly [kind in Suite['target']['kind']]: readonly string[] } = {
  dials: [],
  listens: ['https', 'grpcs'],
  meets: ['wss', 'tls'],
};

/** A target that runs already. */
function dialledTarget(suite: Suite, connect: string, statement: Statement | undefined): NamedTarget {
  const { kind } = suite.target;
  if (kind === 'dials')
    throw usage(
      `--connect ${connect}: a target of ${suite.id} dials the kit, so the kit cannot connect to it; give its command after --, or use --listen ${connect.replace(/^\w+:\/\//, '')} and start it by hand`,
    );
  const [, scheme = 'tcp', place = '', path = ''] = /^(?:(\w+):\/\/)?([^/?#]*)(.*)$/.exec(connect) ?? [];
  const { tls, port: usual } = schemes[scheme] ?? { tls: true };
  if (tls && !secureSchemes[kind].includes(scheme))
    throw usage(
      `--connect ${connect}: expected host:port, or a URL; with TLS its scheme is ${secureSchemes[kind].join(' or ')}`,
    );
  const { host, port } = addressIn(place, '--connect', usual);
  const whole = /^wss?$/.test(scheme) || !['', '/'].includes(path) ? connect : undefined;
  const url = kind === 'meets' ? whole : (statement?.operator?.url ?? whole);
  return {
    plan: { kind: 'connect', host, port, tls, ...(url === undefined ? {} : { url }) },
    name: addressText({ host, port }),
  };
}

/** The address of a flag. */
function addressIn(text: string, flag: string, usualPort?: number): HostPort {
  const place = hostPortOf(text, usualPort);
  if (place === undefined) throw usage(`${flag} ${text}: expected host:port, such as 127.0.0.1:50051`);
  return place;
}

/** Reads certificates to trust. */
function certificates(file: string, plan: TargetPlan, statement: Statement | undefined): string {
  const face = plan.kind === 'connect' ? plan.url : undefined;
  const overTls = plan.kind === 'connect' && plan.tls === true;
  if (!overTls && !(statement?.operator?.url ?? face ?? '').startsWith('https:'))
    throw usage(
      `--ca ${file}: this target is not dialled over TLS; name the target with --connect and https://, grpcs://, wss:// or tls://`,
    );
  const text = readUserFile(file, { kind: 'certificates in PEM form for --ca', most: 1 << 20 });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw usage(`--ca ${file}: expected certificates in PEM form (-----BEGIN CERTIFICATE-----)`);
}

/** Reads a bearer token out of the environment. */
function tokenOf(name: string, { id, target }: Suite, plan: TargetPlan): string {
  const dialled = plan.kind === 'connect' || (plan.kind === 'command' && listensItself(plan.command));
  if (target.kind !== 'listens' && !(dialled && plan.carrier === 'ws'))
    throw usage(
      `--token-env ${name}: a token can be sent only to a target that the kit dials over gRPC, HTTP or WebSocket; this target of ${id} is reached in another way`,
    );
  return credentialIn(name, `--token-env ${name}`);
}

/**
 * The carrier: the named one, or the one that the command shows. Undefined when the suite has no choice of carriers.
 */
function carrierOf(
  suite: Suite,
  flags: CheckFlags,
  statement: Statement | undefined,
  command: readonly string[] | undefined,
  connect: string | undefined,
): Carrier | undefined {
  const named = flags.carrier ?? statement?.carrier;
  const { target } = suite;
  if (target.kind !== 'meets') {
    if (named === undefined || named === 'grpc') return undefined;
    throw usage(`--carrier ${named}: ${suite.protocol} is carried by gRPC only`);
  }
  if (command === undefined && target.carriers.every((name) => name === 'stdio' || name === 'http'))
    throw usage(noTargetMessage(suite));
  const guess =
    target.carriers.length > 1
      ? shownCarrier(command ?? [], connect, target.carriers, variablesOf(suite))
      : target.carriers[0];
  const carrier = target.carriers.find((name) => name === (named ?? guess));
  if (carrier === undefined)
    throw usage(`--carrier ${named ?? guess ?? ''}: ${suite.id} is carried by ${target.carriers.join(', ')}`);
  if (carrier === 'http' && command === undefined)
    throw usage(
      `--carrier http: give the command of a program after --; the program finds the kit's address in its environment`,
    );
  if (carrier === 'stdio' && command === undefined)
    throw usage(
      `--carrier stdio: give the command of a target after --, whose stdin and stdout carry the messages`,
    );
  return carrier;
}
