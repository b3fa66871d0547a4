/** What the kit needs to know of a protocol's suite; and how a typed role becomes a peer that any stage can host. */
import type {
  Codec,
  JsonObject,
  Metadata,
  PeerCommand,
  Role,
  Scenario,
  TraceEvent,
  UnknownField,
} from '../base/index.ts';
import type { ExpectedFailure, Statement } from '../spec/index.ts';
import { Host } from '../world/index.ts';
import type { Accept, Clock, Dial, Framing, Secrets, WireEvent } from '../world/index.ts';
import type { Carrier } from './carrier.ts';
import type { TargetPlan } from './target-plan.ts';
import type { Judging } from '../judge/index.ts';
import type { TemplateForms } from '../scenario/index.ts';

/** A running peer, whatever its protocol. */
export interface Peer {
  begin(): void;
  readonly accept: Accept;
  command(command: PeerCommand<JsonObject>): void;
  /** A message in its protocol's JSON as bytes. @throws Error when it is no message of the protocol */
  encode(message: JsonObject): Uint8Array;
  stop(): void;
  /** How it cuts messages out of bytes, where it does so otherwise than its suite says: a mutant's fault. */
  readonly framing?: Framing;
}

/** What a peer is given of the world it lives in. */
export interface PeerWorld {
  readonly clock: Clock;
  /** Unix ms at which the clock stood at 0; absent: 0, as in the simulated world. */
  readonly epoch?: number;
  readonly dial?: Dial;
  readonly tap?: (event: WireEvent) => void;
  readonly report?: (what: string, detail: string) => void;
  /** The metadata by which a peer shows who it is: good credentials, or bad ones of a kind. */
  readonly credentials?: (kind: string) => Metadata;
}

/** Sets a peer up in a world. */
export type MakePeer = (world: PeerWorld) => Peer;

/** What a role's host may need beyond two codecs. */
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

/** A reference peer that is wrong in one named way. */
export interface Mutant {
  readonly id: string;
  /** The requirement it is there to break. */
  readonly breaks: string;
  /** What it does wrong, in one sentence. */
  readonly title: string;
  /** `options` are a scenario's for the reference. */
  readonly make: (options?: JsonObject) => MakePeer;
}

/** A feature of the suite's closed list. */
export interface Feature {
  readonly name: string;
  /** Read off the wire when the target registers; others are only stated. */
  readonly advertised: boolean;
  readonly text: string;
}

/** A target that dials the kit, and registers. */
export interface DialingTargetKind<V> {
  readonly kind: 'dials';
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
  /** The scenario that finds out whether a target obeys directives. */
  readonly probe: string;
  /** How it reaches the simulated peers: gRPC methods, all streams of the same two message types. */
  readonly methods: readonly string[];
}

/** Where a listening target is, and how the kit dials it. */
export interface TargetAddress {
  readonly host: string;
  readonly port: number;
  /** Where its operator's face is, when it has one of its own. */
  readonly url: string;
  /** Whether it is dialled over TLS. */
  readonly tls?: boolean;
  /** Certificates (PEM) that are trusted there; absent: the authorities that Node knows. */
  readonly ca?: string;
  /** A bearer token to show. */
  readonly token?: string;
}

/** How an operator reaches a listening target. */
export interface DriverRequest {
  /** One of the suite's drivers. */
  readonly name: string;
  readonly place: TargetAddress;
  readonly statement: Statement | undefined;
  /** Numbers for the names of streams, unique in a trace. */
  readonly next: () => number;
}

/** Who the simulated peers say they are. */
export interface Credentials {
  /** What the target is said to demand: `none`, or the name of a scheme. */
  readonly scheme: string;
  /** Features that a target has which demands them. */
  readonly features: readonly string[];
  /** Metadata of a kind, such as `valid` or `forged`, at a moment (Unix ms). */
  of(kind: string, now: number): Metadata;
}

/** A target that listens: the kit dials it, as peers and as its operator. */
export interface ListeningTargetKind {
  readonly kind: 'listens';
  /** The ways an operator may reach it. */
  readonly drivers: readonly string[];
  /** The one to use when nobody named one. */
  choose(target: TargetPlan, statement: Statement | undefined): string;
  /** Opens a way for operators. @throws WireproofError 'usage' when the statement lacks what it needs */
  driver(request: DriverRequest): Promise<Dial>;
  /** What peers show a real target. @throws WireproofError 'usage' on a key or secret that is none */
  credentials(statement: Statement | undefined): Promise<Credentials>;
  /** The same for the simulated one, as a scenario has it. */
  simulated(reference: JsonObject): Credentials;
  /** A feature that an event shows the target to have, beyond what it is stated to have. */
  shown(event: TraceEvent): string | undefined;
  /** Whether a role is the operator's, whose streams go through the driver. */
  operates(role: string): boolean;
}

/** A target that meets the kit on a plain carrier, whoever dials; each scenario has a connection of its own. */
export interface CarrierTargetKind<V> {
  readonly kind: 'meets';
  /** Those it may be reached by. */
  readonly carriers: readonly Carrier[];
  /** Cuts messages out of bytes, where the carrier does not. */
  readonly framing: Framing;
  /** What WebSocket messages the kit sends; default binary. */
  readonly messages?: 'binary' | 'text';
  /** The scenario that finds out whether a target obeys directives; absent: the kit's peer does all the driving. */
  readonly probe?: { readonly scenario: string; obeys(view: V): boolean };
  /** What the drive is called where there is no probe. */
  readonly drive: string;
  /** The features that the target has shown. */
  advertised(view: V): readonly string[];
  /** A server of the kit's beside the carrier, which the target is told of; absent: none. */
  readonly serves?: SideServer;
  /** What the target says of itself when it is asked; absent: it is not asked. */
  readonly hello?: HelloReader<V>;
}

/** What a target says of itself. */
export interface Hello {
  /** The operations that it has. */
  readonly ops: readonly string[];
  /** The optional parts of its protocol that it claims. */
  readonly features: readonly string[];
  /** Whether its clock is the one that requests set. */
  readonly virtual_time: boolean;
  /** The whole answer, with what its protocol asks for besides. */
  readonly said: JsonObject;
}

/** How a suite learns what a target says of itself, before its other scenarios are chosen. */
export interface HelloReader<V> {
  /** The name of the scenario that asks. */
  readonly scenario: string;
  /** What the target said; undefined when it did not. */
  of(view: V): Hello | undefined;
  /** The rows that cannot be judged of a target without the operations that show them, and why. */
  lacking(hello: Hello): { readonly [row: string]: string };
}

/** An HTTP server that the kit is beside its carrier to the target. */
export interface SideServer {
  /** The scenario's name for the peer that takes its exchanges. */
  readonly peer: string;
  /** The variable of scenarios, and the placeholder of commands, that its base URL goes by. */
  readonly variable: string;
  /** Its base URL in the simulated world. */
  readonly simulatedUrl: string;
  /** What the target's environment says of it. */
  environment(url: string): { readonly [name: string]: string };
}

/** YAML with comments. Every line that a comment hides must be accepted when it is uncommented. */
export interface StatementTemplate {
  /** The key `target`, and how it is reached. */
  readonly target: string;
  /** Keys that may be given besides. */
  readonly more?: string;
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
  /** Those that are longer in the simulated world, where watching costs nothing. */
  readonly simulatedTimeouts?: { readonly [name: string]: number };
  /** How a target is reached, and what that lets the kit know of it. */
  readonly target: DialingTargetKind<V> | ListeningTargetKind | CarrierTargetKind<V>;
  /** Scenarios that the suite makes itself; absent: those of fixtures/<protocol>/scenarios. */
  readonly scenarios?: () => readonly Scenario[];
  /** What the target says in this event that it cannot do, if it says so. */
  unsupported(event: TraceEvent): string | undefined;
  /** Simulated peers by role. @throws Error on options the role does not have */
  readonly peers: { readonly [role: string]: (options: JsonObject) => MakePeer };
  /** What simulated peers tell of their own doings (a role's `tell`, its detail JSON) that belongs into the trace as marks. */
  readonly reports?: readonly string[];
  /** The wire that traces name for a role's streams, where it is not the protocol's own. */
  readonly wires?: { readonly [role: string]: string };
  /** Forms of the suite's own in scenarios, such as `{$directive: steps}`. */
  readonly forms?: TemplateForms;
  /** Fields that the protocol's schema does not know, as bytes behind a message; absent: the protocol has none. */
  readonly encodeUnknown?: (fields: readonly UnknownField[]) => Uint8Array;
  /** Rows on which the kit has a handle only when a statement gives it one. */
  readonly conditionalRows: readonly {
    readonly requirement: string;
    readonly reason: string;
    /** Whether this statement gives the handle. */
    readonly unless: (statement: Statement) => boolean;
  }[];
  /** The part of a statement that is this suite's own: `wireproof init` writes it. */
  readonly statement: StatementTemplate;
  /** The reference implementation of the role under test. */
  readonly reference: (options?: JsonObject) => MakePeer;
  readonly mutants: readonly Mutant[];
  /** Deviations that are known in the field, by the name of a profile that reports them as such. */
  readonly profiles?: { readonly [name: string]: readonly ExpectedFailure[] };
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
