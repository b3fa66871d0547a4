/** The turn from its beginning to its end, and its budget. */
import { describe, expect, it } from 'vitest';
import { Turn, begun, big, history, names, sent, whole } from './machine.test-helper.ts';

describe('a turn', () => {
  it('sends the conversation, and stops with the reason of the answer', () => {
    const turn = new Turn();
    expect(turn.begin()).toEqual([{ do: 'send', messages: history }]);
    expect(turn.respond('end_turn')).toEqual([{ do: 'stop', code: 'end_turn' }]);
    expect(turn.state.messages).toEqual([...history, { role: 'assistant', content: 'Text.' }]);
  });

  it('runs tools on tool_use, and sends their results', () => {
    const turn = begun();
    expect(turn.respond('tool_use', { toolCalls: [whole] })).toEqual([{ do: 'run_tools', calls: [whole] }]);
    expect(sent(turn.ran('a'))).toEqual([
      ...history,
      { role: 'assistant', content: 'Text.', toolCalls: [whole] },
      { role: 'user', content: '', toolResults: [{ id: 'a', content: 'result of a', isError: false }] },
    ]);
  });

  it('answers calls whose tools gave nothing as cancelled', () => {
    const turn = begun();
    turn.respond('tool_use', { toolCalls: [whole, { ...whole, id: 'z' }] });
    const [, , results] = sent(turn.ran('a'));
    expect(results?.toolResults?.map(({ id, isError }) => [id, isError])).toEqual([
      ['a', false],
      ['z', true],
    ]);
  });

  it('never runs a call whose arguments are no object (LLM-C16)', () => {
    const turn = begun();
    const odd = { ...whole, id: 'z', input: [1] };
    expect(turn.respond('tool_use', { toolCalls: [odd, whole] })).toEqual([
      { do: 'run_tools', calls: [whole] },
    ]);
    const alone = begun().respond('tool_use', { toolCalls: [odd] });
    expect(names(alone)).toEqual(['send']);
    expect(sent(alone).at(-1)?.toolResults).toEqual([
      { id: 'z', content: 'The arguments must be a JSON object; the tool did not run.', isError: true },
    ]);
  });

  it.each([
    'end_turn',
    'stop_sequence',
    'refusal',
    'content_filter',
    'pause_turn',
    'cancelled',
    'error',
  ] as const)('runs nothing on %s, and answers pending calls as cancelled (TOK-14)', (reason) => {
    const turn = begun();
    expect(turn.respond(reason, { toolCalls: [whole] })).toEqual([{ do: 'stop', code: reason }]);
    expect(turn.state.messages.at(-1)?.toolResults).toEqual([
      { id: 'a', content: 'Cancelled: the tool did not run.', isError: true },
    ]);
  });

  it('warns of a stop reason that nobody knows (TOK-40)', () => {
    expect(names(begun().respond('unknown'))).toEqual(['warn unknown-stop-reason', 'stop unknown']);
  });

  it('sends nothing when there is nothing to send', () => {
    expect(new Turn().begin([])).toEqual([{ do: 'stop', code: 'error' }]);
    expect(new Turn().begin([{ role: 'system', content: 's' }])).toEqual([{ do: 'stop', code: 'error' }]);
  });

  it('can be cancelled at any time, also while tools run', () => {
    const turn = begun();
    turn.respond('tool_use', { toolCalls: [whole] });
    expect(turn.cancel()).toEqual([{ do: 'stop', code: 'cancelled' }]);
    expect(turn.state.messages.at(-1)?.toolResults?.[0]?.isError).toBe(true);
  });
});

describe('the budget of a turn', () => {
  const usage = (inputTokens: number) =>
    ({ metadata: { stopReason: 'tool_use', usage: { inputTokens, outputTokens: 0 } } }) as const;
  const config = { maxTokens: 10_000, reserveTokens: 0, warningThreshold: 0.8 };

  it('sends when estimate + 200 fits, and else nothing (TOK-24)', () => {
    // 'Write it.' is estimated at 13 tokens.
    expect(names(new Turn({ config: { ...config, maxTokens: 213 } }).begin())).toEqual(['send']);
    expect(names(new Turn({ config: { ...config, maxTokens: 212 } }).begin())).toEqual([
      'warn budget',
      'stop budget',
    ]);
  });

  it('prunes what is old first, and sends what then fits', () => {
    const messages = big(6);
    const actions = new Turn({ config: { ...config, maxTokens: 2500 } }).begin(messages);
    expect(names(actions)).toEqual(['prune', 'send']);
    expect(sent(actions).slice(-4)).toEqual(messages.slice(-4));
  });

  it('warns of what is used (TOK-23)', () => {
    const actions = begun({ config }).respond('tool_use', { toolCalls: [whole], ...usage(8000) });
    expect(actions[0]).toEqual({ do: 'warn', code: 'near-limit', percent: 80 });
    const scarce = begun({ config }).respond('tool_use', { toolCalls: [whole], ...usage(9960) });
    expect(scarce[0]).toEqual({ do: 'warn', code: 'scarce' });
  });

  it('compacts when pruning is advised, once in 60 s, from one turn to the next (TOK-33)', () => {
    const options = { config: { ...config, maxTokens: 100_000 }, used: 85_000 };
    const namesAt = (compactedAt: number | undefined): readonly string[] => {
      const turn = new Turn({ ...options, ...(compactedAt === undefined ? {} : { compactedAt }) });
      turn.now = 70_000;
      return names(turn.begin(big(6)));
    };
    expect(namesAt(undefined)).toEqual(['compact', 'send']);
    expect(namesAt(10_000)).toEqual(['compact', 'send']);
    expect(namesAt(10_001)).toEqual(['send']);
    expect(names(new Turn({ ...options, used: 80_000 }).begin(big(6)))).toEqual(['send']);
  });

  it('keeps all that the user said when it compacts because of that', () => {
    const turn = begun({ config: { ...config, maxTokens: 100_000 }, used: 85_000 }, big(6));
    for (const { role, content } of big(6))
      if (role === 'user') expect(JSON.stringify(turn.state.messages)).toContain(content);
  });

  it('goes on when there is nothing to compact (TOK-33)', () => {
    const turn = begun({ config: { ...config, maxTokens: 100_000 } });
    turn.respond('tool_use', { toolCalls: [whole], ...usage(85_000) });
    expect(names(turn.ran('a'))).toEqual(['send']);
  });
});
