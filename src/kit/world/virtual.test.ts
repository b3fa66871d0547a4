/** Virtual time: what is due runs in order of time, then of asking, and only when told to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual.ts';

const toEnd = (): boolean => false;

describe('a virtual clock', () => {
  it('stands still until it is run', () => {
    const clock = new VirtualClock();
    let ran = false;
    clock.after(0, () => (ran = true));
    expect([clock.now(), ran]).toEqual([0, false]);
    clock.run(toEnd);
    expect([clock.now(), ran]).toEqual([0, true]);
  });

  it('runs what is due in order of time, then of asking', () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    for (const [name, ms] of [
      ['c', 20],
      ['a', 10],
      ['d', 20],
      ['b', 10.5],
      ['e', 1e9],
    ] as const) {
      clock.after(ms, () => order.push(`${name} at ${clock.now()}`));
    }
    clock.run(toEnd);
    expect(order).toEqual(['a at 10', 'b at 10.5', 'c at 20', 'd at 20', 'e at 1000000000']);
  });

  it('runs what is asked for at once after what is already due', () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    clock.after(5, () => {
      order.push('first');
      clock.after(0, () => order.push('third'));
      clock.after(-7, () => order.push('fourth'));
    });
    clock.after(5, () => order.push('second'));
    clock.run(toEnd);
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
    expect(clock.now()).toBe(5);
  });

  it('does not run what was called off, even by what runs at the same time', () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    const timers = [1, 2, 2, 3].map((ms, i) => clock.after(ms, () => order.push(`${i}`)));
    clock.after(1, () => timers[2]?.cancel());
    timers[3]?.cancel();
    clock.run(toEnd);
    expect(order).toEqual(['0', '1']);
  });

  it('stops when told, goes on from there, and says whether the end was reached', () => {
    const clock = new VirtualClock();
    const order: number[] = [];
    for (const ms of [1, 2, 3]) clock.after(ms, () => order.push(ms));
    expect(clock.run(() => order.length === 2)).toBe(true);
    expect([clock.now(), order]).toEqual([2, [1, 2]]);
    expect(clock.run(() => order.length === 9)).toBe(false);
    expect(order).toEqual([1, 2, 3]);
    expect(clock.run(() => true)).toBe(true);
  });

  it('gives up after so many steps', () => {
    const clock = new VirtualClock();
    let ran = 0;
    const again = (): void => {
      ran++;
      clock.after(0, again);
    };
    again();
    expect(clock.run(toEnd, 500)).toBe(false);
    expect([ran, clock.now()]).toEqual([501, 0]);
  });

  it('never lets time fall, and forgets nothing, whatever is asked for and when', () => {
    const asked = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(asked, (all) => {
        const clock = new VirtualClock();
        const times: number[] = [];
        let expected = 0;
        for (const [ms, more, off] of all) {
          const timer = clock.after(ms, () => {
            times.push(clock.now());
            clock.after(more, () => times.push(clock.now()));
          });
          if (off) timer.cancel();
          else expected += 2;
        }
        clock.run(toEnd);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times.length).toBe(expected);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
