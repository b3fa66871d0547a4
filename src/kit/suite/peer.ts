/** A peer that any stage can host. `peerOf` makes one of a typed role. */
import type { Codec, JsonObject, Metadata, PeerCommand, Role } from '../base/index.ts';
import { Host } from '../world/index.ts';
import type { Accept, Clock, Dial, Framing, WireEvent } from '../world/index.ts';
import type { ProcessTable } from './process-table.ts';

/** A running peer, whatever its protocol. */
export interface Peer {
  begin(): void;
  readonly accept: Accept;
  command(command: PeerCommand<JsonObject>): void;
  /** A message in its protocol's JSON as bytes. @throws Error when it is no message of the protocol */
  encode(message: JsonObject): Uint8Array;
  stop(): void;
  /** The peer's own framing, for mutants whose fault is in the framing; absent: the framing of the suite. */
  readonly framing?: Framing;
}

/** The clock, the network and the credentials that a peer uses. */
export interface PeerWorld {
  readonly clock: Clock;
  /** Unix ms at which the clock stood at 0; absent: 0, as in the simulated world. */
  readonly epoch?: number;
  readonly dial?: Dial;
  readonly tap?: (event: WireEvent) => void;
  readonly report?: (topic: string, detail: string) => void;
  /** The processes of the simulated machine; absent: the peer runs on a real one. */
  readonly processes?: ProcessTable;
  /** The metadata that identifies a peer. `kind` names valid credentials, or a kind of bad ones. */
  readonly credentials?: (kind: string) => Metadata;
}

/** Sets a peer up in a world. */
export type MakePeer = (world: PeerWorld) => Peer;

/** Optional parts of a role's host. */
export interface PeerExtras<In, Out> {
  /** Codecs by a stream's metadata. */
  readonly wireOf?: (metadata: Metadata) => { readonly receives: Codec<In>; readonly sends: Codec<Out> };
  /** Runs the role's effects. */
  readonly effect?: (effect: unknown) => unknown;
}

/** A role with its codecs, as a peer. Commands reach only roles that take {@link PeerCommand}. */
export function peerOf<S, In, Out>(
  role: Role<S, In, Out, PeerCommand<Out>> | Role<S, In, Out, never>,
  receives: Codec<In>,
  sends: Codec<Out>,
  extras: PeerExtras<In, Out> = {},
): MakePeer {
  return (world) => {
    const host = new Host<S, In, Out, PeerCommand<Out>>({
      role: role,
      receives,
      sends,
      ...extras,
      ...world,
    });
    return {
      begin: () => host.begin(),
      accept: host.accept,
      command: (command) => host.command(command as PeerCommand<Out>),
      encode: (message) => sends.encode(message as Out),
      stop: () => host.stop(),
    };
  };
}
