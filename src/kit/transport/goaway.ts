/** Sends GOAWAY (RFC 9113, 6.8) on the connections of a gRPC server. */
import { constants } from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { WireproofError } from '../base/index.ts';
import { tooManyPings } from '../world/index.ts';
import type { GoawayCode } from '../world/index.ts';

const calm = constants.NGHTTP2_ENHANCE_YOUR_CALM;

/**
 * Sends GOAWAY on each connection of a server. NO_ERROR: its streams go on, and it closes after the last one.
 * ENHANCE_YOUR_CALM: it closes at once, as in gRPC servers that get too many pings.
 *
 * @throws WireproofError 'internal' when grpc-js has other members than expected
 */
export function sendGoaway(server: Server, code: GoawayCode): void {
  for (const session of sessionsOf(server)) {
    if (session.destroyed) continue;
    // `close` sends GOAWAY with NO_ERROR.
    if (code === 'NO_ERROR') session.close();
    else endWith(session);
  }
}

/** `destroy` sends a second GOAWAY, without data. It has the same code only if an error comes with it. */
function endWith(session: ServerHttp2Session): void {
  session.goaway(calm, 0, Buffer.from(tooManyPings));
  session.destroy(new Error(tooManyPings), calm);
}

/** The open sessions. grpc-js has no public way to them. */
function sessionsOf(server: Server): readonly ServerHttp2Session[] {
  const servers: unknown = Reflect.get(server, 'http2Servers');
  if (!(servers instanceof Map))
    throw new WireproofError('internal', 'expected the member http2Servers of a grpc-js Server to be a Map');
  return [
    ...(servers as Map<unknown, { readonly sessions: ReadonlySet<ServerHttp2Session> }>).values(),
  ].flatMap(({ sessions }) => [...sessions]);
}
