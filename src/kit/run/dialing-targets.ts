/** The targets of a check that dial the kit: most scenarios share one, with its process and its stream. */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { DialingTargetKind } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import { DialingTarget } from './dialing-target.ts';
import type { Targets } from './target.ts';

/** See the file's head. */
export class DialingTargets implements Targets<DialingTarget> {
  readonly opening: Scenario;
  readonly jobs: number;
  readonly #run: CheckRun;
  readonly #kind: DialingTargetKind<unknown>;
  /** Whether the target is started by hand: then there is only one. */
  readonly #byHand: boolean;

  constructor(run: CheckRun, kind: DialingTargetKind<unknown>) {
    const { scenarios, target, jobs } = run.options;
    const probe = scenarios.find(({ name }) => name === kind.probe);
    if (probe === undefined) throw new WireproofError('internal', `no scenario ${kind.probe}`);
    this.opening = probe;
    this.#run = run;
    this.#kind = kind;
    this.#byHand = target.kind === 'listen';
    this.jobs = this.#byHand ? 1 : jobs;
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  make(): DialingTarget {
    const { options, session } = this.#run;
    const handshake = this.#run.time('handshake', 5000);
    const reconnect = this.#run.time('reconnect', 10_000);
    const { peers } = this.opening;
    return new DialingTarget({ ...options, kind: this.#kind, peers, session, handshake, reconnect });
  }

  own(scenario: Scenario): boolean {
    return needsOwnTarget(scenario) && !this.#byHand;
  }

  /** Finds out how the target can be driven. */
  async learn(first: DialingTarget): Promise<void> {
    const { drive: asked } = this.#run.options;
    let drive = asked === 'auto' ? 'passive' : asked;
    if (first.ready) {
      if (asked === 'auto') {
        await first.play(this.opening);
        drive = this.#run.found(this.#kind.obeys(first.session.judge.view));
      }
      first.session.markDrive(drive);
    }
    this.#run.claim(drive, this.#kind.advertised(first.session.judge.view) ?? []);
  }

  /** Scenarios with a target of their own take longest and come first. By hand they leave the only target unfit, and come last. */
  rank(scenario: Scenario): number {
    const rank = scenario.last ? 2 : needsOwnTarget(scenario) ? 1 : 0;
    return this.#byHand ? rank : -rank;
  }

  conclude(): void {}

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
