/** Carries bytes and knows nothing of protocols: gRPC streams, the network in front of a server, processes. */
export { byteWire } from './byte-wire.ts';
export type { Pipes } from './byte-wire.ts';
export { Wires } from './carriage.ts';
export type { Carriage } from './carriage.ts';
export { tapFrames } from './frame-tap.ts';
export type { FrameTap } from './frame-tap.ts';
export { openFront } from './front.ts';
export type { Front, FrontOptions } from './front.ts';
export { dialGrpc } from './grpc-client.ts';
export type { GrpcClientOptions } from './grpc-client.ts';
export { serveGrpc } from './grpc-server.ts';
export type { GrpcServer, GrpcServerOptions } from './grpc-server.ts';
export { awaitPort, freePort } from './port.ts';
export { killAllTargets, startProcess } from './process.ts';
export type { ProcessOptions, TargetProcess } from './process.ts';
export { connectTcp, listenTcp } from './tcp.ts';
export { connectWebSocket, listenWebSocket } from './websocket.ts';
