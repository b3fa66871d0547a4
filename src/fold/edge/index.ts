/**
 * Fold's gateway and its operators on real sockets: faces that turn HTTP requests and ClientService calls into operator
 * calls, and drivers that carry operator calls to other gateways. Not part of the main door, because it loads Node's
 * network.
 *
 * @example
 * let calls = 0;
 * const operator = httpDriver({ url: 'http://127.0.0.1:8080', next: () => ++calls });
 */
export { serveHttpFace } from './http/face.ts';
export type { HttpFace, HttpFaceOptions } from './http/face.ts';
export type { GuardOptions } from './http/guard.ts';
export { httpDriver } from './http/driver.ts';
export type { HttpDriverOptions } from './http/driver.ts';
export type { HttpPaths, HttpVerb } from './http/routes.ts';
export { clientServiceAccept } from './client-service/service.ts';
export type { ClientServiceOptions } from './client-service/service.ts';
export { clientServicePaths, clientServicePrefix } from './client-service/methods.ts';
export { clientServiceDriver } from './client-service/driver.ts';
export type { ClientServiceDriverOptions } from './client-service/driver.ts';
export { commandDriver, commandPlaces } from './command/driver.ts';
export type { CommandDriverOptions, CommandVerb, Commands } from './command/driver.ts';
export { gatewayAuth, statedCredentials } from './auth/stated.ts';
export type { StatedAuth } from './auth/stated.ts';
export { operatorDriver } from './drivers.ts';
export type { OperatorDriverRequest } from './drivers.ts';
export { serveGateway } from './serve.ts';
export type { GatewayServer, GatewayServerOptions } from './serve.ts';
export { openSqliteLedger } from './ledger/sqlite-ledger.ts';
