/** A wait whose time begins again. */
import { expect, it } from 'vitest';
import { deadline } from './deadline.ts';
import { Judge } from './judge.ts';
import { momentOf } from './run-view.ts';

const ends = deadline({
  requirement: 'X-01',
  begins: (event) =>
    event.kind === 'message' ? { ...momentOf(event), key: 'ask', expected: 'an end' } : undefined,
  settles: (_, { kind }) => (kind === 'ping' ? 'again' : kind === 'half_close' ? 'exercised' : undefined),
  within: () => 5000,
});

/** What is found in a trace of events at these times (ms). */
function found(...events: readonly (readonly [kind: 'message' | 'ping' | 'half_close', at: number])[]) {
  const judge = new Judge({
    rules: [ends],
    topicOf: ({ kind }) => kind,
    view: { start: () => ({}), step: () => {} },
  });
  for (const [seq, [kind, at]] of events.entries())
    judge.step({ seq, at, wire: 'x', conn: 'c', stream: 's', from: 'a', to: 'b', kind, data: {} });
  const { exercised = 0, violations = [] } = judge.end().get('X-01') ?? {};
  return { exercised, violated: violations.map(({ message }) => message) };
}

it('goes on from each event that settles it as again', () => {
  expect(found(['message', 0], ['ping', 4000], ['ping', 8000], ['half_close', 12_000])).toEqual({
    exercised: 1,
    violated: [],
  });
});

it('is over when nothing comes for its time after the last of them', () => {
  const { violated } = found(['message', 0], ['ping', 4000], ['half_close', 9500]);
  expect(violated).toEqual(['expected an end within 5000 ms; it did not come']);
});
