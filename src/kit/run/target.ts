/** A target, and the targets of a check. The runner does not know whether a target dials, listens, or is on a carrier. */
import type { Scenario, WireproofError } from '../base/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import type { TargetSession, TargetSessionOptions } from '../suite/index.ts';
import type { Accept } from '../world/index.ts';
import { Access } from './access.ts';
import { SideServers } from './side-servers.ts';
import type { SideServersOptions } from './side-servers.ts';

/** The reason why a target cannot take work. */
export type Failure =
  /** It opened a stream and did not get ready. Its trace is judged. */
  | { readonly is: 'refused'; readonly why: string }
  /** It was never reached. `error`: the exception, if there was one. */
  | { readonly is: 'absent'; readonly why: string; readonly error?: WireproofError }
  /** The kit cannot play this scenario with it. */
  | { readonly is: 'unsupported'; readonly why: string };

/** How long the kit waits for late events after the target closed its connection or ended (ms). */
const lateEventsMs = 300;

/** One target. Only one worker uses it at a time, for one or several scenarios. */
export abstract class Target {
  /** Its trace, its peers and its judge; undefined before its start. */
  abstract readonly session: TargetSession<unknown> | undefined;
  protected readonly access: Access = new Access();
  #sides: SideServers | undefined;

  /**
   * Starts it, and waits until it can take work. Some scenarios begin during this wait.
   *
   * @returns the failure; undefined when it can take work
   * @throws WireproofError 'environment' when it cannot be started or reached
   */
  abstract start(): Promise<Failure | undefined>;

  /** Plays a scenario, or waits for the end of the scenario that has begun. */
  abstract play(scenario: Scenario): Promise<ScenarioEnd>;

  /** Whether it can play another scenario. */
  isReusable(): boolean {
    return false;
  }

  /** The reason why it counts as absent after its start: its output was not that of a target. */
  absenceReason(): string | undefined {
    return undefined;
  }

  /** Completes the trace: takes the bytes of an incomplete message, and the shown features. */
  settle(): void {}

  /** Ends the wait for the target, and the scenario in play. */
  interrupt(): void {
    this.session?.interrupt();
  }

  /** Ends the trace and the connections, and stops the programs that the kit started for it. */
  async stop(): Promise<void> {
    this.session?.end();
    await this.access.close();
    await this.#sides?.close();
  }

  /** The last lines of its output; complete after {@link Target.stop}. */
  output(): readonly string[] {
    return this.access.output();
  }

  /** Opens the kit's servers for it, before it starts, and gives their exchanges to its session. They close with it. */
  protected async serve(
    session: TargetSession<unknown>,
    options: SideServersOptions,
    wrap?: (accept: Accept) => Accept,
  ): Promise<SideServers> {
    const sides = new SideServers(options);
    this.#sides = sides;
    await sides.open();
    sides.use(session, wrap);
    return sides;
  }

  /** Its process ended by itself. */
  protected exited(exit: number | null, signal: string | null): void {
    this.session?.processEnded(exit, signal);
    this.endSoon();
  }

  /** It can send no more. Ends the scenario in play after the time for late events. */
  protected endSoon(): void {
    setTimeout(() => {
      if (this.session?.leave() !== false) return;
      const ended = this.access.ending() !== undefined;
      this.session.abort(ended ? 'the process of the target ended' : 'the target closed the connection');
    }, lateEventsMs);
  }
}

/** The targets of one check, which are all reached in the same way. */
export interface Targets<T extends Target = Target> {
  /** The scenario that is played before the others are chosen; absent: there is no such scenario. */
  readonly opening?: Scenario | undefined;
  /** The scenario that {@link Targets.prepare} plays itself; absent: there is no such scenario. */
  readonly probe?: string | undefined;
  /** The most targets that are used at the same time. */
  readonly jobs: number;
  /**
   * Sets the claims before the first scenario, and starts the programs that targets share.
   *
   * @throws WireproofError 'environment' when there is no target, 'usage' when the statement lacks something
   */
  prepare?(): Promise<void>;
  /** Makes a target for a scenario, and for the scenarios that share it. */
  make(scenario: Scenario): T;
  /** Whether a scenario gets its own target. The others share one as long as it is reusable. */
  hasOwnTarget(scenario: Scenario): boolean;
  /** Reads the claims from the first target. Plays the opening scenario, unless that one had its own target. */
  learn?(first: T): Promise<void>;
  /** The rank of a scenario. Scenarios of a lower rank are played first. */
  rank(scenario: Scenario): number;
  /** Takes the features that the targets showed. Called after the last scenario. */
  conclude?(): void;
  /** Stops the programs that targets share. */
  stop?(): Promise<void>;
}

/** Makes a session from the options of its check and from further options. */
export type MakeSession = (
  more: Pick<TargetSessionOptions<unknown>, 'fault'> & Partial<TargetSessionOptions<unknown>>,
) => TargetSession<unknown>;
