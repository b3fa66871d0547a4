/** What a session with a target needs: the suite, the clock, the timeouts and the ways to reach the target. */
import type { MemoryLimit, Metadata } from '../base/index.ts';
import type { StatedModel } from '../spec/index.ts';
import type { Clock, Dial, Fault, Random } from '../world/index.ts';
import type { ListProcesses } from './process-watch.ts';
import type { NamedTools, Suite } from './suite.ts';

export interface TargetSessionOptions<V> {
  readonly suite: Suite<V>;
  readonly clock: Clock;
  /** Unix ms at which the clock stood at 0; absent: 0, as in the simulated world. */
  readonly epoch?: number;
  readonly random: Random;
  readonly drive: string;
  readonly timeouts: { readonly [name: string]: number };
  /** Timeouts of scenarios (ms) that became shorter during the check; read when a scenario begins. */
  readonly shortened?: () => { readonly [name: string]: number };
  readonly timeoutScale: number;
  /** How long a busy machine has held up the kit and the target so far (ms); absent: never. */
  readonly delay?: () => number;
  /** Whether a requirement has failed in the check, or follows from one that has: no session goes on for it. */
  readonly hasFailed?: (requirement: string) => boolean;
  /** Called with the requirements that are violated by an event that did not come, before the end of the trace. */
  readonly overdue?: (requirements: ReadonlySet<string>) => void;
  readonly redact: ((secret: string) => string) | undefined;
  /** Disturbs the connections between a peer and the target. `streams`: the streams that the peer opened. */
  readonly fault: (fault: Fault, peer: string, streams: readonly string[]) => void;
  /** Makes the dial function of a peer, for a target that listens. */
  readonly dial?: (peer: string, role: string) => Dial;
  /** The credentials of the peers, and the scheme that the target demands. */
  readonly credentials?: { readonly scheme: string; readonly of: (kind: string) => Metadata };
  /** Asks the target to stop in an orderly way. */
  readonly stop?: () => void;
  /** By requirement: the reason why the kit has no handle on it in this run. */
  readonly untestable?: { readonly [id: string]: string };
  /** Rules to run; absent: all. */
  readonly only?: ReadonlySet<string>;
  /** Whether the whole trace stays in memory, which scenarios need; false: only its marks do. Default true. */
  readonly keeps?: boolean;
  /** The memory for the events of all sessions together; absent: the session has {@link traceMemory} for itself. */
  readonly memory?: MemoryLimit;
  /** The tools of the target by meaning; absent: those of the suite's reference. */
  readonly tools?: NamedTools;
  /** Lists the machine's processes, for scenarios that watch those of tools; absent: they are not shown. */
  readonly processes?: ListProcesses;
  /** The model of the target, as its statement gives it; absent: that of the suite's reference. */
  readonly model?: Partial<StatedModel>;
}
