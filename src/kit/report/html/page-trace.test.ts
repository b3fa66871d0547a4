import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../base/index.ts';
import { cutBytes, cutData } from './cut-data.ts';
import type { PageTrace } from './page-data.ts';
import { fitTrace } from './page-trace.ts';
import { sharedIds } from './shared-ids.ts';

const event = (seq: number, data: JsonObject, more: Partial<TraceEvent> = {}): TraceEvent => ({
  ...{ seq, at: seq, wire: 'fold', conn: 'c1', stream: 's1', from: 'target', to: 'gateway', kind: 'message' },
  ...{ data, ...more },
});

const mark = (seq: number, data: JsonObject): TraceEvent =>
  event(seq, data, { from: 'kit', to: 'kit', kind: 'mark' });

const fault = (seq: number) => ({ seq, rows: [{ id: 'FOLD-A15', anchor: 'FOLD-A15', message: '' }] });

const fitted = (
  events: readonly TraceEvent[],
  { room = 1e6, faults = [] as readonly number[], scenario = undefined as string | undefined } = {},
): PageTrace =>
  JSON.parse(fitTrace({ key: 'k', events, faults: faults.map(fault), scenario }, room).json) as PageTrace;

describe('data', () => {
  it('that fits stays', () => {
    expect(cutData({ a: 1 }, 100)).toEqual({ data: { a: 1 } });
  });

  it('loses the ends of its long texts first', () => {
    const data = { id: 7, text: 'x'.repeat(1000), more: [true, null, 'y'.repeat(300)] };
    expect(cutData(data, 400)).toEqual({
      data: {
        id: 7,
        text: `${'x'.repeat(100)}… (900 more characters)`,
        more: [true, null, `${'y'.repeat(100)}… (200 more characters)`],
      },
      whole: JSON.stringify(data).length,
    });
  });

  it('of many members becomes the beginning of its text', () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const { data: cut, whole } = cutData(data, 100);
    expect(cut).toBe(`${JSON.stringify(data).slice(0, 100)}…`);
    expect(whole).toBe(JSON.stringify(data).length);
  });

  it('may have any key', () => {
    const data = JSON.parse(`{"__proto__":{"x":"${'y'.repeat(200)}"}}`) as JsonObject;
    expect(JSON.stringify(cutData(data, 100).data)).toContain('"__proto__":{"x":"yyy');
  });
});

describe('bytes', () => {
  it('are cut at a whole group, and their number is kept', () => {
    const base64 = Buffer.alloc(1000, 1).toString('base64');
    expect(cutBytes(base64, 5000)).toEqual({ bytes: base64 });
    expect(cutBytes(base64, 100)).toEqual({ bytes: base64.slice(0, 48), whole: 1000 });
  });
});

describe('shared ids', () => {
  it('are those of several events, the most frequent first', () => {
    const events = [
      event(0, { send: { request_id: 'r1', toolId: 't' } }),
      event(1, { response: { request_id: 'r1', list: [{ id: 5 }] } }),
      event(2, { response: { request_id: 'r1', id: 5, sender: 'r1', alone_id: 'x' } }),
    ];
    const { ids, of } = sharedIds(events);
    expect(ids).toEqual(['request_id r1', 'id 5']);
    expect(events.map((one) => of(one))).toEqual([[0], [0, 1], [0, 1]]);
  });
});

describe('a trace', () => {
  it('has its target between two peers, and no lifeline of the kit', () => {
    const events = [mark(0, { run: {} }), event(1, {}, { to: 'tester' }), event(2, {}, { to: 'provider' })];
    expect(fitted(events).peers).toEqual(['tester', 'target', 'provider']);
  });

  it('has those that dial the target on its left, and those that it dials on its right, whoever came first', () => {
    const opened = (seq: number, from: string, to: string): TraceEvent =>
      event(seq, {}, { kind: 'open', from, to });
    const below = opened(0, 'target', 'provider');
    const above = [opened(1, 'client', 'target'), opened(2, 'operator', 'target')];
    expect(fitted([below, ...above]).peers).toEqual(['client', 'operator', 'target', 'provider']);
    // A target that dials all its peers has the first one on its left.
    const both = [opened(0, 'target', 'gateway'), opened(1, 'target', 'provider')];
    expect(fitted(both).peers).toEqual(['gateway', 'target', 'provider']);
  });

  it('shows the scenario of its faults first, or the one that was chosen', () => {
    const events = [
      mark(0, { scenario: 'a', begin: true }),
      event(1, {}),
      mark(2, { scenario: 'a', outcome: 'done' }),
      mark(3, { scenario: 'b', begin: true }),
      event(4, {}),
    ];
    const { scenarios, initial } = fitted(events, { faults: [4] });
    expect(scenarios).toEqual([
      { name: 'a', from: 0, to: 2, outcome: 'done' },
      { name: 'b', from: 3, to: 4, outcome: '' },
    ]);
    expect(initial).toBe('b');
    expect(fitted(events, { faults: [1, 4] }).initial).toBe('');
    expect(fitted(events, { faults: [4], scenario: 'a' }).initial).toBe('a');
    expect(fitted(events).initial).toBe('');
  });

  it('keeps the events near its faults when the room is small', () => {
    const events = Array.from({ length: 1000 }, (_, seq) => event(seq, { text: 'x'.repeat(100) }));
    const room = 20_000;
    const one = fitTrace({ key: 'k', events, faults: [fault(700)], scenario: undefined }, room);
    expect(one.json.length).toBeLessThanOrEqual(room);
    const seqs = (JSON.parse(one.json) as PageTrace).events.map(({ s }) => s);
    expect(seqs).toHaveLength(one.kept);
    expect(one.kept).toBeGreaterThan(50);
    expect(seqs).toContain(700);
    expect(Math.max(...seqs) - Math.min(...seqs)).toBe(seqs.length - 1);
  });

  it('cannot end the element that holds it', () => {
    const { json } = fitTrace(
      { key: 'k', events: [event(0, { '</script>': '<!--&\u2028' })], faults: [], scenario: undefined },
      1e6,
    );
    expect(json).not.toMatch(/[<>&\u2028]/u);
    expect((JSON.parse(json) as PageTrace).events[0]?.d).toEqual({ '</script>': '<!--&\u2028' });
  });
});
