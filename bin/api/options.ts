/** The options of a check from within a program, and its result. */
import type { Report, TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import type { Statement } from '../../src/kit/spec/index.ts';

/** How a target is reached: a command that starts it, an address where the kit waits for it, or one where it listens. */
export type CheckTarget =
  | {
      /** An argv, never a shell string; `{address}`, `{listen}` and the others are replaced as in the command. */
      readonly command: readonly string[];
      /** More environment variables of the target. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      /** The kit waits here (host:port) for a target that the test starts; port 0: any free port. */
      readonly listen: string;
      /** The host in the address that {@link CheckOptions.onListening} gets, where it is not the listening host. */
      readonly advertise?: string;
    }
  | {
      /** host:port or a URL of a target that runs. */
      readonly connect: string;
      /** A file with certificates to trust (PEM). */
      readonly ca?: string;
      /** The environment variable with a bearer token. */
      readonly tokenEnv?: string;
    };

/** The options of a check. All but `suite` have the defaults of `wireproof check`, and its meaning. */
export interface CheckOptions {
  /** Such as `fold/agent`; see {@link suites}. Absent: the suite of the statement. */
  readonly suite?: string;
  /** Absent: the target of the statement. */
  readonly target?: CheckTarget;
  /** The statement, or its file. No file is read that is not named here. */
  readonly statement?: Statement | string;
  readonly drive?: string;
  /** The claimed features; in place of those of the statement. */
  readonly features?: readonly string[];
  /** Ids of requirements to judge, or to leave out; `*` matches any text. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requirements of this level and above. */
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  /** Only requirements that this version of the kit had. */
  readonly asOf?: string;
  /** Names of scenarios to play, or files (.yaml). Default: all. */
  readonly scenarios?: readonly string[];
  readonly seed?: string;
  /** By name: a time in words, such as `5s`, or milliseconds. */
  readonly timeouts?: Readonly<Record<string, string | number>>;
  /** Multiplies every time, for slow machines. */
  readonly timeoutScale?: number;
  /** How many targets run side by side. */
  readonly jobs?: number;
  /** Whether a violated SHOULD is fatal, too. */
  readonly strict?: boolean;
  readonly failFast?: boolean;
  readonly profile?: string;
  readonly carrier?: 'tcp' | 'stdio' | 'ws' | 'http';
  /** One more gRPC service to serve. */
  readonly service?: string;
  /** How the operator of the target is played. */
  readonly operator?: string;
  /** The model that a model server is asked for. */
  readonly model?: string;
  /** `false` shows secrets in traces. */
  readonly redact?: boolean;
  /** Ends the check early; the report is then `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called when a scenario is over. */
  readonly onProgress?: (done: number, of: number, scenario: string) => void;
  /** Called when the kit waits at an address for a target of `listen`: also for one that must come back. */
  readonly onListening?: (address: string, about: { readonly again?: number }) => void;
  /** Takes a sentence about the options that changes no verdict. */
  readonly onNote?: (text: string) => void;
}

/** A trace of a check; {@link judge} takes it as it is. */
export interface CheckTrace {
  /** As in the evidence of the report. */
  readonly name: string;
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** The result of a check. */
export interface CheckResult {
  readonly report: Report;
  readonly traces: readonly CheckTrace[];
}
