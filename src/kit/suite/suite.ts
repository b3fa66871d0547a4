/** The parts of a protocol's suite. */
import type { JsonObject, Scenario, SuiteAxes, TraceEvent, UnknownField } from '../base/index.ts';
import type { ExpectedFailure, LawfulWords, MutantWords, StatedModel, Statement } from '../spec/index.ts';
import type { Framing, Secrets } from '../world/index.ts';
import type { Carrier } from './carrier.ts';
import type { Judging, PartyKeys } from '../judge/index.ts';
import type { FailedCall, TemplateForms } from '../scenario/index.ts';
import type { ListeningTargetKind } from './listening-target-kind.ts';
import type { MakePeer } from './peer.ts';

/** A reference peer that is wrong in one named way. */
export interface Mutant extends MutantWords {
  readonly id: string;
  /** `options`: the scenario's options for the reference. */
  readonly make: (options?: JsonObject) => MakePeer;
}

/** A peer that does an unusual thing that its protocol allows. No rule may blame it. */
export interface LawfulPeer extends LawfulWords {
  readonly id: string;
  /** `options`: the scenario's options for the reference. */
  readonly make: (options?: JsonObject) => MakePeer;
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
  /** The scenario that finds out whether a target obeys directives. Targets that scenarios share have its peers. */
  readonly probe: string;
  /** The drive of a suite that sends no directives; absent: the probe finds the drive. */
  readonly drive?: string;
  /** The gRPC methods that the target may call. All are streams of the same two message types. */
  readonly methods: readonly string[];
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
  /** What a person does with a target that is started by hand, at each connection; absent: nothing. */
  readonly instruction?: string;
  /**
   * Whether a target that ended its connection had done its work, so that the rest of a scenario asks it for nothing.
   * Absent: never.
   */
  mayLeave?(view: V): boolean;
  /** The features that the target has shown. */
  advertised(view: V): readonly string[];
  /** Why no requirement applies to a target that has shown no feature; undefined: they apply. Absent: always. */
  notJudged?(view: V): string | undefined;
  /** A note for the report: a fact about a session that explains what is not observed, with its cure. Absent: none. */
  note?(view: V): string | undefined;
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

/** An HTTP server of the kit, next to the connection on which the kit and the target meet. */
export interface SideServer {
  /** The scenario's name for the peer that takes its exchanges. */
  readonly peer: string;
  /** The name of the scenario variable and the command placeholder that hold its base URL. */
  readonly variable: string;
  /** Its base URL in the simulated world. */
  readonly simulatedUrl: string;
  /** The feature of targets that ask it; absent: all do. */
  readonly feature?: string;
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

/** Tools by meaning, each with an input for which it has that meaning. */
export interface NamedTools {
  readonly [meaning: string]: {
    readonly name: string;
    readonly input: JsonObject;
    /** A text that the output of such a call contains; absent: the statement says nothing of it. */
    readonly shows?: string;
  };
}

/** One suite: a protocol's requirements for one role, with everything that drives and judges a target of it. */
export interface Suite<V = unknown> {
  /** Such as `fold/agent`. */
  readonly id: string;
  readonly protocol: string;
  /** The role of its rows in requirements.yaml. */
  readonly role: string;
  /** Rows of other protocols' lists that the suite judges, too; absent: none. */
  readonly furtherLists?: readonly {
    readonly protocol: string;
    readonly role: string;
    readonly rows: readonly string[];
  }[];
  readonly title: string;
  readonly features: readonly Feature[];
  readonly judging: Judging<V>;
  /** Tells several targets of one trace apart, such as the agents of a gateway; absent: a trace has one target. */
  readonly parties?: PartyKeys;
  readonly secrets: Secrets;
  /** Keys for targets and scenarios, by the names of their placeholders and variables. Traces do not show them. Absent: none. */
  readonly keys?: { readonly [name: string]: string };
  /** Milliseconds, by the names that statements and scenarios use. */
  readonly timeouts: { readonly [name: string]: number };
  /** Timeouts that are longer in the simulated world, because virtual time costs nothing. */
  readonly simulatedTimeouts?: { readonly [name: string]: number };
  /** How the kit reaches a target. */
  readonly target: DialingTargetKind<V> | ListeningTargetKind | CarrierTargetKind<V>;
  /** The kit's HTTP servers for the target, which dials them; absent: none. */
  readonly sideServers?: readonly SideServer[];
  /** Scenarios of its own; absent: those of fixtures/<protocol>/scenarios. Some call the tools of a statement, or else of the reference. @throws WireproofError 'usage' for tools that it cannot use */
  readonly scenarios?: (statement?: Statement) => readonly Scenario[];
  /** In a suite that is played for pairs of two choices: the names of both, and the pair of each scenario. Reports show a grid. */
  readonly axes?: SuiteAxes;
  /** The features that a statement claims by other members than `features`; absent: by no other. */
  claimsOf?(statement: Statement | undefined): readonly string[];
  /** The text of an event in which the target reports an unsupported operation. */
  unsupported(event: TraceEvent): string | undefined;
  /** The text of an event in which the target does not support what it claims. Then the rows of the scenario are lost. */
  takesBack?(event: TraceEvent): string | undefined;
  /** The operator's call that an event ends with an error; absent: the suite has no operator. */
  failedCall?(event: TraceEvent, trace: readonly TraceEvent[]): FailedCall | undefined;
  /** Simulated peers by role. @throws Error on options the role does not have */
  readonly peers: { readonly [role: string]: (options: JsonObject) => MakePeer };
  /** The reports of simulated peers (a role's `tell`, with JSON as detail) that the trace keeps as marks. */
  readonly reports?: readonly string[];
  /** The wire that traces name for a role's streams, where it is not the protocol's own. */
  readonly wires?: { readonly [role: string]: string };
  /** Variables of the suite's own in scenarios, by the drive: texts, functions that make them, or objects of these. */
  variables?(drive: string): { readonly [name: string]: unknown };
  /**
   * The longest text of a message that traces keep (UTF-16 units). Of a longer one they keep its beginning, its end, its
   * length and a hash. Absent: traces keep all texts.
   */
  readonly longestText?: number;
  /** Forms of the suite's own in scenarios, such as `{$directive: steps}`. */
  readonly forms?: TemplateForms;
  /**
   * The tools of the reference by meaning, such as `slow`. Scenarios call them as `$tools.slow.name` with
   * `$tools.slow.input`; a check takes those of the statement. Absent: a scenario needs tools with a witness.
   */
  readonly referenceTools?: NamedTools;
  /** The model that the reference is set up for in the scenarios that need it. */
  readonly referenceModel?: StatedModel;
  /** Fields that the protocol's schema does not know, as bytes after a message; absent: the protocol has none. */
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
  /** Other suites for the same targets, by the drive that a check names. */
  readonly drives?: { readonly [drive: string]: string };
  /** The suite's part of the statement that `wireproof init` writes. */
  readonly statement: StatementTemplate;
  /** The reference implementation of the role under test. */
  readonly reference: (options?: JsonObject) => MakePeer;
  /** The mutants of its list (catalogue.ts). */
  readonly mutants: () => readonly Mutant[];
  /** Peers with oddities that the protocol allows; absent: none. */
  readonly lawful?: () => readonly LawfulPeer[];
  /** The profiles of its targets, by their names. */
  readonly profiles?: { readonly [name: string]: Profile };
}

/** A family of targets: what they may do otherwise, and what they owe in addition. */
export interface Profile {
  /** Known deviations, which the profile tolerates; absent: none. */
  readonly expected?: readonly ExpectedFailure[];
  /**
   * The drives that the profile is for, each with the drive that is played instead. It has further rows, whose feature it claims.
   * Absent: the profile is for every drive, and changes none.
   */
  readonly drives?: { readonly [drive: string]: string };
  /** By requirement: why it does not apply, because the document of the profile says otherwise; absent: none. */
  readonly without?: { readonly [requirement: string]: string };
}

/** The names of the peers behind the kit's HTTP servers. */
export const sidePeersOf = ({ sideServers = [] }: Pick<Suite, 'sideServers'>): ReadonlySet<string> =>
  new Set(sideServers.map(({ peer }) => peer));
