/** No judge throws on a trace whose data is odd: every trace of a stranger is judged, or refused with a sentence. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { Judge } from '../../src/kit/judge/index.ts';
import { sessionsOf } from '../../conformance/sessions.test-helper.ts';
import { registry } from '../registry.ts';

/** A value that a decoder does not give, and a trace file may hold. */
const oddValue = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    [],
    {},
    [null],
    { a: null },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The members of an event's data that the peer fills. The codec of the kit fills the others. */
const foreign = new Set(['payload', 'body', 'data', 'input', 'context', 'result']);

/** Replaces or removes one value that the peer fills, chosen by `at` among all. */
function withOddValue(data: JsonObject, at: number, value: unknown): JsonObject {
  const copy: Record<string, unknown> = structuredClone(data);
  const places: (() => void)[] = [];
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    const members = one as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      places.push(() => void (members[key] = value));
      if (!Array.isArray(one)) places.push(() => void delete members[key]);
      visit(members[key]);
    }
  };
  for (const [name, member] of Object.entries(copy)) {
    if (!foreign.has(name)) continue;
    visit(member);
    places.push(() => void (copy[name] = value));
  }
  places[at % places.length]?.();
  return copy as JsonObject;
}

/** The protocols whose messages are JSON of any shape. The codecs of the others refuse what their schemas do not allow. */
const protocols = ['llm', 'tokens'];

it.each(protocols)('no judge of %s throws on odd data', { timeout: 60_000 }, async (protocol) => {
  for (const [id, sessions] of sessionsOf(protocol)) {
    const { judging } = await registry.loadSuite(id);
    const anySession = fc.constantFrom(...sessions.map(({ events }) => events));
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), oddValue), { minLength: 1, maxLength: 4 });
    const property = fc.property(anySession, changes, (session, changed) => {
      const events: TraceEvent[] = [...session];
      for (const [which, at, value] of changed) {
        const i = which % events.length;
        const event = events[i] as TraceEvent;
        events[i] = { ...event, data: withOddValue(event.data, at, value) };
      }
      const judge = new Judge(judging);
      for (const event of events) judge.step(event);
      judge.end();
    });
    const { counterexample, errorInstance } = fc.check(property, { numRuns: 2000, seed: 14 });
    expect(counterexample, `${id}: ${String((errorInstance as Error | null)?.stack)}`).toBeNull();
  }
});
