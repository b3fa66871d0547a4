/** AGENT-08 and FOLD-A41 of an agent that rejects nothing. Its injection is too large for a session in a file. */
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { Judge } from '../../../../src/kit/judge/index.ts';
import { bothJudging } from '../topics.ts';
import { injectionRules } from './injections.ts';

const message = (from: string, data: JsonObject): Omit<TraceEvent, 'seq' | 'at'> => ({
  ...{ wire: 'fold', conn: 'c1', stream: 's1', kind: 'message' },
  ...{ from, to: from === 'target' ? 'gateway' : 'target', data },
});

/** The reasons for which rows cannot be shown, after an injection of a size and its ack. */
function reasons(size: number, accepted: boolean): JsonObject {
  const judge = new Judge({ ...bothJudging, rules: injectionRules });
  const inject = { injection_id: 'i1', content: 'x'.repeat(size), priority: 'INJECTION_PRIORITY_NORMAL' };
  const events = [
    message('gateway', { inject_context: inject }),
    message('target', { injection_ack: { injection_id: 'i1', accepted } }),
  ];
  for (const [seq, event] of events.entries()) judge.step({ ...event, seq, at: seq });
  const found = [...judge.end()];
  return Object.fromEntries(
    found.flatMap(([row, { unknowable }]) => (unknowable === undefined ? [] : [[row, unknowable]])),
  );
}

it('is untestable once the agent has accepted an injection that no window holds', () => {
  const reason = 'the agent rejects no injection: it accepted one of 1000000 characters';
  expect(reasons(1_000_000, true)).toEqual({ 'AGENT-08': reason, 'FOLD-A41': reason });
});

it('is not untestable after a smaller injection, nor after one that was rejected', () => {
  expect(reasons(999_999, true)).toEqual({});
  expect(reasons(1_000_000, false)).toEqual({});
});
