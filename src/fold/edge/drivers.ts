/** The drivers of operator calls to other gateways, by their names in statements. */
import { WireproofError } from '../../kit/base/index.ts';
import { dialGrpc } from '../../kit/transport/index.ts';
import type { Dial } from '../../kit/world/index.ts';
import { fromEnvironment } from './auth/stated.ts';
import { clientServiceDriver } from './client-service/driver.ts';
import { commandDriver } from './command/driver.ts';
import { httpDriver } from './http/driver.ts';

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
        readonly operator?: {
          readonly url?: string;
          readonly token_env?: string;
          readonly commands?: { readonly [verb: string]: readonly string[] };
        };
      }
    | undefined;
  /** Numbers the names of streams. */
  readonly next: () => number;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);
const maxReceive = 16 << 20;

/**
 * Opens a driver by its name: `http`, `client-service` or `command`.
 *
 * @throws WireproofError 'usage' when the statement lacks a value that the driver needs
 */
export async function operatorDriver(request: OperatorDriverRequest): Promise<Dial> {
  const { name, place, next } = request;
  const { url = place.url, token_env, commands } = request.statement?.operator ?? {};
  const token = fromEnvironment(token_env, 'operator.token_env') ?? place.token;
  const trust = place.ca === undefined ? {} : { ca: place.ca };
  const address = `${place.host}:${place.port}`;
  if (name === 'command') {
    if (commands === undefined)
      throw usage(
        'the command driver wants operator.commands in the statement: an argv for send, cancel, inject, approve',
      );
    const values = { host: place.host, port: String(place.port), address, url: place.url };
    return commandDriver({ commands, next, values, env: { WIREPROOF_URL: place.url } });
  }
  if (name === 'client-service') {
    const tls = place.tls === true ? { tls: trust } : {};
    const dial = dialGrpc({ address, method: '', maxReceive, next, ...tls });
    const metadata = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return clientServiceDriver({ dial, next, metadata });
  }
  if (url === '')
    throw usage("the http driver wants operator.url in the statement: where the gateway's HTTP face is");
  return httpDriver({ url, next, token, ...trust });
}
