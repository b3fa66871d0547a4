/** Plays one scenario in the simulated world: in one thread, on virtual time, with all randomness from a seed. */
import type { Scenario, TraceEvent } from '../base/index.ts';
import {
  Network,
  VirtualClock,
  framed,
  hashSeed,
  ignoredEvents,
  join,
  seededRandom,
} from '../world/index.ts';
import type { Accept, Dial, NetworkOptions } from '../world/index.ts';
import type { Judge, RequirementFindings } from '../judge/index.ts';
import { TargetSession } from './target-session.ts';
import type { TargetSessionOptions } from './target-session-options.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import type { ListeningTargetKind } from './listening-target-kind.ts';
import type { DialingTargetKind, CarrierTargetKind, Suite } from './suite.ts';
import type { MakePeer } from './peer.ts';
import { ProcessTable } from './process-table.ts';

/** The result of a simulated run. */
export interface SimulatedRun<V> {
  readonly played: ScenarioEnd;
  /** Set when the run was stopped at its most steps, or when nothing more could happen before the scenario was over. */
  readonly stuck?: true;
  readonly events: readonly TraceEvent[];
  readonly found: ReadonlyMap<string, RequirementFindings>;
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
  /** Called with each event, before the judge takes it. */
  readonly watch?: (event: TraceEvent, judge: Judge<V>) => void;
}

/** Time for late events after the end of a scenario (ms). */
const lateWatch = 300;

/** Redacts a secret in the simulated world. The same secret gives the same word in every run. */
export const simulatedRedact = (secret: string): string =>
  `redacted:${hashSeed(`secret ${secret}`).toString(16).padStart(8, '0')}`;

/** A simulated world with one target in it. */
interface World<V> {
  readonly clock: VirtualClock;
  readonly network: Network;
  readonly session: TargetSession<V>;
  /** The outcome of the scenario, after the time for late events; undefined before. */
  readonly over: () => ScenarioEnd | undefined;
  /** Ends the run, as soon as no requirement awaits an event. */
  readonly end: (played: ScenarioEnd) => void;
}

/** How often an ended scenario goes on for events that requirements await. A target that talks for ever ends it. */
const mostRounds = 4;

/** Plays a scenario against a target on virtual time. The same options give the same events. */
export function simulate<V>(options: SimulatedOptions<V>): SimulatedRun<V> {
  const { suite } = options;
  const { target } = suite;
  switch (target.kind) {
    case 'dials':
      return simulateDialing(options, target);
    case 'listens':
      return simulateListening(options, target);
    case 'meets':
      return simulateCarrier(options, target);
    default:
      return target satisfies never;
  }
}

function worldOf<V>(
  { suite, seed, drive, timeouts, watch }: SimulatedOptions<V>,
  more: (world: { clock: VirtualClock; network: Network }) => Partial<TargetSessionOptions<V>>,
  carriage: Pick<NetworkOptions, 'bytes' | 'orderly'> = {},
): World<V> {
  const clock = new VirtualClock();
  const delay = { min: 0.05, max: 1 };
  const network = new Network(clock, seededRandom(`${seed} network`), { delay, ...carriage });
  let played: ScenarioEnd | undefined;
  const session = new TargetSession({
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
  if (watch !== undefined) session.onEvent = (event) => watch(event, session.judge);
  const end = (p: ScenarioEnd, rounds = mostRounds): void => {
    const { openWait } = session;
    if (openWait === undefined || rounds === 0) played = p;
    else clock.after(openWait.ms, () => end(p, rounds - 1));
  };
  return { clock, network, session, over: () => played, end };
}

function simulateDialing<V>(
  options: SimulatedOptions<V>,
  { ready, drive = 'directive' }: DialingTargetKind<V>,
): SimulatedRun<V> {
  const { suite, scenario } = options;
  const processes = new ProcessTable();
  const world = worldOf({ drive, ...options }, () => ({ processes: processes.lines }));
  const { clock, network, session } = world;
  session.setPeers(scenario.peers);
  network.listen(session.accept);
  const beside = dialBeside(world, options);
  // A target dials the HTTP servers with a URL, and its peers with a gRPC method.
  const dial: Dial = (request, events) =>
    (request.metadata[':url'] === undefined ? network.dial : (beside ?? network.dial))(request, events);
  const target = options.target({ clock, dial, processes });
  const begin = (): void => session.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  if (scenario.fresh) begin();
  else session.awaitTopic(ready, () => clock.after(0, begin));
  clock.after(0, () => target.begin());
  const handshake = options.timeouts?.['handshake'] ?? suite.timeouts['handshake'] ?? 5000;
  const giveUp = clock.after(handshake, () => {
    if (session.events.every((event) => suite.judging.topicOf(event) !== ready) && !scenario.fresh) {
      world.end({ outcome: 'ended-early', reason: 'the target did not get ready' });
    }
  });
  return finish(world, options, () => {
    giveUp.cancel();
    return () => target.stop();
  });
}

function simulateListening<V>(options: SimulatedOptions<V>, suite: ListeningTargetKind): SimulatedRun<V> {
  const { scenario } = options;
  const simulated = suite.simulated(scenario.reference);
  const world = worldOf(
    { drive: scenario.needs.drive[0] ?? 'operator', ...options },
    ({ clock, network }) => ({
      dial: () => network.dial,
      credentials: { scheme: simulated.scheme, of: (kind) => simulated.of(kind, clock.now()) },
      fault: (fault, _, streams) => {
        for (const stream of streams) network.fault(stream, fault);
      },
      stop: () => target.command({ do: 'shutdown', reason: 'asked to stop' }),
    }),
  );
  const { clock, network, session } = world;
  const beside = dialBeside(world, options);
  const target = options.target({ clock, ...(beside === undefined ? {} : { dial: beside }) });
  network.onPing = (conn) => session.ping(conn);
  network.listen(target.accept);
  target.begin();
  session.setPeers(scenario.peers);
  session.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  return finish(world, options, () => () => target.stop());
}

/** Both sides accept a link, so the simulated network dials for the target. */
function simulateCarrier<V>(
  options: SimulatedOptions<V>,
  { carriers, framing, drive, probe }: CarrierTargetKind<V>,
): SimulatedRun<V> {
  const { scenario } = options;
  const carrier = scenario.needs.carrier?.[0] ?? carriers.find((name) => name !== 'ws') ?? 'ws';
  const world = worldOf(
    { drive: probe === undefined ? drive : 'directive', ...options },
    () => ({ stop: () => target.command({ do: 'shutdown', reason: 'asked to stop' }) }),
    { orderly: true, bytes: carrier !== 'ws' },
  );
  const { clock, network, session } = world;
  const beside = dialBeside(world, options);
  const target = options.target({
    clock,
    ...(beside === undefined ? {} : { dial: beside }),
    report: (topic, detail) => programReport(session, topic, detail),
  });
  const flushes: (() => void)[] = [];
  const isWhole = carrier === 'ws';
  const near = isWhole ? target.accept : framed(target.accept, target.framing ?? framing);
  const far = isWhole ? session.accept : framed(session.accept, framing, (flush) => flushes.push(flush));
  session.setPeers(scenario.peers);
  const play = (): void => session.play(scenario, (p) => void clock.after(lateWatch, () => world.end(p)));
  playAtFirstLink(world, far, play);
  leaveWithTarget(world);
  if (carrier === 'http') play();
  target.begin();
  if (carrier !== 'http') join(network.dial, { ':carrier': carrier }, near);
  return finish(world, options, () => {
    for (const flush of flushes) flush();
    return () => target.stop();
  });
}

/** Plays the scenario as soon as the target has a link to the kit. */
function playAtFirstLink<V>({ network }: World<V>, accept: Accept, play: () => void): void {
  let begun = false;
  network.listen((link, metadata) => {
    const events = accept(link, metadata);
    if (!begun) play();
    begun = true;
    return events;
  });
}

/** Ends the scenario after the target has ended its link, when it may leave. */
function leaveWithTarget<V>({ clock, session }: World<V>): void {
  const { onEvent } = session;
  session.onEvent = (event) => {
    onEvent?.(event);
    if (event.from === 'target' && event.kind === 'end') clock.after(lateWatch, () => session.leave());
  };
}

/** The end of a simulated program as the trace of a real one shows it: what it `printed`, and that it `exited`. */
function programReport<V>(session: TargetSession<V>, topic: string, detail: string): void {
  if (topic === 'printed') session.mark({ printed: 'stdout', text: detail });
  if (topic === 'exited') session.processEnded(Number(detail), null);
}

/** Dials the kit's HTTP servers by their URLs; undefined when the suite has none. */
function dialBeside<V>({ clock, session }: World<V>, { suite, seed }: SimulatedOptions<V>): Dial | undefined {
  const servers = (suite.sideServers ?? []).map(({ peer, variable, simulatedUrl }, i) => {
    const name = i === 0 ? '' : String(i + 1);
    const network = new Network(clock, seededRandom(`${seed} server${name}`), {
      delay: { min: 0.05, max: 1 },
      prefix: `h${name}`,
    });
    const accept = session.acceptBeside(peer);
    // A stream without a path is not an HTTP exchange.
    network.listen((link, metadata) =>
      metadata[':path'] === undefined ? ignoredEvents : accept(link, metadata),
    );
    session.setVariable(variable, simulatedUrl);
    return { simulatedUrl, network };
  });
  const [first] = servers;
  if (first === undefined) return undefined;
  session.setVariable('tmp', '/tmp');
  return (request, events) => {
    const url = request.metadata[':url'] ?? '';
    const { network } = servers.findLast(({ simulatedUrl }) => isBelow(url, simulatedUrl)) ?? first;
    return network.dial(request, events);
  };
}

/** Whether a URL is a base URL, or one below it. */
const isBelow = (url: string, base: string): boolean => url === base || url.startsWith(`${base}/`);

/** Runs the clock until the scenario is over, then ends the trace and stops the target. */
function finish<V>(world: World<V>, options: SimulatedOptions<V>, before: () => () => void): SimulatedRun<V> {
  const { clock, session, over } = world;
  clock.run(() => over() !== undefined, options.steps ?? 2_000_000);
  const stop = before();
  const ended = over();
  const played = ended ?? { outcome: 'ended-early', reason: 'nothing more happened' };
  const found = session.end();
  stop();
  const run = { played, events: session.events, found, view: session.judge.view };
  return ended === undefined ? { ...run, stuck: true } : run;
}
