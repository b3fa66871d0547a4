/** Reads the settings of a simulated gateway from its flags, before it opens a port. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { duration } from '../../../src/kit/scenario/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';
import { gatewayAuth } from '../../../src/fold/edge/index.ts';
import type { GatewayServerOptions } from '../../../src/fold/edge/index.ts';
import type { GatewayOptions } from '../../../src/fold/index.ts';

const usage = (message: string): WireproofError => new WireproofError('usage', message);

const names = ['cancel', 'approval', 'pack', 'stalled', 'ack', 'shutdown'];

function timeoutsOf(flags: readonly string[]): GatewayOptions['timeouts'] {
  const set = flags.map((text): [string, number] => {
    const [name = '', time = ''] = text.split('=');
    const ms = duration(time);
    if (!names.includes(name))
      throw usage(`--timeout ${name}: no such timeout; the timeouts are ${names.join(', ')}`);
    if (ms === undefined) throw usage(`--timeout ${text}: expected a time such as cancel=2s`);
    return [name, ms];
  });
  return Object.fromEntries(set);
}

function authOf(flags: Flags): Pick<GatewayOptions, 'auth'> {
  const jwtSecret = flags.variable('jwt-secret-env');
  const authorizedKeys = flags.file('authorized-keys');
  if (jwtSecret === undefined && authorizedKeys === undefined) return {};
  return { auth: gatewayAuth({ jwtSecret, authorizedKeys, revoked: flags.list('revoked') }) };
}

/** Where the operator's HTTP face listens by default. Another gateway may listen there: then any free port will do. */
const defaultFace = { host: '127.0.0.1', port: 50_080, orAnyPort: true };

/** The address of the operator's HTTP interface; `off`: it is not opened. */
function faceOf(flags: Flags): Pick<GatewayServerOptions, 'http'> {
  if (flags.text('http') === 'off') return {};
  const token = flags.variable('token-env');
  const place = flags.hostPort('http') ?? defaultFace;
  return { http: { ...place, ...(token === undefined ? {} : { token }) } };
}

/** The gRPC path of an agent's stream, from `--service`. @throws WireproofError 'usage' on an invalid service */
export function agentPathOf(flags: Flags): string {
  const service = flags.text('service') ?? '';
  if (!/^[\w.]+(\/\w+)?$/.test(service))
    throw usage(`--service ${service}: expected a service such as my.Control, or service/Method`);
  return service.includes('/') ? `/${service}` : `/${service}/AgentStream`;
}

/** The settings that flags give. @throws WireproofError 'usage' on a wrong value */
export function gatewaySettings(flags: Flags): GatewayServerOptions & { readonly host: string } {
  const budget = flags.read('budget', 'a whole number of tokens above 0', (text) =>
    Number.isInteger(Number(text)) && Number(text) > 0 ? Number(text) : undefined,
  );
  const duplicates = flags.text('duplicates') as GatewayOptions['duplicates'] | undefined;
  return {
    ...flags.address('listen'),
    ...faceOf(flags),
    paths: [agentPathOf(flags)],
    gateway: {
      ...authOf(flags),
      timeouts: timeoutsOf(flags.list('timeout')),
      disconnect_unresponsive: flags.on('disconnect-unresponsive'),
      ...(duplicates === undefined ? {} : { duplicates }),
      ...(budget === undefined ? {} : { budget }),
    },
  };
}
