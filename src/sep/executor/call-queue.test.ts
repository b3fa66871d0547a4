/** The calls of virtual time come in order, whatever the order of their request. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallQueue } from './call-queue.ts';

it('runs calls by their time, and those of one time in the order of their request, without cancelled ones', () => {
  const calls = fc.array(fc.record({ ms: fc.integer({ min: 0, max: 9 }), isCancelled: fc.boolean() }));
  fc.assert(
    fc.property(calls, (asked) => {
      const queue = new CallQueue();
      const ran: (readonly [number, number])[] = [];
      for (const [i, { ms, isCancelled }] of asked.entries()) {
        const timer = queue.after(ms, () => void ran.push([queue.now(), i]));
        if (isCancelled) timer.cancel();
      }
      while (queue.runNext());
      const wanted = asked.flatMap(({ ms, isCancelled }, i) => (isCancelled ? [] : [[ms, i] as const]));
      expect(ran).toEqual(wanted.toSorted(([a, i], [b, j]) => a - b || i - j));
    }),
  );
});

it('takes calls that are asked for while others run', () => {
  const queue = new CallQueue();
  const ran: number[] = [];
  queue.after(5, () => {
    queue.after(0, () => ran.push(queue.now()));
    queue.after(1, () => ran.push(queue.now()));
  });
  queue.after(6, () => ran.push(-1));
  while (queue.runNext());
  expect(ran).toEqual([5, -1, 6]);
});
