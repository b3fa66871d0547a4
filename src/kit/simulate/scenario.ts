/** Plays the scenario of `--scenario` with the first target that comes to the kit. */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { RealLane } from '../run/index.ts';
import { readScenario } from '../spec/index.ts';
import { scenariosOf } from '../suite/index.ts';
import type { Dialling, SimulatorEnd, SimulatorRun, Suite } from '../suite/index.ts';
import { freshSeed, seededRandom } from '../world/index.ts';
import { LiveSession } from './session.ts';
import type { SessionOptions } from './session.ts';

/** Largest message the kit takes (bytes), as in `check`. */
const maxReceive = 16 << 20;

/** The scenario of a suite by name, or that of a file. @throws WireproofError 'usage' when there is none */
export function scenarioOf<V>(suite: Suite<V>, name: string): Scenario {
  const found = scenariosOf(suite as Suite).find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (/\.ya?ml$/.test(name)) return readScenario(name);
  throw new WireproofError(
    'usage',
    `--scenario ${name}: no such scenario; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
  );
}

/** Plays a scenario with a target that dials. `title` is the peer's name for people. */
export async function playWithDialling<V>(
  run: SimulatorRun,
  title: string,
  name: string,
  options: SessionOptions & { readonly suite: Suite<V>; readonly dialling: Dialling<V> },
): Promise<SimulatorEnd> {
  const { suite, dialling } = options;
  const scenario = scenarioOf(suite, name);
  const live = new LiveSession(run, { ...options, scenario: scenario.name });
  const target = new RealLane<V>({
    suite,
    dialling,
    methods: dialling.methods,
    maxReceive,
    drive: 'directive',
    target: { kind: 'listen', ...live.flags.address('listen') },
    random: seededRandom(freshSeed()),
    timeouts: suite.timeouts,
    timeoutScale: 1,
    redact: live.redact,
    ...(live.judges ? {} : { only: new Set<string>() }),
  });
  live.follow(target.lane);
  void live.over.then(() => {
    target.cancelWait();
    target.lane.abort('interrupted');
  });
  let playing: ReturnType<typeof target.play> | undefined;
  await target.open(scenario.peers, scenario.fresh ? () => (playing = target.play(scenario)) : undefined);
  live.tell(
    `${title} on port ${target.port}, playing "${scenario.title}" with the first that comes; Ctrl-C stops`,
  );
  const ready = scenario.fresh || (await target.ready()).is === 'ready';
  const played = ready ? await (playing ?? target.play(scenario)) : undefined;
  await target.close();
  return live.playedScenario(scenario.name, played);
}
