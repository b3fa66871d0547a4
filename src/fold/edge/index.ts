/**
 * Fold's gateway and its operators on real sockets: the server of the reference gateway, and the drivers that carry
 * operator calls to other gateways. Not part of the main door, because it loads Node's network.
 *
 * @example
 * const auth = gatewayAuth({ jwtSecret: 'a secret', authorizedKeys: undefined, revoked: ['mallory'] });
 * auth.others; // 'approved'
 */
export { gatewayAuth, statedCredentials } from './auth/stated.ts';
export type { StatedAuth } from './auth/stated.ts';
export { operatorDriver } from './drivers.ts';
export type { OperatorDriverRequest } from './drivers.ts';
export { openSqliteLedger } from './ledger/sqlite-ledger.ts';
export { serveGateway } from './serve.ts';
export type { GatewayServer, GatewayServerOptions } from './serve.ts';
