/** What a storm needs to know of a protocol: a simulated world, and the actions that disturb it. */
import type fc from 'fast-check';
import type { VirtualClock } from '../world/index.ts';
import type { Act } from './action.ts';
import type { Fail, StormWatch } from './watch.ts';

/** A simulated world. */
export interface StormWorld {
  readonly clock: VirtualClock;
  /** The judged traces. The first one is the storm's own. */
  readonly watches: readonly StormWatch[];
  /** Starts the peers. */
  begin(): void;
  /** Called once after the last action; absent: nothing is to be done. */
  calm?(): void;
  /** The work that has no end yet, as words for a reader. The storm waits until there is none. */
  open(): readonly string[];
  /** Helps open work to its end: releases it, approves it, or interrupts it. */
  settle(): void;
  /** Called once when no work is open: waits for the deadlines that are left. */
  finish(): void;
  /** Stops all peers. Afterwards no timer may be left. */
  stop(): void;
}

export interface StormKind<W extends StormWorld, S> {
  /** The random options of the world. */
  readonly setup: fc.Arbitrary<S>;
  /** Makes the world. `seed`: of the network and of other chance that no action decides. */
  readonly world: (setup: S, seed: string, fail: Fail) => W;
  readonly actions: fc.Arbitrary<Act<W>>;
  /** The most actions of a session. */
  readonly most: number;
  /** The longest waits between two actions, of which each action has one (ms). */
  readonly gaps: readonly number[];
  /** The rounds that open work has for its end, and the time of each (ms). */
  readonly rounds: { readonly count: number; readonly ms: number };
}

/** Lets a time pass (ms). @throws Error when the clock does not go on */
export function passTime(clock: VirtualClock, ms: number): void {
  const then = clock.now() + ms;
  clock.after(ms, () => {});
  if (!clock.run(() => clock.now() >= then)) throw new Error('time stands still');
}
