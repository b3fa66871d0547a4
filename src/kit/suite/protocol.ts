/** The descriptor of a protocol: all that the command's verbs know of it. Each stands in conformance/<protocol>/protocol.ts. */
import type { Vector, VectorFile } from '../spec/index.ts';
import type { MakePeer, Storm, StormRun, Suite } from './suite.ts';

/** A protocol. Its parts are loaded when a verb asks for them, so that the descriptor itself costs nothing. */
export interface Protocol {
  /** The folder of its rooms, and the first part of its suites' ids, such as `toon`. */
  readonly name: string;
  /** Such as `TOON (Task Orchestration Over Node)`. */
  readonly title: string;
  /** Suites by role: the suite of `subagent` in `toon` is `toon/subagent`. */
  readonly suites: { readonly [role: string]: () => Promise<Suite> };
  /** Roles whose reference answers operations on stdin and stdout. */
  readonly testees?: readonly string[];
  /** Makes the protocol's golden vectors. */
  readonly vectors?: () => Promise<VectorMaker>;
  /** Peers that can be played against a stranger's program. */
  readonly simulators?: readonly Simulator[];
  /** Random conversations of all roles at once. */
  readonly system?: () => Promise<(run: StormRun) => Storm>;
  /** Sweeps by role: one thing tried at every place. */
  readonly sweeps?: { readonly [role: string]: () => Promise<Sweeper> };
  /** Limits that are not timeouts of a suite. */
  readonly limits?: () => Promise<readonly Limit[]>;
  /** Paragraphs for `wireproof explain WORD`, after the kit's own of that word. */
  readonly topics?: { readonly [word: string]: string };
  /** Lines for `--help`. */
  readonly examples: readonly Example[];
}

/** A line of `--help`. */
export interface Example {
  /** Without `wireproof`; the first word is the verb. */
  readonly command: string;
  readonly text: string;
  /** Whether the root help shows it, too. */
  readonly root?: boolean;
}

/** A limit, as `wireproof limits` prints it. */
export interface Limit {
  readonly limit: string;
  readonly value: string;
  /** The flag or option that sets it; `-` when it is fixed. */
  readonly set_by: string;
}

/** Makes golden vectors, and answers them with the reference. */
export interface VectorMaker {
  /** The files of a seed. The same seed gives the same files. */
  files(seed: string): readonly VectorFile[];
  /** The fault of the reference at a test; undefined when it answers as the test demands. */
  referenceFault(op: string, test: Vector): string | undefined;
}

/** Tries one thing at every place, in each of several parts. */
export interface Sweeper {
  /** Such as the dialects of a provider. */
  readonly parts: readonly string[];
  sweep(run: SweepRun): Sweep;
}

/** One part of a sweep. */
export interface SweepRun {
  readonly part: string;
  /** Makes the target, anew for each place; absent: the reference. */
  readonly target?: () => MakePeer;
  /** Hears how many places are done, of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** The result of a sweep. */
export interface Sweep {
  readonly runs: number;
  readonly failures: readonly SweepFailure[];
  /** Milliseconds. */
  readonly ms: number;
}

/** A place where the target broke a requirement. */
export interface SweepFailure {
  readonly requirement: string;
  readonly message: string;
  /** The place in words, such as `cut at 7, honest signal, clean end`. */
  readonly place: string;
}

/** A flag of a simulated peer. */
export interface Flag {
  /** As commander takes it, such as `--http <host:port>`. */
  readonly flags: string;
  readonly text: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly several?: boolean;
}

/** Flags whose meaning is the kit's (kit/simulate). Every peer takes `--record`, `--no-redact`, `--quiet` and `--json`, too. */
export type CommonFlag = 'listen' | 'connect' | 'scenario' | 'script' | 'no-rules';

/** A peer that `wireproof simulate` plays. */
export interface Simulator {
  /** Such as `fold/gateway`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly text: string;
  /** The common flags that it takes; every other one is refused. */
  readonly takes: readonly CommonFlag[];
  /** The host:port that `--listen` has by default; for a peer that never listens, `--connect`. */
  readonly address: string;
  /** Its own flags. */
  readonly flags: readonly Flag[];
  /** How a program after `--` is started; absent: none is. */
  readonly command?: string;
  /** Loads a function that plays the peer until it is stopped. */
  readonly load: () => Promise<(run: SimulatorRun) => Promise<SimulatorEnd>>;
}

/** How a simulated peer ended: a kind of end, as the command's exit codes have them, or the exit code of its program. */
export type SimulatorEnd =
  'conformant' | 'notConformant' | 'environment' | 'inconclusive' | 'interrupted' | number;

/** One run of a simulated peer: how it is asked for, and the streams that it has. */
export interface SimulatorRun {
  readonly simulator: Simulator;
  /** The program after `--`. */
  readonly command: readonly string[];
  /** Values by the flags' names in camelCase, as commander gives them. */
  readonly flags: { readonly [name: string]: unknown };
  /** Environment and standard streams; kit/simulate knows their type, which published types must not name. */
  readonly process: object;
  /** Aborted by the first interrupt. */
  readonly interrupt: AbortSignal;
}
