/** Loads packages at their first use: each takes 30 to 60 ms, and most runs need at most one of them. */
import { createRequire } from 'node:module';
import type * as Grpc from '@grpc/grpc-js';
import type * as Ws from 'ws';

const load = createRequire(import.meta.url);
let loadedGrpc: typeof Grpc | undefined;
let loadedWs: typeof Ws | undefined;

/** gRPC. It logs nothing unless `GRPC_VERBOSITY` asks for it: our own errors say more, for example of a port in use. */
export function grpcPackage(): typeof Grpc {
  if (loadedGrpc === undefined) {
    loadedGrpc = load('@grpc/grpc-js') as typeof Grpc;
    if (process.env['GRPC_VERBOSITY'] === undefined) loadedGrpc.setLogVerbosity(loadedGrpc.logVerbosity.NONE);
  }
  return loadedGrpc;
}

/** WebSockets. */
export const wsPackage = (): typeof Ws => (loadedWs ??= load('ws') as typeof Ws);
