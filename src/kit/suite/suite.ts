/** The parts of a protocol's suite. */
import type { JsonObject, Metadata, Scenario, TraceEvent, UnknownField } from '../base/index.ts';
import type { ExpectedFailure, Statement } from '../spec/index.ts';
import type { Dial, Framing, Secrets } from '../world/index.ts';
import type { Carrier } from './carrier.ts';
import type { TargetPlan } from './target-plan.ts';
import type { Judging, PartyKeys } from '../judge/index.ts';
import type { FailedCall, TemplateForms } from '../scenario/index.ts';
import type { MakePeer } from './peer.ts';

/** A reference peer that is wrong in one named way. */
export interface Mutant {
  readonly id: string;
  /** The requirement that it breaks. */
  readonly breaks: string;
  /** Its fault, in one sentence. */
  readonly title: string;
  /** `options`: the scenario's options for the reference. */
  readonly make: (options?: JsonObject) => MakePeer;
}

/** A peer that does an unusual thing that its protocol allows. No rule may blame it. */
export interface LawfulPeer {
  readonly id: string;
  /** Its oddity, in one sentence. */
  readonly title: string;
  /** The document and the section that allow it, in words that a reader can find. */
  readonly allowed: string;
  /** `options`: the scenario's options for the reference. */
  readonly make: (options?: JsonObject) => MakePeer;
  /** The features that it does not have. Scenarios that need them are not played. */
  readonly lacks?: readonly string[];
  /** Set for a peer that obeys no directive. */
  readonly drive?: 'passive';
  /** By row: the reason why its oddity makes the row unobservable. */
  readonly unseen?: { readonly [row: string]: string };
}

/** A feature of the suite's closed list. */
export interface Feature {
  readonly name: string;
  /** Whether the target advertises it when it registers. Other features are only stated. */
  readonly advertised: boolean;
  readonly text: string;
}

/** A target that dials the kit, and registers. */
export interface DialingTargetKind<V> {
  readonly kind: 'dials';
  /** Topic of the event after which a target can be given work. */
  readonly ready: string;
  /** The features that the target advertised last; undefined before its first registration. */
  advertised(view: V): readonly string[] | undefined;
  /** Whether the target has finished all its work. */
  idle(view: V): boolean;
  /** Whether the target has a stream on which it can be given work. */
  connected(view: V): boolean;
  /** Whether the target obeyed the directive it was sent last. */
  obeys(view: V): boolean;
  /** The scenario that finds out whether a target obeys directives. */
  readonly probe: string;
  /** The gRPC methods that the target may call. All are streams of the same two message types. */
  readonly methods: readonly string[];
}

/** Where a listening target is, and how the kit dials it. */
export interface TargetAddress {
  readonly host: string;
  readonly port: number;
  /** The URL of its operator interface; empty when it has none. */
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
  /** The gRPC service that the target serves to peers; see {@link ListeningServices}. */
  readonly service?: string;
  /** Numbers for the names of streams, unique in a trace. */
  readonly next: () => number;
}

/** The names under which listening targets serve the same methods. */
export interface ListeningServices {
  /** The services to try, the usual one first. A named service replaces them. */
  readonly known: readonly string[];
  /** The path of a method of the suite's peers at a target with this service. */
  path(path: string, service: string): string;
}

/** The set-up of a probe: what the user and the kit chose. */
export interface ProbeSetup {
  readonly driver: string;
  readonly place: TargetAddress;
  readonly statement: Statement | undefined;
  /** The services that were tried. */
  readonly services: readonly string[];
  /** How long the kit tried (ms). */
  readonly patience: number;
}

/** The result of a probe. */
export type ProbeFinding =
  /** The set-up works, or the target's own behaviour keeps the kit from knowing. `note`: for the report. */
  | { readonly is: 'usable'; readonly note?: string }
  /** The set-up is wrong. */
  | { readonly is: 'wrong'; readonly why: string }
  /** Nothing answered so far: try again. `judged`: after the last try, the rules judge the target all the same. */
  | { readonly is: 'not-yet'; readonly why: string; readonly judged?: true }
  /** The target has no such service: try the next one. */
  | { readonly is: 'no-service'; readonly why: string };

/** How a suite finds out whether its operator and the credentials of its peers work, before anything is judged. */
export interface TargetProbe {
  /** The scenario that is played with each program of the target. Its trace is not judged. */
  readonly scenario: string;
  /** Reads the trace of the scenario. */
  finding(events: readonly TraceEvent[], setup: ProbeSetup): ProbeFinding;
}

/** The credentials of the simulated peers. */
export interface Credentials {
  /** The scheme that the target demands: `none`, or a name. */
  readonly scheme: string;
  /** The features of a target that demands this scheme. */
  readonly features: readonly string[];
  /** Metadata of a kind, such as `valid` or `forged`, at a moment (Unix ms). */
  of(kind: string, now: number): Metadata;
}

/** A target that listens: the kit dials it, as peers and as its operator. */
export interface ListeningTargetKind {
  readonly kind: 'listens';
  /** The ways an operator may reach it. */
  readonly drivers: readonly string[];
  /** The driver of a run for which no driver is named. */
  choose(target: TargetPlan, statement: Statement | undefined): string;
  /** Opens a driver. @throws WireproofError 'usage' when the statement lacks an entry that the driver needs */
  driver(request: DriverRequest): Promise<Dial>;
  /** The credentials for a real target. @throws WireproofError 'usage' on an invalid key or secret */
  credentials(statement: Statement | undefined): Promise<Credentials>;
  /** The credentials for the simulated target of a scenario. */
  simulated(reference: JsonObject): Credentials;
  /** A feature that an event proves, besides the stated features. */
  shown(event: TraceEvent): string | undefined;
  /** Whether a role is the operator's, whose streams go through the driver. */
  operates(role: string): boolean;
  /** The gRPC services of its targets; absent: peers dial the paths that they name. */
  readonly services?: ListeningServices;
  /** Finds out whether the set-up works; absent: the kit does not ask. */
  readonly probe?: TargetProbe;
}

/** A target on a plain carrier. Either side may dial. Each scenario has its own connection. */
export interface CarrierTargetKind<V> {
  readonly kind: 'meets';
  /** The carriers that the target may use. */
  readonly carriers: readonly Carrier[];
  /** Cuts messages out of bytes, where the carrier does not. */
  readonly framing: Framing;
  /** The type of the WebSocket messages that the kit sends; default binary. */
  readonly messages?: 'binary' | 'text';
  /** The scenario that finds out whether a target obeys directives; absent: only the kit's peer drives. */
  readonly probe?: { readonly scenario: string; obeys(view: V): boolean };
  /** The name of the drive of a suite without a probe. */
  readonly drive: string;
  /** The features that the target has shown. */
  advertised(view: V): readonly string[];
  /** The kit's HTTP server for the target; absent: none. */
  readonly sideServer?: SideServer;
  /** How the target describes itself; absent: the kit does not ask. */
  readonly hello?: HelloReader<V>;
}

/** The self-description of a target. */
export interface Hello {
  /** The operations that it has. */
  readonly ops: readonly string[];
  /** The optional parts of its protocol that it claims. */
  readonly features: readonly string[];
  /** Whether requests set its clock. */
  readonly virtual_time: boolean;
  /** The most requests that it answers at the same time; absent: 1. */
  readonly concurrent?: number;
  /** The whole answer, with the members that only its protocol defines. */
  readonly answer: JsonObject;
}

/** How a suite reads a target's self-description, before the kit chooses the other scenarios. */
export interface HelloReader<V> {
  /** The name of the scenario that asks. */
  readonly scenario: string;
  /** The self-description; undefined before the target gave one. */
  of(view: V): Hello | undefined;
  /** By row: the reason why the row cannot be judged, because the target lacks its operations. */
  untestableRows(hello: Hello): { readonly [row: string]: string };
}

/** An HTTP server of the kit, beside the carrier. */
export interface SideServer {
  /** The scenario's name for the peer that takes its exchanges. */
  readonly peer: string;
  /** The name of the scenario variable and the command placeholder that hold its base URL. */
  readonly variable: string;
  /** Its base URL in the simulated world. */
  readonly simulatedUrl: string;
  /** The environment variables that give the target its URL. */
  environment(url: string): { readonly [name: string]: string };
}

/** YAML with comments. Each commented line must be valid when it is uncommented. */
export interface StatementTemplate {
  /** The key `target`, and how it is reached. */
  readonly target: string;
  /** Further optional keys. */
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
  /** Tells several targets of one trace apart, such as the agents of a gateway; absent: a trace has one target. */
  readonly parties?: PartyKeys;
  readonly secrets: Secrets;
  /** Milliseconds, by the names that statements and scenarios use. */
  readonly timeouts: { readonly [name: string]: number };
  /** Timeouts that are longer in the simulated world, because virtual time costs nothing. */
  readonly simulatedTimeouts?: { readonly [name: string]: number };
  /** How the kit reaches a target. */
  readonly target: DialingTargetKind<V> | ListeningTargetKind | CarrierTargetKind<V>;
  /** Scenarios that the suite makes itself; absent: the scenarios of fixtures/<protocol>/scenarios. */
  readonly scenarios?: () => readonly Scenario[];
  /** The text of an event in which the target reports an unsupported operation. */
  unsupported(event: TraceEvent): string | undefined;
  /** The operator's call that an event ends with an error; absent: the suite has no operator. */
  failedCall?(event: TraceEvent, trace: readonly TraceEvent[]): FailedCall | undefined;
  /** Simulated peers by role. @throws Error on options the role does not have */
  readonly peers: { readonly [role: string]: (options: JsonObject) => MakePeer };
  /** The reports of simulated peers (a role's `tell`, with JSON as detail) that the trace keeps as marks. */
  readonly reports?: readonly string[];
  /** The wire that traces name for a role's streams, where it is not the protocol's own. */
  readonly wires?: { readonly [role: string]: string };
  /** Forms of the suite's own in scenarios, such as `{$directive: steps}`. */
  readonly forms?: TemplateForms;
  /** Fields that the protocol's schema does not know, as bytes behind a message; absent: the protocol has none. */
  readonly encodeUnknown?: (fields: readonly UnknownField[]) => Uint8Array;
  /** Rows that can only be judged with an entry in the statement. */
  readonly conditionalRows: readonly {
    readonly requirement: string;
    readonly reason: string;
    /** Whether the statement has the entry. */
    readonly unless: (statement: Statement) => boolean;
    /** Whether the row then does not apply, also when it is violated; absent: it is untestable unless it was exercised. */
    readonly excuses?: true;
  }[];
  /** The suite's part of the statement that `wireproof init` writes. */
  readonly statement: StatementTemplate;
  /** The reference implementation of the role under test. */
  readonly reference: (options?: JsonObject) => MakePeer;
  readonly mutants: readonly Mutant[];
  /** Peers with oddities that the protocol allows. */
  readonly lawful?: readonly LawfulPeer[];
  /** Known deviations of programs in use, by the name of the profile that tolerates them. */
  readonly profiles?: { readonly [name: string]: readonly ExpectedFailure[] };
  /** Random conversations of the reference under random faults. Each seed gives one conversation. */
  readonly storm?: (options: StormRun) => Storm;
}

/** The conversations of a storm. */
export interface StormRun {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
  readonly onProgress: (done: number) => void;
}

/** The result of a storm. */
export interface Storm {
  readonly sessions: number;
  readonly events: number;
  readonly failures: readonly { readonly seed: number; readonly what: string }[];
}
