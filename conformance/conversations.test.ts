/** Random conversations of every suite that has them: clean, the same again for a seed, of bounded size, and traces. */
import { describe, expect, it } from 'vitest';
import { Judge } from '../src/kit/judge/index.ts';
import { parseEvent, textOfTrace } from '../src/kit/spec/index.ts';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { Registry } from '../src/kit/suite/index.ts';
import * as protocols from './index.ts';

const registry = new Registry(Object.values(protocols));
const suites = registry.protocols.flatMap(({ name, conversations = {} }) =>
  Object.entries(conversations).map(([role, load]) => [`${name}/${role}`, load] as const),
);
const seeds = [1, 2, 3];

describe.each(suites)('the conversations of %s', (id, load) => {
  it('break no rule, are the same again for a seed, and are traces of less than 4 MiB', async () => {
    const play = await load();
    const suite = await registry.loadSuite(id);
    const wires = new Set([suite.protocol, ...Object.values(suite.wires ?? {})]);
    for (const seed of seeds) {
      const { events, failures } = play(seed);
      expect(failures).toEqual([]);
      expect(events.length).toBeGreaterThan(2);
      const header = {
        wireproof: 'trace/1',
        suite: id,
        revision: '',
        seed: '',
        scenario: '',
        target: '',
        started: 0,
      } as const;
      const text = textOfTrace(header, events);
      expect(text).toBe(textOfTrace(header, play(seed).events));
      expect(text.length).toBeLessThan(4 << 20);
      // As a reader finds them, and as `wireproof judge` judges them.
      let before: TraceEvent | undefined;
      const judge = new Judge(suite.judging);
      for (const line of text.trimEnd().split('\n').slice(1)) {
        before = parseEvent(line, id, before);
        if (before.kind === 'mark' || wires.has(before.wire)) judge.step(before);
      }
      const found = judge.end();
      expect(
        [...found].flatMap(([row, { violations }]) => violations.map(({ message }) => `${row}: ${message}`)),
      ).toEqual([]);
      expect([...found.values()].some(({ exercised }) => exercised > 0)).toBe(true);
    }
  });
});
