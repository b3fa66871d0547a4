/** The descriptor of a protocol. All verbs of the command read it from conformance/<protocol>/protocol.ts. */
import type { TraceEvent } from '../base/index.ts';
import type { Vector, VectorFile } from '../spec/index.ts';
import type { Suite } from './suite.ts';
import type { MakePeer } from './peer.ts';

/** A protocol. A verb loads only the parts that it needs, so that the descriptor itself loads fast. */
export interface Protocol {
  /** The name of its folders and the first part of its suites' ids, such as `toon`. */
  readonly name: string;
  /** Such as `TOON (Task Orchestration Over Node)`. */
  readonly title: string;
  /** Suites by role: the suite of `subagent` in `toon` is `toon/subagent`. */
  readonly suites: { readonly [role: string]: () => Promise<Suite> };
  /** Roles whose reference answers operations on stdin and stdout. */
  readonly testees?: readonly string[];
  /** Makes the protocol's golden vectors. */
  readonly vectors?: () => Promise<VectorMaker>;
  /** Random conversations of a role's reference, as traces of its suite. */
  readonly conversations?: { readonly [role: string]: () => Promise<PlayConversation> };
  /** Peers that the kit can simulate for another program. */
  readonly simulators?: readonly Simulator[];
  readonly storms?: { readonly [role: string]: () => Promise<PlayStorm> };
  /** The storm of all roles together. */
  readonly system?: () => Promise<PlayStorm>;
  /** Sweeps by role. A sweep repeats one fault at every position. */
  readonly sweeps?: { readonly [role: string]: () => Promise<Sweeper> };
  /** Compares recorded traffic with the words that the revision knows. */
  readonly drift?: () => Promise<ReadDrift>;
  /** Limits that are not timeouts of a suite. */
  readonly limits?: () => Promise<readonly Limit[]>;
  /** Paragraphs for `wireproof explain WORD`. They follow the kit's own paragraphs for that word. */
  readonly topics?: { readonly [word: string]: string };
  /** Lines for `--help`. */
  readonly examples: readonly Example[];
}

/** A line of `--help`. */
export interface Example {
  /** Without `wireproof`; the first word is the verb. */
  readonly command: string;
  readonly text: string;
  /** Whether the root help also shows it. */
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

/**
 * Reads recordings and traces.
 *
 * @param known - further recordings; what they have is no news
 * @throws WireproofError 'usage' for a file that is neither
 */
export type ReadDrift = (files: readonly string[], known: readonly string[]) => Promise<Drift>;

/** What recorded traffic has that a revision does not know. */
export interface Drift {
  /** The number of answers, by dialect. */
  readonly answers: { readonly [dialect: string]: number };
  /** The number of different words. */
  readonly words: number;
  readonly findings: readonly DriftFinding[];
  /** A sentence for each answer that could not be read to its end. */
  readonly unread: readonly string[];
  /** How many further words, orders and sets of members were too many to be kept. */
  readonly lost: number;
}

/** Something that is new. */
export interface DriftFinding {
  /** `word`: the revision does not know it. `beta`: its list calls it beta. `order`, `members`: no other recording has it. */
  readonly news: 'word' | 'beta' | 'order' | 'members';
  readonly dialect: string;
  /** The kind of the word, such as `block`; absent: an order. */
  readonly kind?: string;
  /** The word, the order `a → b`, or the object whose members these are. */
  readonly text: string;
  /** More in a few words. */
  readonly note?: string;
  /** How often it was seen. */
  readonly count: number;
  /** Where it was seen first. */
  readonly first: {
    readonly file: string;
    /** Such as `exchange 3`, or `stream s12`. */
    readonly exchange: string;
    /** The unit in the answer, from 1; absent: the answer is one body. */
    readonly unit?: number;
  };
}

/** Plays the random conversation of a seed. The same seed gives the same events. */
export type PlayConversation = (seed: number) => Conversation;

/** Plays random conversations under random faults, one a seed. The reference must break no rule. */
export type PlayStorm = (run: StormRun) => Storm;

/** The conversations of a storm. */
export interface StormRun {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
  /** Called with the number of finished conversations, after each hundred. */
  readonly onProgress: (done: number) => void;
}

/** The result of a storm. */
export interface Storm {
  readonly sessions: number;
  readonly events: number;
  readonly failures: readonly { readonly seed: number; readonly what: string }[];
}

/** One random conversation. */
export interface Conversation {
  readonly events: readonly TraceEvent[];
  /** A sentence for each rule that was violated, and each invariant that was broken. */
  readonly failures: readonly string[];
}

/** Repeats one fault at every position, in each of several parts. */
export interface Sweeper {
  /** The names of the parts, such as the dialects of a provider. */
  readonly parts: readonly string[];
  sweep(run: SweepRun): Sweep;
}

/** One part of a sweep. */
export interface SweepRun {
  readonly part: string;
  /** Makes a new target for each position; absent: the reference. */
  readonly target?: () => MakePeer;
  /** Called with the number of finished positions and of all positions. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** The result of a sweep. */
export interface Sweep {
  readonly runs: number;
  readonly failures: readonly SweepFailure[];
  /** Milliseconds. */
  readonly ms: number;
}

/** A position at which the target broke a requirement. */
export interface SweepFailure {
  readonly requirement: string;
  readonly message: string;
  /** The position in words, such as `cut at 7, honest signal, clean end`. */
  readonly place: string;
}

/** A flag of a simulated peer. */
export interface Flag {
  /** As commander takes it, such as `--http <host:port>`. */
  readonly flags: string;
  readonly text: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Values that a shell completes, where others are possible, too. */
  readonly known?: readonly string[];
  /** Whether it can be repeated. */
  readonly several?: boolean;
}

/** Flags that kit/simulate defines. Every peer also takes `--record`, `--no-redact`, `--quiet` and `--json`. */
export type CommonFlag = 'listen' | 'connect' | 'scenario' | 'script' | 'no-rules';

/** A peer that `wireproof simulate` plays. */
export interface Simulator {
  /** Such as `fold/gateway`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly text: string;
  /** The common flags that it takes. The command refuses the others. */
  readonly takes: readonly CommonFlag[];
  /** The default host:port of `--listen`, or of `--connect` for a peer that never listens. */
  readonly address: string;
  readonly flags: readonly Flag[];
  /** A flag that plays another peer instead, which has the flag, too. Its help, and all flags with it, are that peer's. */
  readonly leads?: { readonly flag: string; readonly to: string };
  /** How the program after `--` is started; absent: the peer takes no program. */
  readonly command?: string;
  /** Loads a function that plays the peer until it is stopped. */
  readonly load: () => Promise<(run: SimulatorRun) => Promise<SimulatorEnd>>;
}

/** How a simulated peer ended: a name that gives the command's exit code, or the exit code of its program. */
export type SimulatorEnd =
  'conformant' | 'notConformant' | 'environment' | 'inconclusive' | 'interrupted' | number;

/** One run of a simulated peer: its flags and its standard streams. */
export interface SimulatorRun {
  readonly simulator: Simulator;
  /** The program after `--`. */
  readonly command: readonly string[];
  /** Values by the flags' names in camelCase, as commander gives them. */
  readonly flags: { readonly [name: string]: unknown };
  /** Environment and standard streams. Published types must not name their Node type, so kit/simulate restores it. */
  readonly process: object;
  /** Aborted by the first interrupt. */
  readonly interrupt: AbortSignal;
}
