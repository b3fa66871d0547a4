/** The listening targets of a check. Each scenario has its own session; scenarios share a few programs. */
import { WireproofError } from '../base/index.ts';
import { waitingTime } from '../scenario/index.ts';
import type { ListeningTargetKind } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import { ListeningTarget } from './listening-target.ts';
import { ServedTarget } from './served-target.ts';
import type { Targets } from './target.ts';
import { TargetProber } from './target-probe.ts';

export function listeningTargets(run: CheckRun, kind: ListeningTargetKind): Targets<ListeningTarget> {
  const { jobs, target, statement, drive, timeouts } = run.options;
  const programs = new Set<ServedTarget>();
  const idle: ServedTarget[] = [];
  let streams = 0;
  const next = (): number => ++streams;
  const patience = run.time('handshake', 5000);
  const prober = new TargetProber({ run, kind, patience, next });
  const program = (): ServedTarget => {
    const one =
      idle.pop() ??
      new ServedTarget({
        target,
        patience,
        operatorUrl: statement?.operator?.url,
        ...(kind.scheme === undefined ? {} : { scheme: kind.scheme }),
        // A target that runs already is the same one for every scenario.
        ...(target.kind === 'command' || programs.size === 0 ? { probe: (by) => prober.probe(by) } : {}),
      });
    programs.add(one);
    return one;
  };
  return {
    jobs,
    probe: kind.probe?.scenario,
    /** Reports missing entries of the statement before it starts a program. Then finds out whether the set-up works. */
    async prepare() {
      const { features } = await kind.credentials(statement);
      const name = drive === 'auto' ? kind.choose(target, statement) : drive;
      run.claim(name, features);
      const nowhere = { host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
      await kind.driver({ name, place: nowhere, statement, next: () => 0 });
      const first = program();
      const why = await first.start();
      if (why !== undefined) {
        await first.stop();
        // Then the output of the target says nothing about the reason.
        const error = prober.wrong ? { error: new WireproofError('environment', why) } : {};
        return run.targetFailed({ is: 'absent', why, ...error }, first.output());
      }
      idle.push(first);
      run.reached();
    },
    make(scenario) {
      const served = program();
      const done = (): void => void idle.push(served);
      return new ListeningTarget({ run, kind, scenario, served, service: prober.service, done, next });
    },
    hasOwnTarget: () => true,
    /** The slowest scenarios come first, so that the check ends soon after them. */
    rank: ({ steps }) => -waitingTime(steps, timeouts),
    /** Adds the features that events have shown, and the suite's note. */
    conclude() {
      const note = kind.note?.(run.traces.map(({ events }) => events));
      if (note !== undefined) run.notes.push(note);
      const shown = run.traces.flatMap(({ events }) => events.flatMap((event) => kind.shown(event) ?? []));
      run.claims = { ...run.claims, features: new Set([...run.claims.features, ...shown]) };
    },
    async stop() {
      prober.stop();
      await Promise.all([...programs].map((one) => one.stop()));
    },
  };
}
