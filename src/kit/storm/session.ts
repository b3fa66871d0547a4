/** One session of a storm: its plan is a set-up and actions, and it is played in the simulated world. */
import fc from 'fast-check';
import type { TraceEvent } from '../base/index.ts';
import type { Act } from './action.ts';
import { passTime } from './world.ts';
import type { StormKind, StormWorld } from './world.ts';

/** The set-up of a session, and its actions in order. */
export interface StormPlan<W extends StormWorld, S> {
  readonly setup: S;
  readonly chance: string;
  readonly actions: readonly TimedAct<W>[];
}

/** An action, and the wait before it (ms). */
export interface TimedAct<W> {
  readonly wait: number;
  readonly act: Act<W>;
}

export interface SessionFailure {
  /** A requirement's id, or `throws`, `endless`, `unfinished` or `unrepeatable`. */
  readonly broke: string;
  readonly message: string;
  /** The last events before it, as lines. */
  readonly excerpt: readonly string[];
}

/** What a session showed. */
export interface PlayedSession {
  readonly events: readonly TraceEvent[];
  /** The first failure of each kind. */
  readonly failures: readonly SessionFailure[];
  /** The number of times each requirement was exercised in the storm's own trace. */
  readonly exercised: ReadonlyMap<string, number>;
}

/** The time in which timers must end after the peers were stopped (virtual ms). */
const timersEnd = 60_000;

/** The random plans of a kind of storm. */
export function plansOf<W extends StormWorld, S>({
  setup,
  actions,
  most,
  gaps,
}: StormKind<W, S>): fc.Arbitrary<StormPlan<W, S>> {
  const wait = fc
    .tuple(fc.constantFrom(...gaps), fc.nat(1000))
    .map(([gap, share]) => Math.round(gap * share) / 1000);
  return fc.record({
    setup,
    chance: fc.noShrink(fc.nat()).map(String),
    actions: fc.array(fc.record({ wait, act: actions }), { maxLength: most, size: 'max' }),
  });
}

/** Plays a session to its end. Errors of the code are failures of the session. */
export function playSession<W extends StormWorld, S>(
  kind: StormKind<W, S>,
  { setup, chance, actions }: StormPlan<W, S>,
): PlayedSession {
  const failures = new Map<string, SessionFailure>();
  let world: W | undefined;
  const fail = (broke: string, message: string, excerpt = world?.watches[0]?.excerpt() ?? []): void => {
    if (!failures.has(broke)) failures.set(broke, { broke, message, excerpt });
  };
  try {
    world = kind.world(setup, chance, fail);
    playWorld(kind, world, actions, fail);
  } catch (error) {
    fail('throws', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const first = world?.watches[0];
  return {
    events: first?.events ?? [],
    failures: [...failures.values()],
    exercised: first?.exercised() ?? new Map(),
  };
}

function playWorld<W extends StormWorld, S>(
  { rounds }: StormKind<W, S>,
  world: W,
  actions: readonly TimedAct<W>[],
  fail: (broke: string, message: string) => void,
): void {
  const { clock } = world;
  world.begin();
  for (const { wait, act } of actions) {
    passTime(clock, wait);
    act.on(world);
  }
  world.calm?.();
  for (let round = 0; round < rounds.count; round++) {
    passTime(clock, rounds.ms);
    if (world.open().length === 0) break;
    world.settle();
  }
  const open = world.open();
  if (open.length > 0) fail('unfinished', `work without its end: ${open.join(', ')}`);
  world.finish();
  for (const watch of world.watches) watch.end();
  world.stop();
  const last = clock.now() + timersEnd;
  if (clock.run(() => clock.now() > last)) fail('endless', 'timers that nothing stops');
}
