/** The marks of a watch over the processes of tools (the schema of scenarios, `processes`). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/index.ts';
import { VirtualClock } from '../world/index.ts';
import { ProcessTable } from './process-table.ts';
import { ProcessWatch } from './process-watch.ts';
import type { ListProcesses } from './process-watch.ts';

/** A watch over the tool `slow`, whose call has the word `w1`; another tool's call has `w2`. */
function watched(list?: ListProcesses) {
  const clock = new VirtualClock();
  const table = new ProcessTable();
  const marks: JsonObject[] = [];
  let looks = 0;
  const watch = new ProcessWatch({
    clock,
    list: () => {
      looks++;
      return (list ?? table.lines)();
    },
    tools: ['slow'],
    words: () => [
      { tool: 'slow', word: 'w1' },
      { tool: 'quick', word: 'w2' },
    ],
    mark: (data) => marks.push(data),
  });
  watch.begin();
  const pass = (ms: number): void => {
    let over = false;
    clock.after(ms, () => (over = true));
    clock.run(() => over, 10_000);
  };
  return { table, marks, watch, pass, looks: () => looks };
}

describe('a watch over processes', () => {
  it('notes that one appears, and that the last one is gone, with the time since it was seen', () => {
    const { table, marks, pass, watch } = watched();
    pass(400);
    expect(marks).toEqual([]);
    const ends = [table.start('sh -c sleep w1'), table.start('sleep w1')];
    pass(400);
    ends[0]?.();
    pass(400);
    expect(marks).toEqual([{ process: 'slow', word: 'w1', alive: true }]);
    ends[1]?.();
    pass(400);
    watch.stop();
    const seen = expect.any(Number) as number;
    expect(marks.slice(1)).toEqual([{ process: 'slow', word: 'w1', alive: false, seen }]);
    expect(marks[1]?.['seen']).toBeGreaterThan(0);
    expect(marks[1]?.['seen']).toBeLessThanOrEqual(250);
  });

  it('notes at its end that one is still there, and looks no more', () => {
    const { table, marks, pass, watch, looks } = watched();
    table.start('sleep w1');
    watch.stop();
    const alive = { process: 'slow', word: 'w1', alive: true };
    expect(marks).toEqual([alive, alive]);
    const before = looks();
    pass(5000);
    watch.stop();
    expect([looks(), marks.length]).toEqual([before, 2]);
  });

  it('notes at its end that it saw none, whatever the processes of other tools', () => {
    const { table, marks, pass, watch } = watched();
    table.start('echo w2');
    pass(1000);
    watch.stop();
    expect(marks).toEqual([
      {
        process: 'slow',
        unseen: 'no process was seen whose command line holds the {nonce} of tools.slow',
      },
    ]);
  });

  it('notes once that the platform shows none, and looks no more', () => {
    const { marks, pass, watch, looks } = watched(() => undefined);
    pass(5000);
    watch.stop();
    expect(marks).toEqual([
      { process: 'slow', unseen: 'this platform does not show the command lines of processes' },
    ]);
    expect(looks()).toBe(1);
  });
});
