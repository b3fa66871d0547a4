/** Plays the scenario of `--scenario` with the first target that connects. */
import { addressText, didYouMean, WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { DialingTarget } from '../run/index.ts';
import { readScenario } from '../spec/index.ts';
import { TargetSession, scenariosOf } from '../suite/index.ts';
import type { SimulatorEnd, SimulatorRun, Suite } from '../suite/index.ts';
import { Flags } from './flags.ts';
import { LiveSession } from './session.ts';
import type { SessionOptions } from './session.ts';

/** The largest accepted message (bytes), as in `check`. */
const maxReceive = 16 << 20;

/** The scenario of a suite by name, or of a YAML file. @throws WireproofError 'usage' on an unknown name */
export function scenarioOf(suite: Suite, name: string | undefined): Scenario | undefined {
  if (name === undefined) return undefined;
  const all = scenariosOf(suite);
  const found = all.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (/\.ya?ml$/.test(name)) return readScenario(name);
  throw new WireproofError(
    'usage',
    `--scenario ${name}: no such scenario${didYouMean(
      name,
      all.map((scenario) => scenario.name),
    )}; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
  );
}

/**
 * Plays the scenario of `--scenario` with a target that dials.
 *
 * @param options - `title`: the peer's name for people
 * @returns undefined when there is no `--scenario`
 */
export async function playScenario(
  run: SimulatorRun,
  options: SessionOptions & { readonly suite: Suite; readonly title: string },
): Promise<SimulatorEnd | undefined> {
  const { suite } = options;
  const { target: kind, timeouts } = suite;
  const scenario = scenarioOf(suite, new Flags(run).text('scenario'));
  if (scenario === undefined || kind.kind !== 'dials') return undefined;
  const { name, title, peers } = scenario;
  const live = new LiveSession(run, { ...options, scenario: name });
  const address = live.flags.address('listen');
  const target = new DialingTarget({
    suite,
    kind,
    methods: kind.methods,
    maxReceive,
    target: { kind: 'listen', ...address },
    scenario,
    peers,
    makeSession: (more) => new TargetSession({ ...live.settings(suite), ...more }),
    handshake: timeouts['handshake'] ?? 0,
    reconnect: 0,
    answerAfterEnd: timeouts['step'] ?? 10_000,
    listening: (port) =>
      live.notify(
        `${options.title} on ${addressText({ ...address, port })}, playing "${title}" with the first target that connects; Ctrl-C stops`,
      ),
  });
  live.follow(target.session);
  void live.ended.then(() => target.interrupt());
  const failure = await target.start();
  const played = failure === undefined ? await target.play(scenario) : undefined;
  await new Promise((resolve) => void setTimeout(resolve, timeouts['late']));
  await target.stop();
  return live.playedScenario(name, played);
}
