import { describe, expect, it } from 'vitest';
import { realClock } from './real.ts';
import { pause, until } from './until.test-helper.ts';

/** Node's timers fire up to this much early, for they count whole milliseconds. */
const grain = 1.5;

describe('the real clock', () => {
  it('calls when it is time, and not before', async () => {
    const clock = realClock();
    const due = clock.now() + 30;
    const came = await new Promise<number>((resolve) => clock.after(30, () => resolve(clock.now())));
    expect(came).toBeGreaterThanOrEqual(due - grain);
  });

  it('calls what is due together in the order in which it was asked for, each once', async () => {
    const clock = realClock();
    const called: string[] = [];
    for (const name of ['a', 'b', 'c']) clock.after(5, () => called.push(name));
    clock.after(0, () => called.push('at once'));
    await until(() => called.length >= 4);
    await pause(20);
    expect(called).toEqual(['at once', 'a', 'b', 'c']);
  });

  it('leaves out what was called off, also by what is due with it; after a call it changes nothing', async () => {
    const clock = realClock();
    const called: string[] = [];
    const a = clock.after(5, () => {
      called.push('a');
      c.cancel();
    });
    const b = clock.after(5, () => called.push('b'));
    const c = clock.after(5, () => called.push('c'));
    clock.after(5, () => called.push('d'));
    b.cancel();
    b.cancel();
    await until(() => called.includes('d'));
    a.cancel();
    clock.after(1, () => called.push('e'));
    await until(() => called.includes('e'));
    await pause(20);
    expect(called).toEqual(['a', 'd', 'e']);
  });

  it('lets a process end when everything was called off', async () => {
    const before = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const clock = realClock();
    const timers = Array.from({ length: 100 }, (_, i) => clock.after(60_000 + (i % 3), () => {}));
    expect(process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length).toBeGreaterThan(
      before,
    );
    for (const timer of timers) timer.cancel();
    expect(process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length).toBe(before);
  });
});
