/** The listening targets of a check. Each scenario has its own session; scenarios share a few programs. */
import { WireproofError } from '../base/index.ts';
import { waitingTime } from '../scenario/index.ts';
import type { ListeningTargetKind } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import { ListeningProgram } from './listening-program.ts';
import { ListeningTarget } from './listening-target.ts';
import { SideServers } from './side-servers.ts';
import type { Targets } from './target.ts';
import { TargetProber } from './target-probe.ts';

/** Waits until a program that listens is ready, then probes it. */
async function probed(
  run: CheckRun,
  kind: ListeningTargetKind,
  program: ListeningProgram,
  prober: TargetProber,
): Promise<string | undefined> {
  const { statement, drive, target, timeouts, signal } = run.options;
  if (kind.awaitReady !== undefined) {
    const name = drive === 'auto' ? kind.choose(target, statement) : drive;
    const request = { name, place: program.place, statement, next: () => 0 };
    const note = await kind.awaitReady(request, { timeouts, signal });
    if (note !== undefined && !run.notes.includes(note)) run.notes.push(note);
  }
  return prober.probe(program);
}

function newProgram(
  run: CheckRun,
  kind: ListeningTargetKind,
  patience: number,
  prober: TargetProber | undefined,
): ListeningProgram {
  const { options } = run;
  const { scheme } = kind;
  return new ListeningProgram({
    target: options.target,
    patience,
    places: options.suite.keys,
    sides: new SideServers(options),
    operatorUrl: options.statement?.operator?.url,
    ...(scheme === undefined ? {} : { scheme }),
    ...(prober === undefined ? {} : { probe: (program) => probed(run, kind, program, prober) }),
  });
}

export function listeningTargets(run: CheckRun, kind: ListeningTargetKind): Targets<ListeningTarget> {
  const { suite, jobs, target, statement, drive, timeouts } = run.options;
  const programs = new Set<ListeningProgram>();
  const idle: ListeningProgram[] = [];
  let streams = 0;
  const next = (): number => ++streams;
  const patience = run.time('handshake', 5000);
  const prober = new TargetProber({ run, kind, patience, next });
  const started = target.kind === 'command';
  const take = (): ListeningProgram => {
    // A target that runs already is the same one for every scenario.
    const probes = started || programs.size === 0;
    const program = idle.pop() ?? newProgram(run, kind, patience, probes ? prober : undefined);
    programs.add(program);
    return program;
  };
  return {
    // A target that runs already has one URL of each server: the requests of two scenarios would mix.
    jobs: started || suite.sideServers === undefined ? jobs : 1,
    probe: kind.probe?.scenario,
    /** Reports missing entries of the statement before it starts a program. Then finds out whether the set-up works. */
    async prepare() {
      const { features } = await kind.credentials(statement);
      const name = drive === 'auto' ? kind.choose(target, statement) : drive;
      run.claim(name, features);
      const nowhere = { host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
      await kind.driver({ name, place: nowhere, statement, next: () => 0 });
      const first = take();
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
      const program = take();
      const done = (): void => void idle.push(program);
      return new ListeningTarget({ run, kind, scenario, program, service: prober.service, done, next });
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
