/** Serves the reference gateway on a real port: clients dial it, and it dials the providers of its routes. */
import type { PeerCommand } from '../../../kit/base/index.ts';
import { dialHttp, listenHttp } from '../../../kit/transport/index.ts';
import { Host, realClock, seededRandom } from '../../../kit/world/index.ts';
import type { WireEvent } from '../../../kit/world/index.ts';
import { llmGateway } from '../../gateway/gateway.ts';
import type { GatewayState } from '../../gateway/gateway.ts';
import type { GatewayOptions } from '../../gateway/options.ts';
import { gatewayWire } from '../../gateway/wire.ts';
import type { GatewayIn, GatewayOut } from '../../gateway/wire.ts';

/** Options of a served gateway. */
export interface ServeGatewayOptions extends Omit<GatewayOptions, 'random' | 'epoch'> {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Draws ids; default `1`. */
  readonly seed?: string;
  /** Gets everything that crosses its links. */
  readonly tap?: (event: WireEvent) => void;
}

/** A gateway on a port. */
export interface ServedGateway {
  readonly host: string;
  readonly port: number;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** The largest request without its length, and the largest message of a provider (bytes). */
const maxReceive = 32 << 20;

/** Serves. @throws WireproofError 'environment' when the port cannot be had */
export async function serveGateway(options: ServeGatewayOptions): Promise<ServedGateway> {
  const { host = '127.0.0.1', port = 0, seed = '1', tap, ...gateway } = options;
  const random = (label: string): ReturnType<typeof seededRandom> => seededRandom(`${seed} ${label}`);
  const running = new Host<GatewayState, GatewayIn, GatewayOut, PeerCommand<GatewayOut>>({
    role: llmGateway({ ...gateway, random, epoch: Date.now() }),
    clock: realClock(),
    ...gatewayWire({}),
    wireOf: gatewayWire,
    dial: dialHttp({ maxReceive, prefix: 'p' }),
    ...(tap === undefined ? {} : { tap }),
  });
  const server = await listenHttp({
    host,
    port,
    accept: running.accept,
    maxReceive,
    background: false,
    webSockets: () => false,
  });
  running.begin();
  return {
    host,
    port: server.port,
    async close() {
      running.stop();
      await server.close();
    },
  };
}
