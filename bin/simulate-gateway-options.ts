/** From the flags of `simulate fold/gateway` to a gateway: what is wrong is refused before a port is opened. */
import { readFileSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import { duration } from '../src/kit/scenario/index.ts';
import { gatewayAuth } from '../src/fold/edge/index.ts';
import type { GatewayServerOptions } from '../src/fold/edge/index.ts';
import type { GatewayOptions } from '../src/fold/index.ts';

/** The flags that say how the gateway is. */
export interface SimulateGatewayFlags {
  readonly listen: string;
  readonly http: string;
  readonly scenario?: string;
  readonly script?: string;
  readonly record?: string;
  readonly ledger?: string;
  readonly budget?: string;
  readonly duplicates?: 'already_exists' | 'registration_error';
  readonly disconnectUnresponsive?: boolean;
  readonly jwtSecretEnv?: string;
  readonly authorizedKeys?: string;
  readonly revoked: readonly string[];
  readonly tokenEnv?: string;
  readonly service: string;
  readonly timeout: readonly string[];
  readonly rules: boolean;
  readonly redact: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** host:port, or only the port. */
export function hostPort(text: string, flag: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw usage(`${flag} ${text}: expected host:port, such as 127.0.0.1:50051`);
  return { host, port: Number(port) };
}

const names = ['cancel', 'approval', 'pack', 'stalled', 'ack', 'shutdown'];

function timeoutsOf(flags: readonly string[]): GatewayOptions['timeouts'] {
  const set = flags.map((text): [string, number] => {
    const [name = '', time = ''] = text.split('=');
    const ms = duration(time);
    if (!names.includes(name))
      throw usage(`--timeout ${name}: no such timeout; there are ${names.join(', ')}`);
    if (ms === undefined) throw usage(`--timeout ${text}: expected a time such as cancel=2s`);
    return [name, ms];
  });
  return Object.fromEntries(set);
}

/** The value of an environment variable that a flag names. */
function fromEnvironment(name: string | undefined, flag: string): string | undefined {
  if (name === undefined) return undefined;
  const value = process.env[name] ?? '';
  if (value === '') throw usage(`${flag} ${name}: the environment variable ${name} is not set`);
  return value;
}

function authOf(flags: SimulateGatewayFlags): Pick<GatewayOptions, 'auth'> {
  const jwtSecret = fromEnvironment(flags.jwtSecretEnv, '--jwt-secret-env');
  const { authorizedKeys, revoked } = flags;
  if (jwtSecret === undefined && authorizedKeys === undefined) return {};
  let keys: string | undefined;
  try {
    keys = authorizedKeys === undefined ? undefined : readFileSync(authorizedKeys, 'utf8');
  } catch (error) {
    throw usage(`--authorized-keys ${authorizedKeys ?? ''}: ${error instanceof Error ? error.message : ''}`);
  }
  return { auth: gatewayAuth({ jwtSecret, authorizedKeys: keys, revoked }) };
}

/** What the flags say of the gateway. */
export function gatewaySettings(
  flags: SimulateGatewayFlags,
): GatewayServerOptions & { readonly host: string } {
  const { host, port } = hostPort(flags.listen, '--listen');
  const token = fromEnvironment(flags.tokenEnv, '--token-env');
  const http =
    flags.http === 'off'
      ? {}
      : { http: { ...hostPort(flags.http, '--http'), ...(token === undefined ? {} : { token }) } };
  const budget = flags.budget === undefined ? undefined : Number(flags.budget);
  if (budget !== undefined && !(Number.isInteger(budget) && budget > 0))
    throw usage(`--budget ${flags.budget ?? ''}: expected a whole number of tokens above 0`);
  const { service } = flags;
  if (!/^[\w.]+(\/\w+)?$/.test(service))
    throw usage(`--service ${service}: expected a service such as my.Control, or service/Method`);
  return {
    host,
    port,
    ...http,
    paths: [service.includes('/') ? `/${service}` : `/${service}/AgentStream`],
    gateway: {
      ...authOf(flags),
      timeouts: timeoutsOf(flags.timeout),
      disconnect_unresponsive: flags.disconnectUnresponsive === true,
      ...(flags.duplicates === undefined ? {} : { duplicates: flags.duplicates }),
      ...(budget === undefined ? {} : { budget }),
    },
  };
}
