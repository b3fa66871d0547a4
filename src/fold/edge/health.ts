/**
 * gRPC health checking (`grpc.health.v1.Health`, grpc's doc/health-checking.md): reports whether the services of this
 * server take new work.
 */
import protobuf from 'protobufjs/minimal.js';
import { ok, refuse } from '../../kit/base/index.ts';
import type { Result } from '../../kit/base/index.ts';
import type { Accept, Link, LinkEvents } from '../../kit/world/index.ts';
import { asBuffer, str } from '../protobuf-reader.ts';
import { receiveRequest } from './receive-request.ts';

const checkPath = '/grpc.health.v1.Health/Check';
const watchPath = '/grpc.health.v1.Health/Watch';

/** The methods that a server has to route to {@link healthAccept}. */
export const healthPaths: readonly string[] = [checkPath, watchPath];

/** An `accept` that answers the health service. */
export interface HealthAccept extends Accept {
  /**
   * Sets whether the services take new work; at the start they do. Watching clients receive a change at once, so set
   * false before any stream is closed.
   */
  setServing(serving: boolean): void;
}

/** `HealthCheckResponse.ServingStatus`. */
const servingStatus = { SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 } as const;
type ServingStatus = keyof typeof servingStatus;

const notFound = 5;

/**
 * Answers `Check` and `Watch` for the named services and for '', the server as a whole. Other streams go to `accept`.
 * For an unknown service Check ends with NOT_FOUND, and Watch answers SERVICE_UNKNOWN, as grpc's document demands.
 */
export function healthAccept(accept: Accept, services: readonly string[]): HealthAccept {
  const known = new Set(['', ...services]);
  const watchers = new Map<Link, string>();
  let serving = true;
  const statusOf = (service: string): ServingStatus => {
    if (!known.has(service)) return 'SERVICE_UNKNOWN';
    return serving ? 'SERVING' : 'NOT_SERVING';
  };
  const check = (link: Link, service: string): void => {
    const status = statusOf(service);
    if (status === 'SERVICE_UNKNOWN')
      return link.close({ code: notFound, message: unknownService(service, services) });
    link.send(response(status));
    link.close({ code: 0, message: '' });
  };
  const watch = (link: Link, service: string): void => {
    watchers.set(link, service);
    link.send(response(statusOf(service)));
  };
  const take: Accept = (link, metadata) => {
    if (metadata[':path'] === checkPath) return asked(link, check);
    if (metadata[':path'] !== watchPath) return accept(link, metadata);
    link.headers({}); // some clients wait for headers before they send
    return { ...asked(link, watch), ended: () => void watchers.delete(link) };
  };
  const setServing = (to: boolean): void => {
    if (to === serving) return;
    serving = to;
    for (const [link, service] of watchers) if (known.has(service)) link.send(response(statusOf(service)));
  };
  return Object.assign(take, { setServing });
}

const unknownService = (service: string, services: readonly string[]): string =>
  `no service "${service}" is served here; expected one of ${['""', ...services].join(', ')}`;

/** Reads the one request of a call, and calls `answer` with its service. */
const asked = (link: Link, answer: (link: Link, service: string) => void): LinkEvents =>
  receiveRequest(link, serviceOf, 'expected one HealthCheckRequest; none came', (service) =>
    answer(link, service),
  );

/** The service of a `HealthCheckRequest { string service = 1; }`. */
function serviceOf(bytes: Uint8Array): Result<string, string> {
  const invalid = refuse(`expected one HealthCheckRequest; ${bytes.length} bytes came that are none`);
  try {
    const reader = protobuf.Reader.create(asBuffer(bytes));
    let service = '';
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === 0) return invalid;
      if (tag === 10) service = str(reader);
      else reader.skipType(tag & 7);
    }
    return ok(service);
  } catch {
    return invalid;
  }
}

/** `HealthCheckResponse { ServingStatus status = 1; }`. */
const response = (status: ServingStatus): Uint8Array =>
  protobuf.Writer.create().uint32(8).int32(servingStatus[status]).finish();
