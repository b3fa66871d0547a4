/**
 * Requests that are near the limit are measured first, where the host wants it: by the provider's own count (tokens.md:
 * "exact counts from the provider when it has them … else the estimate"), and by its fallback strategy.
 */
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../manager/estimate.ts';
import { SEND_MARGIN } from './send.ts';
import { Turn, big, history, names, sent } from './machine.test-helper.ts';

/** A budget of so many tokens, all of them for the conversation. */
const room = (tokens: number) => ({
  maxTokens: tokens + SEND_MARGIN,
  reserveTokens: 0,
  warningThreshold: 0.8,
});
const measures = (tokens: number): Turn => new Turn({ config: room(tokens), measures: true });
const [three, four] = [big(3).slice(0, -1), big(4).slice(0, -1)];
const size = estimateTokens(three);

describe('a request', () => {
  it('far from the limit is sent at once', () => {
    expect(names(measures(100_000).begin())).toEqual(['send']);
    expect(names(measures(Math.ceil(size / 0.8) + 1).begin(three))).toEqual(['send']);
  });

  it('from the threshold is measured first', () => {
    const limit = Math.floor(size / 0.8);
    expect(measures(limit).begin(three)).toEqual([{ do: 'measure', messages: three, size, limit }]);
  });

  it('is measured by no host that does not want it', () => {
    expect(names(new Turn({ config: room(size) }).begin(three))).toEqual(['send']);
  });

  it('that the provider counts as smaller is sent whole, though its estimate does not fit', () => {
    const turn = measures(size - 1);
    expect(names(turn.begin(three))).toEqual(['measure']);
    expect(turn.measured({ tokens: size - 1 })).toEqual([{ do: 'send', messages: three }]);
  });

  it('that the provider counts as larger is pruned, though its estimate fits', () => {
    const turn = measures(size);
    turn.begin(three);
    const actions = turn.measured({ tokens: size + 1 });
    expect(names(actions)).toEqual(['prune', 'send']);
    // By the same measure it fits now.
    expect((estimateTokens(sent(actions)) * (size + 1)) / size).toBeLessThanOrEqual(size);
  });

  it.each([undefined, 0, -5, Number.NaN, Infinity])('with the count %s keeps its estimate', (tokens) => {
    const turn = measures(size);
    turn.begin(three);
    const measured = tokens === undefined ? {} : { tokens };
    expect(turn.measured(measured)).toEqual([{ do: 'send', messages: three }]);
  });

  it('is measured once: not again at the next attempt', () => {
    const turn = measures(size);
    turn.begin(three);
    turn.measured();
    turn.fail({ kind: 'network' });
    expect(names(turn.wait())).toEqual(['send']);
  });

  it('that follows is measured by the corrected estimate', () => {
    const turn = measures(size * 2);
    expect(names(turn.begin(four))).toEqual(['send']);
    const dear = measures(size);
    dear.begin(three);
    dear.measured({ tokens: Math.floor(size / 4) });
    expect(dear.state.scale).toBeCloseTo(0.25, 1);
  });

  it('can be compacted though it fits', () => {
    const turn = measures(size);
    turn.begin(three);
    expect(names(turn.measured({ compacts: true }))[0]).toBe('compact');
    expect(turn.state.phase).toBe('sending');
  });

  it('can end the turn', () => {
    const turn = measures(size);
    turn.begin(three);
    expect(names(turn.measured({ stops: true }))).toEqual(['warn budget', 'stop budget']);
  });

  it('goes whole to a model with more room, and so do those behind it', () => {
    const turn = measures(size - 10);
    turn.begin(three);
    expect(turn.measured({ budget: room(100_000) })).toEqual([{ do: 'send', messages: three }]);
    expect(names(turn.respond('tool_use', { toolCalls: [{ id: 'a', name: 'write', input: {} }] }))).toEqual([
      'run_tools',
    ]);
    expect(names(turn.ran('a'))).toEqual(['send']);
  });

  it('is cancelled while it is measured', () => {
    const turn = measures(size);
    turn.begin(three);
    expect(names(turn.cancel())).toEqual(['stop cancelled']);
    expect(turn.state.messages).toEqual(three);
  });

  it('of a short conversation in a window without room is measured, and not sent', () => {
    const turn = measures(0);
    expect(names(turn.begin(history))).toEqual(['measure']);
    expect(names(turn.measured())).toEqual(['warn budget', 'stop budget']);
  });
});
