/** What a turn does about responses and failures, case by case. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../kit/world/index.ts';
import { Turn, begun, big, broken, history, names, sent, whole } from './machine.test-helper.ts';
import type { ProviderFailure } from '../manager/retry.ts';

describe('a response that the limit cut', () => {
  it('is asked for again with a note to the model, when it lost a call (TOK-49)', () => {
    const turn = begun();
    const actions = turn.respond('max_tokens', { toolCalls: [whole, broken] });
    expect(names(actions)).toEqual(['warn exhausted', 'warn dropped', 'retry dropped']);
    expect(actions).toContainEqual({ do: 'warn', code: 'dropped', ids: ['b'] });
    const [, answer, note] = sent(turn.wait());
    expect(answer).toEqual({ role: 'assistant', content: 'Text.', toolCalls: [whole] });
    expect(note?.toolResults?.map(({ id, isError }) => [id, isError])).toEqual([['a', true]]);
    expect(note?.content).toContain('write');
  });

  it('is asked for again when the call is known as open alone', () => {
    const open = { id: 'b', name: 'write', partial: '{"pa' };
    const turn = begun();
    expect(names(turn.respond('max_tokens', { content: '', open }))).toEqual([
      'warn exhausted',
      'retry dropped',
    ]);
    expect(sent(turn.wait())).toHaveLength(3);
  });

  it('is asked for twice more in a turn, each time otherwise, and then no more (TOK-49)', () => {
    const turn = new Turn();
    const requests = [JSON.stringify(sent(turn.begin()))];
    for (let i = 0; i < 2; i++) {
      turn.respond('max_tokens', { content: '', toolCalls: [broken] });
      requests.push(JSON.stringify(sent(turn.wait())));
    }
    expect(new Set(requests).size).toBe(3);
    expect(names(turn.respond('max_tokens', { toolCalls: [broken] }))).toEqual([
      'warn exhausted',
      'warn dropped',
      'stop max_tokens',
    ]);
  });

  it('stays as text when it lost no call (TOK-13)', () => {
    const turn = begun();
    expect(names(turn.respond('max_tokens'))).toEqual(['warn exhausted', 'stop max_tokens']);
    expect(turn.state.messages.at(-1)).toEqual({ role: 'assistant', content: 'Text.' });
  });

  it.each(['tool_use', 'end_turn', 'stop_sequence'] as const)(
    'is known by its open call, although it says %s: nothing runs (LLM-C05)',
    (lie) => {
      const open = { id: 'a', name: 'write', partial: '{"path":"/a","te' };
      const actions = begun().respond(lie, { toolCalls: [whole], open });
      expect(names(actions)).toEqual(['warn exhausted', 'warn dropped', 'retry dropped']);
    },
  );

  it('never keeps an open call, whatever ended it (TOK-47)', () => {
    const open = { id: 'a', name: 'write', partial: '{' };
    const turn = begun();
    turn.respond('cancelled', { toolCalls: [whole], open });
    expect(turn.state.messages.at(-1)).toEqual({ role: 'assistant', content: 'Text.' });
  });
});

describe('a request that fails', () => {
  it('is tried ten times, after growing delays (TOK-43)', () => {
    const turn = begun();
    const delays: number[] = [];
    for (;;) {
      const [action] = turn.fail({ kind: 'http', status: 529 });
      if (action?.do !== 'retry') {
        expect(action).toEqual({ do: 'stop', code: 'failed' });
        break;
      }
      delays.push(action.delay);
      expect(turn.wait()).toEqual([{ do: 'send', messages: history }]);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('is counted anew after a response', () => {
    const turn = begun();
    for (let i = 0; i < 9; i++) {
      turn.fail({ kind: 'network' });
      turn.wait();
    }
    turn.respond('tool_use', { toolCalls: [whole] });
    turn.ran('a');
    expect(turn.fail({ kind: 'network' })).toEqual([{ do: 'retry', delay: 1000, code: 'network' }]);
  });

  it('is retried as late as the provider says (TOK-43)', () => {
    expect(begun().fail({ kind: 'http', status: 429, retryAfter: 7 })).toEqual([
      { do: 'retry', delay: 7, code: 'http' },
    ]);
  });

  it.each<[ProviderFailure, string]>([
    [{ kind: 'http', status: 401 }, 'failed'],
    [{ kind: 'stream' }, 'failed'],
    [{ kind: 'aborted' }, 'cancelled'],
  ])('is not tried again after %j (TOK-44)', (failure, code) => {
    expect(begun().fail(failure)).toEqual([{ do: 'stop', code }]);
  });

  it('has jitter from a seed, the same in each run', () => {
    const delay = (): number => {
      const [action] = begun({ random: () => seededRandom('7') }).fail({ kind: 'network' });
      return action?.do === 'retry' ? action.delay : Number.NaN;
    };
    expect(delay()).not.toBe(1000);
    expect(delay()).toBe(delay());
  });
});

describe('an overflow', () => {
  it('is compacted and sent again, twice at most in a turn (TOK-45)', () => {
    const turn = begun({}, big(6));
    expect(names(turn.fail({ kind: 'overflow' }))).toEqual(['compact', 'send']);
    expect(names(turn.fail({ kind: 'overflow' }))).toEqual(['compact', 'send']);
    expect(names(turn.fail({ kind: 'overflow' }))).toEqual(['stop overflow']);
  });

  it('may come as a stop reason: the cut answer is left out', () => {
    const turn = begun({}, big(6));
    const actions = turn.respond('context_window', { content: 'half an ans', toolCalls: [broken] });
    expect(names(actions)).toEqual(['compact', 'send']);
    expect(JSON.stringify(sent(actions))).not.toContain('half an ans');
  });

  it('ends the turn when nothing can be taken away', () => {
    expect(begun().fail({ kind: 'overflow' })).toEqual([{ do: 'stop', code: 'overflow' }]);
    expect(begun().respond('context_window')).toEqual([{ do: 'stop', code: 'context_window' }]);
  });
});
