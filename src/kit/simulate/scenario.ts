/** Plays the scenario of `--scenario` with the first target that comes to the kit. */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { DialingTarget } from '../run/index.ts';
import { readScenario } from '../spec/index.ts';
import { TargetSession, scenariosOf } from '../suite/index.ts';
import type { DialingTargetKind, SimulatorEnd, SimulatorRun, Suite } from '../suite/index.ts';
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

/** Plays a scenario with the first target that dials. `title` is the name of the simulated peer for people. */
export async function playWithDialling<V>(
  run: SimulatorRun,
  title: string,
  name: string,
  options: SessionOptions & { readonly suite: Suite<V>; readonly dialling: DialingTargetKind<V> },
): Promise<SimulatorEnd> {
  const { dialling } = options;
  const suite = options.suite as Suite;
  const { timeouts } = suite;
  const scenario = scenarioOf(suite, name);
  const live = new LiveSession(run, { ...options, scenario: scenario.name });
  const target = new DialingTarget({
    suite,
    kind: dialling,
    methods: dialling.methods,
    maxReceive,
    target: { kind: 'listen', ...live.flags.address('listen') },
    peers: scenario.peers,
    session: (more) => new TargetSession<unknown>({ ...live.settings(suite), ...more }),
    handshake: timeouts['handshake'] ?? 0,
    reconnect: 0,
    listening: (port) =>
      live.tell(
        `${title} on port ${port}, playing "${scenario.title}" with the first that comes; Ctrl-C stops`,
      ),
  });
  live.follow(target.session);
  void live.over.then(() => target.interrupt());
  const { is } = await target.start(scenario);
  const played = is === 'ready' ? await target.play(scenario) : undefined;
  await target.finish(timeouts['late'] ?? 0);
  await target.stop();
  return live.playedScenario(scenario.name, played);
}
