/** Plays the scenario of `--scenario` with the first target that comes to the kit. */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { RealLane } from '../run/index.ts';
import { readScenario } from '../spec/index.ts';
import { scenariosOf } from '../suite/index.ts';
import type { SimulatorEnd, SimulatorRun, Suite } from '../suite/index.ts';
import { Flags } from './flags.ts';
import { LiveSession } from './session.ts';
import type { SessionOptions } from './session.ts';

/** Largest message the kit takes (bytes), as in `check`. */
const maxReceive = 16 << 20;

/** The scenario of a suite by name, or that of a file. @throws WireproofError 'usage' when there is none */
export function scenarioOf<V>(suite: Suite<V>, name: string | undefined): Scenario | undefined {
  if (name === undefined) return undefined;
  const found = scenariosOf(suite).find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (/\.ya?ml$/.test(name)) return readScenario(name);
  throw new WireproofError(
    'usage',
    `--scenario ${name}: no such scenario; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
  );
}

/** Plays the scenario of `--scenario` with a target that dials; undefined: there is none. */
export async function playScenario<V>(
  run: SimulatorRun,
  options: SessionOptions & { readonly suite: Suite<V> },
): Promise<SimulatorEnd | undefined> {
  const { suite } = options;
  const scenario = scenarioOf(suite, new Flags(run).text('scenario'));
  const { target: dialling } = suite;
  if (scenario === undefined || dialling.kind !== 'dials') return undefined;
  const { name, fresh, peers, title } = scenario;
  const live = new LiveSession(run, { ...options, scenario: name });
  const target = new RealLane<V>({
    ...live.settings(suite),
    dialling,
    methods: dialling.methods,
    maxReceive,
    target: { kind: 'listen', ...live.flags.address('listen') },
  });
  live.follow(target.lane);
  void live.over.then(() => {
    target.cancelWait();
    target.lane.abort('interrupted');
  });
  let playing: ReturnType<typeof target.play> | undefined;
  await target.open(peers, fresh ? () => (playing = target.play(scenario)) : undefined);
  live.tell(
    `${run.simulator.name} on port ${target.port}, playing "${title}" with the first that comes; Ctrl-C stops`,
  );
  const isReady = fresh || (await target.ready()).is === 'ready';
  const played = isReady ? await (playing ?? target.play(scenario)) : undefined;
  await target.close();
  return live.playedScenario(name, played);
}
