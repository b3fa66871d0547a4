/**
 * gRPC health checking (`grpc.health.v1.Health`, grpc's doc/health-checking.md) before whatever else is served as
 * streams of bytes: says which services there are, and whether they still take work.
 */
import protobuf from 'protobufjs/minimal.js';
import type { Accept, Link, LinkEvents } from '../../kit/world/index.ts';
import { asBuffer, str } from '../protobuf-reader.ts';

const checkPath = '/grpc.health.v1.Health/Check';
const watchPath = '/grpc.health.v1.Health/Watch';

/** The methods to register with the server. */
export const healthPaths: readonly string[] = [checkPath, watchPath];

/** Takes streams, and answers those of the health service itself. */
export interface HealthAccept extends Accept {
  /**
   * Whether all that is served here takes work: yes from the start. Whoever watches is told at once, so say no
   * before closing anything.
   */
  setServing(serving: boolean): void;
}

/** `HealthCheckResponse.ServingStatus`. */
const servingStatus = { SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 } as const;
type ServingStatus = keyof typeof servingStatus;

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

/**
 * Answers `Check` and `Watch` for the named services and for '', the server as a whole; every other stream goes to
 * `accept`. An unknown service is NOT_FOUND to Check and SERVICE_UNKNOWN to Watch, as grpc's document has it.
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
      return link.close({ code: NOT_FOUND, message: unknownService(service, services) });
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
    link.headers({}); // some clients wait for them before they send
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

/** What a stream hears that asks once: `answer` is called with the service of the first message. */
function asked(link: Link, answer: (link: Link, service: string) => void): LinkEvents {
  let over = false;
  const refuse = (came: string): void =>
    link.close({ code: INVALID_ARGUMENT, message: `expected one HealthCheckRequest; ${came}` });
  return {
    headers: () => {},
    message(bytes) {
      if (over) return;
      over = true;
      const service = serviceOf(bytes);
      if (service === undefined) refuse(`${bytes.length} bytes came that are none`);
      else answer(link, service);
    },
    halfClose() {
      if (!over) refuse('none came');
      over = true;
    },
    ended: () => {},
    drained: () => {},
    ping: () => {},
  };
}

/** `HealthCheckRequest { string service = 1; }`. @returns undefined for bytes that are none */
function serviceOf(bytes: Uint8Array): string | undefined {
  try {
    const reader = protobuf.Reader.create(asBuffer(bytes));
    let service = '';
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === 0) return undefined;
      if (tag === 10) service = str(reader);
      else reader.skipType(tag & 7);
    }
    return service;
  } catch {
    return undefined;
  }
}

/** `HealthCheckResponse { ServingStatus status = 1; }`. */
const response = (status: ServingStatus): Uint8Array =>
  protobuf.Writer.create().uint32(8).int32(servingStatus[status]).finish();
