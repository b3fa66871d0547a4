/** What the kit needs to know of a protocol's suite; and how a typed role becomes a peer that any stage can host. */
import type { Codec, JsonObject, PeerCommand, Role, TraceEvent } from '../base/index.ts';
import type { Statement } from '../spec/index.ts';
import { Host } from '../world/index.ts';
import type { Accept, Clock, Dial, WireEvent } from '../world/index.ts';
import type { Judging } from './judge.ts';
import type { Secrets } from './recorder.ts';

/** A running peer, whatever its protocol. */
export interface Peer {
  begin(): void;
  readonly accept: Accept;
  command(command: PeerCommand<JsonObject>): void;
  /** A message in its protocol's JSON as bytes. @throws Error when it is no message of the protocol */
  encode(message: JsonObject): Uint8Array;
  stop(): void;
}

/** Sets a peer up in a world. */
export type MakePeer = (world: {
  readonly clock: Clock;
  readonly dial?: Dial;
  readonly tap?: (event: WireEvent) => void;
  readonly told?: (what: string, detail: string) => void;
}) => Peer;

/** A role with its codecs, as a peer. Commands reach only roles that take {@link PeerCommand}. */
export function peerOf<S, In, Out>(
  role: Role<S, In, Out, PeerCommand<Out>> | Role<S, In, Out, never>,
  receives: Codec<In>,
  sends: Codec<Out>,
): MakePeer {
  return (world) => {
    const host = new Host<S, In, Out, PeerCommand<Out>>({
      role: role,
      receives,
      sends,
      ...world,
    });
    return {
      begin: () => host.begin(),
      accept: host.accept,
      command: (command) => host.command(command as unknown as PeerCommand<Out>),
      encode: (message) => sends.encode(message as unknown as Out),
      stop: () => host.stop(),
    };
  };
}

/** A reference peer that is wrong in one named way. */
export interface Mutant {
  readonly id: string;
  /** The requirement it is there to break. */
  readonly breaks: string;
  /** What it does wrong, in one sentence. */
  readonly title: string;
  readonly make: () => MakePeer;
}

/** A feature of the suite's closed list. */
export interface Feature {
  readonly name: string;
  /** Read off the wire when the target registers; others are only stated. */
  readonly advertised: boolean;
  readonly text: string;
}

/** One suite: a protocol's requirements for one role, with everything that drives and judges a target of it. */
export interface Suite<V = unknown> {
  /** Such as `fold/agent`. */
  readonly id: string;
  readonly protocol: string;
  /** The role of its rows in requirements.yaml. */
  readonly role: string;
  readonly title: string;
  readonly features: readonly Feature[];
  readonly judging: Judging<V>;
  readonly secrets: Secrets;
  /** Milliseconds, by the names that statements and scenarios use. */
  readonly timeouts: { readonly [name: string]: number };
  /** Topic of the event after which a target can be given work. */
  readonly ready: string;
  /** What the target advertised last; undefined before it did. */
  advertised(view: V): readonly string[] | undefined;
  /** Whether nothing the target began is unfinished. */
  idle(view: V): boolean;
  /** Whether the target has a stream on which it can be given work. */
  connected(view: V): boolean;
  /** Whether the target obeyed the directive it was sent last. */
  obeys(view: V): boolean;
  /** What the target says in this event that it cannot do, if it says so. */
  unsupported(event: TraceEvent): string | undefined;
  /** The scenario that finds out whether a target obeys directives. */
  readonly probe: string;
  /** Simulated peers by role. @throws Error on options the role does not have */
  readonly peers: { readonly [role: string]: (options: JsonObject) => MakePeer };
  /** How a target reaches the simulated peers: gRPC methods, all streams of the same two message types. */
  readonly carrier: { readonly kind: 'grpc'; readonly methods: readonly string[] };
  /** Rows on which the kit has a handle only when a statement gives it one. */
  readonly handles: readonly {
    readonly requirement: string;
    readonly reason: string;
    readonly unless: (statement: Statement) => boolean;
  }[];
  /** The reference implementation of the role under test. */
  readonly reference: () => MakePeer;
  readonly mutants: readonly Mutant[];
  /** Random conversations of the reference under random faults, a seed each. */
  readonly storm?: (options: StormRun) => Storm;
}

/** Which conversations a storm has. */
export interface StormRun {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
  readonly onProgress: (done: number) => void;
}

/** What a storm found. */
export interface Storm {
  readonly sessions: number;
  readonly events: number;
  readonly failures: readonly { readonly seed: number; readonly what: string }[];
}
