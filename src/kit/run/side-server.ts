/** The kit's HTTP server for a target that runs: its address reaches the target by a placeholder and by environment variables. */
import type { SideServer, TargetSession } from '../suite/index.ts';
import { listenHttp, rethrowKitFault } from '../transport/index.ts';
import type { Accept } from '../world/index.ts';
import { loopback } from './program.ts';
import type { Placeholders } from './program.ts';

/** How the server is set up. */
export interface SideServerOptions {
  readonly kind: SideServer;
  /** The session whose scenarios get its URL. */
  readonly session: TargetSession<unknown>;
  /** Takes each exchange. */
  readonly accept: Accept;
  /** The largest body of a request (bytes). */
  readonly maxReceive: number;
}

/** A listening server. */
export interface OpenSideServer {
  readonly url: string;
  /** What the target's command and environment need. */
  readonly places: Placeholders;
  readonly environment: Placeholders;
  close(): Promise<void>;
}

/** Listens on a free port of loopback. @throws WireproofError 'environment' when no port is free */
export async function openSideServer(options: SideServerOptions): Promise<OpenSideServer> {
  const { kind, session, accept, maxReceive } = options;
  const server = await listenHttp({
    host: loopback,
    port: 0,
    accept,
    maxReceive,
    prefix: 'h',
    fault: rethrowKitFault,
  });
  const url = `http://${loopback}:${server.port}`;
  session.setVariable(kind.variable, url);
  return {
    url,
    places: { [kind.variable]: url },
    environment: kind.environment(url),
    close: () => server.close(),
  };
}
