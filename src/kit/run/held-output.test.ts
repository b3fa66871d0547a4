/** A target that does not flush is told from one that is silent, and from one that speaks in time. */
import { expect, it } from 'vitest';
import type { Link, LinkEvents } from '../world/index.ts';
import { HeldOutput } from './held-output.ts';

/** A watched connection, and the bytes that came through it. */
function stage(delay = () => 0, now = () => 0): { held: HeldOutput; events: LinkEvents; came: Uint8Array[] } {
  const held = new HeldOutput(delay, now);
  const came: Uint8Array[] = [];
  const nothing = (): void => {};
  const accept = held.watch(() => ({
    headers: nothing,
    message: (bytes) => void came.push(bytes),
    halfClose: nothing,
    ended: nothing,
    drained: nothing,
    ping: nothing,
  }));
  return { held, came, events: accept({} as Link, {}) };
}

const bytes = Uint8Array.of(1);

it('is held when all of it comes after the end of the input', () => {
  const { held, events, came } = stage();
  held.inputEnds();
  events.message(bytes);
  expect([held.isHeld, came]).toEqual([true, [bytes]]);
});

it.each([
  [3000, true],
  [9000, false],
])('when the machine was busy for %i of 10,000 ms, it is held: %s', (busy, isHeld) => {
  let [delay, now] = [500, 100];
  const { held, events } = stage(
    () => delay,
    () => now,
  );
  delay += busy;
  now += 10_000;
  held.inputEnds();
  events.message(bytes);
  expect(held.isHeld).toBe(isHeld);
});

it('is not held when a part of it came before', () => {
  const { held, events, came } = stage();
  events.message(bytes);
  held.inputEnds();
  events.message(bytes);
  expect([held.isHeld, came]).toEqual([false, [bytes, bytes]]);
});

it('is not held when there is no output', () => {
  const { held } = stage();
  held.inputEnds();
  expect(held.isHeld).toBe(false);
});
