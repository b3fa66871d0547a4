/** Plays one scenario in the simulated world: one thread, virtual time, all randomness from a seed. */
import { WireproofError } from '../base/index.ts';
import type { Scenario, TraceEvent } from '../base/index.ts';
import { Network, VirtualClock, framed, hashSeed, join, seededRandom } from '../world/index.ts';
import type { LinkEvents, NetworkOptions } from '../world/index.ts';
import type { Found } from '../judge/index.ts';
import { TargetSession } from './target-session.ts';
import type { TargetSessionOptions } from './target-session.ts';
import type { Played } from '../scenario/index.ts';
import type {
  DialingTargetKind,
  ListeningTargetKind,
  MakePeer,
  CarrierTargetKind,
  SideServer,
  Suite,
} from './suite.ts';

/** The result of a simulated run. */
export interface SimulatedRun<V> {
  readonly played: Played;
  readonly events: readonly TraceEvent[];
  readonly found: ReadonlyMap<string, Found>;
  readonly view: V;
}

/** The set-up of a simulated run. */
export interface SimulatedOptions<V> {
  readonly suite: Suite<V>;
  readonly scenario: Scenario;
  readonly target: MakePeer;
  readonly seed: string;
  readonly drive?: string;
  readonly timeouts?: { readonly [name: string]: number };
  /** The number of steps of the virtual clock after which a run counts as endless. */
  readonly steps?: number;
}

/** Time for late events after the end of a scenario (ms). */
const lateWatch = 300;

/** Redaction in the simulated world: a secret gives the same word in every run. */
export const simulatedRedact = (secret: string): string =>
  `redacted:${hashSeed(`secret ${secret}`).toString(16).padStart(8, '0')}`;

/** A simulated world with one target in it. */
interface World<V> {
  readonly clock: VirtualClock;
  readonly network: Network;
  readonly lane: TargetSession<V>;
  /** The outcome of the scenario, once it is over and the time for late events has passed. */
  readonly over: () => Played | undefined;
  readonly end: (played: Played) => void;
}

/** Plays a scenario against a target on virtual time. The same options give the same events. */
export function simulate<V>(options: SimulatedOptions<V>): SimulatedRun<V> {
  const { suite } = options;
  const { target } = suite;
  switch (target.kind) {
    case 'dials':
      return dialling(options, target);
    case 'listens':
      return listening(options, target);
    case 'meets':
      return meeting(options, target);
    default:
      return target satisfies never;
  }
}

function worldOf<V>(
  { suite, seed, drive, timeouts }: SimulatedOptions<V>,
  more: (world: { clock: VirtualClock; network: Network }) => Partial<TargetSessionOptions<V>>,
  carriage: Pick<NetworkOptions, 'bytes' | 'orderly'> = {},
): World<V> {
  const clock = new VirtualClock();
  const delay = { min: 0.05, max: 1 };
  const network = new Network(clock, seededRandom(`${seed} network`), { delay, ...carriage });
  let played: Played | undefined;
  const lane = new TargetSession({
    suite,
    clock,
    random: seededRandom(`${seed} scenario`),
    drive: drive ?? 'directive',
    timeouts: { ...suite.timeouts, ...suite.simulatedTimeouts, ...timeouts },
    timeoutScale: 1,
    redact: simulatedRedact,
    fault: (fault) => network.fault(undefined, fault),
    ...more({ clock, network }),
  });
  return { clock, network, lane, over: () => played, end: (p) => void (played = p) };
}

function dialling<V>(options: SimulatedOptions<V>, { ready }: DialingTargetKind<V>): SimulatedRun<V> {
  const { suite, scenario } = options;
  const world = worldOf(options, () => ({}));
  const { clock, network, lane } = world;
  lane.setPeers(scenario.peers);
  network.listen(lane.accept);
  const target = options.target({ clock, dial: network.dial });
  const begin = (): void => lane.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  if (scenario.fresh) begin();
  else lane.awaitTopic(ready, () => clock.after(0, begin));
  clock.after(0, () => target.begin());
  const handshake = options.timeouts?.['handshake'] ?? suite.timeouts['handshake'] ?? 5000;
  const giveUp = clock.after(handshake, () => {
    if (lane.events.every((event) => suite.judging.topicOf(event) !== ready) && !scenario.fresh) {
      world.end({ outcome: 'ended-early', reason: 'the target did not get ready' });
    }
  });
  return finish(world, options, () => {
    giveUp.cancel();
    return () => target.stop();
  });
}

function listening<V>(options: SimulatedOptions<V>, suite: ListeningTargetKind): SimulatedRun<V> {
  const { scenario } = options;
  const simulated = suite.simulated(scenario.reference);
  const world = worldOf({ drive: 'operator', ...options }, ({ clock, network }) => ({
    dial: () => network.dial,
    credentials: { scheme: simulated.scheme, of: (kind) => simulated.of(kind, clock.now()) },
    fault: (fault, _, streams) => {
      for (const stream of streams) network.fault(stream, fault);
    },
    stop: () => target.command({ do: 'shutdown', reason: 'asked to stop' }),
  }));
  const { clock, network, lane } = world;
  const target = options.target({ clock });
  network.onPing = (conn) => lane.ping(conn);
  network.listen(target.accept);
  target.begin();
  lane.setPeers(scenario.peers);
  lane.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  return finish(world, options, () => () => target.stop());
}

/** Both sides wait for a link; the network dials for the target. */
function meeting<V>(
  options: SimulatedOptions<V>,
  { carriers, framing, drive, probe, serves }: CarrierTargetKind<V>,
): SimulatedRun<V> {
  const { scenario } = options;
  const carrier = scenario.needs.carrier?.[0] ?? carriers.find((name) => name !== 'ws') ?? 'ws';
  const world = worldOf(
    { drive: probe === undefined ? drive : 'directive', ...options },
    () => ({
      stop: () => target.command({ do: 'shutdown', reason: 'asked to stop' }),
      takes: (metadata) => (metadata[':path'] === undefined ? undefined : serves?.peer),
    }),
    { orderly: true, bytes: carrier !== 'ws' },
  );
  const { clock, network, lane } = world;
  const beside = serves === undefined ? undefined : besides(clock, lane, serves, options.seed);
  const target = options.target({ clock, ...(beside === undefined ? {} : { dial: beside.dial }) });
  const flushes: (() => void)[] = [];
  const [near, far] =
    carrier === 'ws'
      ? [target.accept, lane.accept]
      : [
          framed(target.accept, target.framing ?? framing),
          framed(lane.accept, framing, (flush) => flushes.push(flush)),
        ];
  lane.setPeers(scenario.peers);
  let begun = false;
  network.listen((link, metadata) => {
    const events = far(link, metadata);
    if (!begun) lane.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
    begun = true;
    return events;
  });
  if (carrier === 'http') lane.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  target.begin();
  if (carrier !== 'http') join(network.dial, { ':carrier': carrier }, near);
  return finish(world, options, () => {
    for (const flush of flushes) flush();
    return () => target.stop();
  });
}

/** The network to the server of the kit beside the carrier. */
function besides<V>(
  clock: VirtualClock,
  lane: TargetSession<V>,
  { variable, simulatedUrl }: SideServer,
  seed: string,
): Network {
  const network = new Network(clock, seededRandom(`${seed} server`), {
    delay: { min: 0.05, max: 1 },
    prefix: 'h',
  });
  // A stream without a path is not an HTTP exchange.
  network.listen((link, metadata) => (metadata[':path'] === undefined ? deaf : lane.accept(link, metadata)));
  lane.setVariable(variable, simulatedUrl);
  return network;
}

const deaf: LinkEvents = {
  headers() {},
  message() {},
  halfClose() {},
  ended() {},
  drained() {},
  ping() {},
};

/** Runs the clock until the scenario is over, then ends the trace and stops the target. */
function finish<V>(world: World<V>, options: SimulatedOptions<V>, before: () => () => void): SimulatedRun<V> {
  const { clock, lane, over, end } = world;
  const ended = clock.run(() => over() !== undefined, options.steps ?? 2_000_000);
  const stop = before();
  if (!ended || over() === undefined) end({ outcome: 'ended-early', reason: 'nothing more happened' });
  const found = lane.end();
  stop();
  const played = over();
  if (played === undefined) throw new WireproofError('internal', 'a simulated run ended without an outcome');
  return { played, events: lane.events, found, view: lane.judge.view };
}
