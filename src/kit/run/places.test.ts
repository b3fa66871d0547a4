import { expect, it } from 'vitest';
import { Places } from './places.ts';

/** Takes `count` places. @returns the number of those who got one so far */
async function takers(places: Places, count: number): Promise<() => Promise<number>> {
  let got = 0;
  for (let i = 0; i < count; i++) void places.take().then(() => got++);
  return async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    return got;
  };
}

it('gives out as many places as there are, and a freed place to the next', async () => {
  const places = new Places(3);
  const got = await takers(places, 5);
  expect(await got()).toBe(3);
  places.give();
  expect(await got()).toBe(4);
});

it('has half as many places after a period on a busy machine, and never fewer than two', async () => {
  const places = new Places(8);
  places.note(700, 1000);
  expect(places.open).toBe(4);
  for (let i = 0; i < 5; i++) places.note(700, 1000);
  expect(places.open).toBe(2);
  expect(await (await takers(places, 5))()).toBe(2);
});

it('leaves the one place of a target that plays one scenario at a time', () => {
  const places = new Places(1);
  places.note(700, 1000);
  expect(places.open).toBe(1);
});

it('takes no place from a scenario that is played, but gives out no other until enough are free', async () => {
  const places = new Places(4);
  const got = await takers(places, 6);
  places.note(700, 1000);
  places.give();
  places.give();
  expect(await got()).toBe(4);
  places.give();
  expect(await got()).toBe(5);
});

it('adds places while the machine is quiet, up to all, and wakes who waits', async () => {
  const places = new Places(4);
  places.note(700, 1000);
  const got = await takers(places, 4);
  expect(await got()).toBe(2);
  places.note(100, 1000);
  expect(await got()).toBe(4);
  places.note(0, 1000);
  expect(places.open).toBe(4);
});

it('keeps the number of places while the machine is neither busy nor quiet', () => {
  const places = new Places(8);
  places.note(400, 1000);
  expect(places.open).toBe(8);
});
