/** Plays one scenario in the simulated world: one thread, virtual time, everything from a seed. */
import type { Scenario, TraceEvent } from '../base/index.ts';
import { Network, VirtualClock, hashSeed, seededRandom } from '../world/index.ts';
import type { Found } from './judge.ts';
import { Lane } from './lane.ts';
import type { Played } from './player.ts';
import type { MakePeer, Suite } from './suite.ts';

/** What a simulated run gave. */
export interface SimulatedRun<V> {
  readonly played: Played;
  readonly events: readonly TraceEvent[];
  readonly found: ReadonlyMap<string, Found>;
  readonly view: V;
}

/** How a simulated run is set up. */
export interface SimulatedOptions<V> {
  readonly suite: Suite<V>;
  readonly scenario: Scenario;
  readonly target: MakePeer;
  readonly seed: string;
  readonly drive?: string;
  readonly timeouts?: { readonly [name: string]: number };
  /** Steps of the virtual clock before a run counts as endless. */
  readonly steps?: number;
}

/** How long the wire is watched after a scenario's end (ms). */
const lateWatch = 300;

/** Redaction in the simulated world: the same secret, the same word, in every run. */
export const simulatedRedact = (secret: string): string =>
  `redacted:${hashSeed(`secret ${secret}`).toString(16).padStart(8, '0')}`;

/** Plays a scenario against a target on virtual time. The same options give the same events. */
export function simulate<V>(options: SimulatedOptions<V>): SimulatedRun<V> {
  const { suite, scenario, seed } = options;
  const clock = new VirtualClock();
  const network = new Network(clock, seededRandom(`${seed} network`));
  const timeouts = { ...suite.timeouts, ...options.timeouts };
  const lane = new Lane({
    suite,
    clock,
    random: seededRandom(`${seed} scenario`),
    drive: options.drive ?? 'directive',
    timeouts,
    timeoutScale: 1,
    redact: simulatedRedact,
    fault: (fault) => network.fault(undefined, fault),
  });
  lane.setPeers(scenario.peers);
  network.listen(lane.accept);
  const target = options.target({ clock, dial: network.dial });
  let played: Played | undefined;
  const begin = (): void => lane.play(scenario, (p) => void clock.after(lateWatch, () => (played = p)));
  if (scenario.fresh) begin();
  else lane.awaitTopic(suite.ready, () => clock.after(0, begin));
  clock.after(0, () => target.begin());
  const giveUp = clock.after(timeouts['handshake'] ?? 5000, () => {
    if (lane.events.every((event) => suite.judging.topicOf(event) !== suite.ready) && !scenario.fresh) {
      played = { outcome: 'ended-early', reason: 'the target did not get ready' };
    }
  });
  const ended = clock.run(() => played !== undefined, options.steps ?? 2_000_000);
  giveUp.cancel();
  if (!ended || played === undefined) played = { outcome: 'ended-early', reason: 'nothing more happened' };
  const found = lane.end();
  target.stop();
  return { played, events: lane.events, found, view: lane.judge.view };
}
