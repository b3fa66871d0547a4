/** What the rules look at, and what they are told is out of the ordinary. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge, exercised, rule } from '../../../src/kit/judge/index.ts';
import { extraTopicsOf, agentJudging } from './topics.ts';
import { look, startView, stepView } from './view.ts';
import type { FoldView } from './view.ts';

/** A trace as it comes in, an event a millisecond. */
class Wire {
  readonly view: FoldView = startView();
  #seq = 0;

  event(from: 'target' | 'gateway', data: JsonObject, more: Partial<TraceEvent> = {}): TraceEvent {
    const seq = this.#seq++;
    const to = from === 'target' ? 'gateway' : 'target';
    return { seq, at: seq, wire: 'fold', conn: 'c', stream: 's', from, to, kind: 'message', data, ...more };
  }

  /** What is out of the ordinary about something the target says, which then comes to pass. */
  says(data: JsonObject, more: Partial<TraceEvent> = {}): string {
    const event = this.event('target', data, more);
    look(this.view, event);
    const aside = extraTopicsOf(event, this.view);
    stepView(this.view, event);
    return aside;
  }

  gateway(data: JsonObject, more: Partial<TraceEvent> = {}): void {
    const event = this.event('gateway', data, more);
    look(this.view, event);
    expect(extraTopicsOf(event, this.view)).toBe('');
    stepView(this.view, event);
  }

  /** A stream that is ready, with requests. */
  static ready(...requests: string[]): Wire {
    const wire = new Wire();
    wire.says({}, { kind: 'open' });
    wire.says({ register: { agent_id: 'a' } });
    wire.gateway({ welcome: { agent_id: 'a' } });
    for (const request_id of requests) wire.gateway({ send_message: { request_id } });
    return wire;
  }
}

const text = (request_id: string): JsonObject => ({ response: { request_id, text: 'x' } });

describe('an extra topic', () => {
  it('does not exist for a ready agent with an open request, or for messages besides requests', () => {
    const wire = Wire.ready('r');
    expect(wire.says(text('r'))).toBe('');
    expect(wire.says({ heartbeat: {} })).toBe('');
    expect(wire.says({ response: { request_id: 'r', done: {} } })).toBe('');
    expect(wire.says({}, { kind: 'half_close' })).toBe('');
  });

  it('marks messages before Welcome: unready', () => {
    const wire = new Wire();
    expect(wire.says({ heartbeat: {} })).toBe('unready');
    wire.says({}, { kind: 'open' });
    expect(wire.says({ heartbeat: {} })).toBe('unready');
    expect(wire.says({}, { kind: 'undecodable' })).toBe('unready');
    expect(wire.says({ register: { agent_id: 'a' } })).toBe('unready');
    expect(wire.says(text('r'))).toBe('unready stray');
    wire.gateway({ welcome: { agent_id: 'a' } });
    expect(wire.says({ heartbeat: {} })).toBe('');
  });

  it('marks a response without an open request: stray', () => {
    const wire = Wire.ready('r', 's');
    expect(wire.says(text('other'))).toBe('stray');
    expect(wire.says({ response: { text: 'x' } })).toBe('stray');
    wire.says({ response: { request_id: 'r', done: {} } });
    expect(wire.says(text('r'))).toBe('stray');
    expect(wire.says(text('s'))).toBe('');
  });

  it('marks a response to a request with a cancel or a decision, until it ends: steered', () => {
    const wire = Wire.ready('r', 's');
    wire.gateway({ cancel_request: { request_id: 'r' } });
    expect([wire.says(text('r')), wire.says(text('s'))]).toEqual(['steered', '']);
    expect(wire.says({ response: { request_id: 'r', cancelled: {} } })).toBe('steered');
    expect(wire.says(text('r'))).toBe('stray');
    wire.says({ response: { request_id: 's', tool_use: { id: 't' } } });
    wire.says({ response: { request_id: 's', tool_approval_request: { id: 't' } } });
    wire.gateway({ tool_approval: { id: 't', approved: true } });
    expect(wire.says(text('s'))).toBe('steered');
  });

  it('marks long messages: large', () => {
    const wire = Wire.ready('r');
    expect(wire.says(text('r'), { size: 70_000 })).toBe('large');
    expect(wire.says({}, { kind: 'undecodable', size: 5 << 20 })).toBe('large');
    expect(wire.says(text('other'), { size: 70_000 })).toBe('stray large');
  });

  it('reaches rules under its own name, once, besides the topic of the event', () => {
    const heard: string[] = [];
    const hears = (requirement: string, ...listens: string[]): ReturnType<typeof rule<null, FoldView>> =>
      rule({
        requirement,
        listens,
        start: () => null,
        step: (_, event) => {
          heard.push(`${requirement} ${event.seq}`);
          return exercised(event);
        },
      });
    const rules = [
      hears('A', 'stray'),
      hears('B', 'response.text', 'stray'),
      hears('C', 'response'),
      hears('D', 'unready'),
    ];
    const judge = new Judge({ rules, ...agentJudging });
    const wire = new Wire();
    judge.step(wire.event('target', {}, { kind: 'open' }));
    judge.step(wire.event('target', { register: { agent_id: 'a' } }));
    judge.step(wire.event('gateway', { welcome: {} }));
    judge.step(wire.event('target', text('none')));
    expect(heard).toEqual(['D 1', 'A 3', 'B 3', 'C 3']);
  });
});

describe('a stream', () => {
  it('that has ended is evicted among many, the oldest first; an open stream never is', () => {
    const wire = new Wire();
    const stream = (n: number): string => `s${n}`;
    for (let n = 0; n < 2000; n++) {
      wire.says({}, { kind: 'open', stream: stream(n) });
      if (n > 0) wire.gateway({ code: 0 }, { kind: 'end', stream: stream(n) });
    }
    const { streams } = wire.view;
    expect(streams.size).toBeGreaterThan(64);
    expect(streams.size).toBeLessThan(100);
    expect(['s0', 's1', 's1999'].map((id) => streams.get(id) !== undefined)).toEqual([true, false, true]);
  });

  it('with an earlier name is a new stream', () => {
    const wire = Wire.ready('r');
    expect(wire.says(text('r'))).toBe('');
    wire.gateway({ code: 0 }, { kind: 'end' });
    wire.says({}, { kind: 'open' });
    expect(wire.says(text('r'))).toBe('unready stray');
  });
});
