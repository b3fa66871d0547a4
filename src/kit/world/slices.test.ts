/** Work in slices: timers run between, and each piece of work has its turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Slices } from './slices.ts';

/** Works for so many milliseconds of its own slices. */
async function work(slices: Slices, name: string, ms: number, ended: string[]): Promise<void> {
  for (let left = ms; left > 0; left--) {
    if (slices.isOver) await slices.next();
    const until = performance.now() + 1;
    while (performance.now() < until);
  }
  ended.push(name);
}

it('a timer runs before the work has ended', async () => {
  const ended: string[] = [];
  const working = work(new Slices(), 'work', 300, ended);
  await sleep(20);
  expect(ended).toEqual([]);
  await working;
  expect(ended).toEqual(['work']);
});

it('each piece of work has its turn, so that a short one ends first', async () => {
  const slices = new Slices();
  const ended: string[] = [];
  await Promise.all([
    work(slices, 'long', 300, ended),
    work(slices, 'longer', 400, ended),
    work(slices, 'short', 5, ended),
  ]);
  expect(ended).toEqual(['short', 'long', 'longer']);
});

it('the first slice must be awaited', () => {
  expect(new Slices().isOver).toBe(true);
});
