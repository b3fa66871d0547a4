/** A target that listens, as its suite describes it: its address, its operator, its credentials and its probe. */
import type { JsonObject, Metadata, TraceEvent } from '../base/index.ts';
import type { Statement } from '../spec/index.ts';
import type { Dial } from '../world/index.ts';
import type { TargetPlan } from './target-plan.ts';

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

/** How long the kit waits for a target to get ready. */
export interface ReadyWait {
  /** By name (ms). */
  readonly timeouts: { readonly [name: string]: number };
  readonly signal: AbortSignal;
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
  /** Whether the kit started the target. The address of any other target is the user's. */
  readonly started: boolean;
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
  /** The features that an event proves, besides the stated features. */
  shown(event: TraceEvent): string | readonly string[] | undefined;
  /** A sentence for the report about the traces of all scenarios; undefined: none. */
  note?(traces: readonly (readonly TraceEvent[])[]): string | undefined;
  /** Whether a role is the operator's, whose streams go through the driver. */
  operates(role: string): boolean;
  /** The gRPC services of its targets; absent: peers dial the paths that they name. */
  readonly services?: ListeningServices;
  /** The scheme of `{url}` where one port serves everything; absent: `{http_port}` serves the operator. */
  readonly scheme?: string;
  /** The names of the providers that the kit can be behind its targets; absent: it is none. `operator.provider` names one. */
  readonly providers?: readonly string[];
  /** Whether the kit asks its targets for a model. `operator.model` of a statement names one. */
  readonly asksForModel?: true;
  /**
   * Waits until a target that listens is ready for work; absent: it is ready when it listens.
   *
   * @returns a note for the report; undefined: none
   */
  awaitReady?(request: DriverRequest, waiting: ReadyWait): Promise<string | undefined>;
  /** Finds out whether the set-up works; absent: the kit does not ask. */
  readonly probe?: TargetProbe;
}
