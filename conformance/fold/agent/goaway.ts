/** Agents that do something at a graceful GOAWAY. Most gRPC libraries hide it, and their streams go on. */
import type { MakePeer, Peer } from '../../../src/kit/suite/index.ts';
import type { Dial, Link, LinkEvents } from '../../../src/kit/world/index.ts';

/** The message of the status with which {@link endingAtGoaway} ends a stream. */
export const goawayMessage = 'Received GOAWAY frame, closing connection; error_code: 0';

/**
 * Its library ends its streams at a graceful GOAWAY, as grpclib does (protocol.py, process_connection_terminated). Its role
 * sees the status UNAVAILABLE. RFC 9113, 6.8 does not forbid it.
 */
export const endingAtGoaway = (make: MakePeer): MakePeer =>
  atGoaway(make, (link, events) => {
    const status = { code: 14, message: goawayMessage };
    link.close(status);
    events.ended(status);
  });

/** The time that an old stream gets for its requests (ms). */
const lastRequests = 500;

/** It opens a new stream at a graceful GOAWAY, and leaves the old one when its requests have ended. */
export const movingAtGoaway = (make: MakePeer): MakePeer => {
  return (world) => {
    const peers: Peer[] = [];
    const begun = (): Peer => {
      const peer = atGoaway(make, (link) => {
        begun().begin();
        world.clock.after(lastRequests, () => link.close({ code: 1, message: 'moved' }));
      })(world);
      peers.push(peer);
      return peer;
    };
    return { ...begun(), stop: () => peers.forEach((peer) => peer.stop()) };
  };
};

/** A peer that does this at a graceful GOAWAY. */
const atGoaway =
  (make: MakePeer, then: (link: Link, events: LinkEvents) => void): MakePeer =>
  (world) => {
    const { dial } = world;
    return make(dial === undefined ? world : { ...world, dial: tellingDial(dial, then) });
  };

const tellingDial =
  (dial: Dial, then: (link: Link, events: LinkEvents) => void): Dial =>
  (options, events) => {
    const link = dial(options, {
      headers: (metadata) => events.headers(metadata),
      message: (bytes, form) => events.message(bytes, form),
      halfClose: () => events.halfClose(),
      ended: (status) => events.ended(status),
      drained: () => events.drained(),
      ping: () => events.ping(),
      goaway: () => then(link, events),
    });
    return link;
  };
