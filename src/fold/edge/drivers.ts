/** The drivers of operator calls to other gateways, by their names in statements. */
import { addressText, WireproofError } from '../../kit/base/index.ts';
import { dialGrpc } from '../../kit/transport/index.ts';
import type { Dial } from '../../kit/world/index.ts';
import { fromEnvironment } from './auth/stated.ts';
import { clientServiceCalls } from './client-service/driver.ts';
import { commandCalls } from './command/driver.ts';
import { driverDial, unsupported } from './driver-link.ts';
import type { StartCall } from './driver-link.ts';
import { httpCalls } from './http/driver.ts';
import { controlServices, servicePath } from '../services.ts';

/** A driver to open; see a suite's `Listening.driver`. */
export interface OperatorDriverRequest {
  readonly name: string;
  /** The gateway's addresses, and the trust and the token with which it is dialled. */
  readonly place: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly tls?: boolean;
    readonly ca?: string;
    readonly token?: string;
  };
  readonly statement:
    | {
        /** The folder in which its commands run. */
        readonly folder?: string;
        readonly operator?: {
          readonly driver?: string;
          readonly url?: string;
          readonly token_env?: string;
          /** Paths of the HTTP face that differ from the published ones, by call. */
          readonly paths?: { readonly [verb: string]: string };
          /** An argv by call. With another driver, these calls are made by command. */
          readonly commands?: { readonly [verb: string]: readonly string[] };
        };
      }
    | undefined;
  /** The gRPC service of agents there; ClientService has the same package. Default: the published one. */
  readonly service?: string;
  /** Numbers the names of streams. */
  readonly next: () => number;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);
const maxReceive = 16 << 20;

/** A dial function to a gateway whose services have the package of `service`. */
const renamed =
  (dial: Dial, service: string): Dial =>
  (options, events) => {
    const path = servicePath(options.metadata[':path'] ?? '', service);
    return dial({ ...options, metadata: { ...options.metadata, ':path': path } }, events);
  };

/** The calls of a gateway without an operator. */
const noCalls: StartCall = () => unsupported('no operator (--operator none)');

/**
 * Opens a driver by its name: `http`, `client-service`, `command` or `none`. A call for which the statement has a command
 * is made by the command.
 *
 * @throws WireproofError 'usage' when the statement lacks a value that the driver needs
 */
export async function operatorDriver(request: OperatorDriverRequest): Promise<Dial> {
  const { name, next } = request;
  return driverDial(name, next, callsOf(request));
}

function callsOf(request: OperatorDriverRequest): StartCall {
  const { name, place, statement } = request;
  const commands = statement?.operator?.commands;
  if (name === 'none') return noCalls;
  if (name === 'command' && commands === undefined)
    throw usage(
      'the command driver wants operator.commands in the statement: an argv for send, cancel, inject, approve',
    );
  const url = statement?.operator?.url ?? place.url;
  const values = { host: place.host, port: String(place.port), address: addressText(place), url };
  const env = { WIREPROOF_URL: url };
  const byCommand = commandCalls({ commands: commands ?? {}, values, env, folder: statement?.folder });
  if (name === 'command') return byCommand;
  const others = name === 'client-service' ? clientCalls(request) : faceCalls(request, url);
  const own = Object.keys(commands ?? {});
  return (call, caller) =>
    (Object.keys(call).some((verb) => own.includes(verb)) ? byCommand : others)(call, caller);
}

/** The certificates that are trusted at a gateway. */
const trustOf = ({ place }: OperatorDriverRequest): { readonly ca?: string } =>
  place.ca === undefined ? {} : { ca: place.ca };

const tokenOf = ({ place, statement }: OperatorDriverRequest): string | undefined =>
  fromEnvironment(statement?.operator?.token_env, 'operator.token_env') ?? place.token;

function clientCalls(request: OperatorDriverRequest): StartCall {
  const { place, next, service = controlServices[0] ?? '' } = request;
  const token = tokenOf(request);
  const tls = place.tls === true ? { tls: trustOf(request) } : {};
  const dial = dialGrpc({ address: addressText(place), method: '', maxReceive, next, ...tls });
  const metadata = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return clientServiceCalls({ dial: renamed(dial, service), metadata });
}

function faceCalls(request: OperatorDriverRequest, url: string): StartCall {
  if (url === '')
    throw usage("the http driver wants operator.url in the statement: where the gateway's HTTP face is");
  const { paths = {} } = request.statement?.operator ?? {};
  return httpCalls({ url, token: tokenOf(request), paths, ...trustOf(request) });
}
