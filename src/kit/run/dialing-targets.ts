/** The targets of a check that dial the kit. Most scenarios share one target, with its process and its stream. */
import { WireproofError } from '../base/index.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { DialingTargetKind } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import { DialingTarget } from './dialing-target.ts';
import type { Targets } from './target.ts';

/** How long a target started by hand may take to come back (ms). Agents wait up to 30 s between two tries. */
const patience = 60_000;

export function dialingTargets(run: CheckRun, kind: DialingTargetKind<unknown>): Targets<DialingTarget> {
  const { options, makeSession } = run;
  const opening = options.scenarios.find(({ name }) => name === kind.probe);
  if (opening === undefined) throw new WireproofError('internal', `no scenario ${kind.probe}`);
  const { peers } = opening;
  // There is only one target when it is started by hand.
  const byHand = options.target.kind === 'listen';
  const times = {
    handshake: run.time('handshake', 5000),
    reconnect: options.named?.has('reconnect') === true ? run.time('reconnect', patience) : patience,
    answerAfterEnd: run.time('step', options.suite.timeouts['step'] ?? 10_000),
  };
  return {
    opening,
    jobs: byHand ? 1 : options.jobs,
    make: (scenario) => new DialingTarget({ ...options, ...times, kind, scenario, peers, makeSession }),
    hasOwnTarget: (scenario) => needsOwnTarget(scenario) && !byHand,
    /** Finds out the drive of the target. */
    async learn(first) {
      const { view } = first.session.judge;
      const isAuto = options.drive === 'auto' && kind.drive === undefined;
      let drive = kind.drive ?? (isAuto ? 'passive' : options.drive);
      if (first.ready && isAuto) {
        run.patience.note(await first.play(opening));
        drive = run.driveFound(kind.obeys(view));
      }
      if (first.ready) first.session.markDrive(drive);
      run.claim(drive, kind.advertised(view) ?? []);
    },
    /**
     * Scenarios with their own target take longest. For a target started by hand, they come last: they may spend it. The
     * scenarios that end it begin with the one that shows most.
     */
    rank(scenario) {
      const rank = scenario.last ? 2 - scenario.exercises.length / 100 : needsOwnTarget(scenario) ? 1 : 0;
      return byHand ? rank : -rank;
    },
  };
}
