/** The client's decoder of calls in a Responses stream, written by hand (LLM-C01 to C05, C16, C17, C20). */
import { describe, expect, it } from 'vitest';
import { allOf, begun, completed, done, eventsOf, incomplete, more, read } from './events.test-helper.ts';

describe('calls', () => {
  it('are complete when their item is done, and are distinguished with any interleaving (LLM-C17)', () => {
    const { response } = read(
      begun(0),
      begun(1),
      more(1, '{"y"'),
      more(0, '{"x":'),
      more(1, ':2}'),
      more(0, '1}'),
      done(0, '{"x":1}'),
      done(1, '{"y":2}'),
      completed,
    );
    expect(response.toolCalls).toEqual([
      { id: 'call_0', name: 'get', input: { x: 1 } },
      { id: 'call_1', name: 'get', input: { y: 2 } },
    ]);
    expect(response.metadata.stopReason).toBe('tool_use');
  });

  it('are shown as they come', () => {
    expect(eventsOf(begun(0), more(0, '{'), more(0, '}'), done(0, '{}'), completed)).toEqual([
      { type: 'tool_start', id: 'call_0', name: 'get' },
      { type: 'tool_input', id: 'call_0', partial: '{' },
      { type: 'tool_input', id: 'call_0', partial: '}' },
      { type: 'tool_call', id: 'call_0', name: 'get', input: {} },
      { type: 'stop', reason: 'tool_use' },
    ]);
  });

  it('that never came in pieces are read from their done event or item', () => {
    for (const events of [
      [begun(0), allOf(0, '{"x":1}'), done(0, '{"x":1}')],
      [begun(0), done(0, '{"x":1}')],
      [done(0, '{"x":1}')],
    ])
      expect(read(...events, completed).response.toolCalls).toEqual([
        { id: 'call_0', name: 'get', input: { x: 1 } },
      ]);
  });

  it.each(['incomplete', 'in_progress'])(
    'that are done as %s are open and never run, at any cut (LLM-C01, LLM-C04)',
    (status) => {
      for (const args of ['', '{"x', '{"x":1', '{"x":1}']) {
        const { response } = read(
          begun(0),
          done(0, '{}'),
          begun(1),
          more(1, args),
          allOf(1, args),
          done(1, args, status),
          incomplete('max_output_tokens'),
        );
        expect(response.metadata.stopReason).toBe('max_tokens');
        expect(response.toolCalls).toEqual([{ id: 'call_0', name: 'get', input: {} }]);
        expect(response.open).toEqual({ id: 'call_1', name: 'get', partial: args });
      }
    },
  );

  it('whose items were never done are open', () => {
    const { response } = read(begun(0), more(0, '{"x":1}'), incomplete('max_output_tokens'));
    expect(response.toolCalls).toEqual([]);
    expect(response.open).toEqual({ id: 'call_0', name: 'get', partial: '{"x":1}' });
  });

  it('with broken arguments never run, though the server says completed (LLM-C05)', () => {
    const { response } = read(begun(0), more(0, '{"x'), done(0, '{"x'), completed);
    expect(response.toolCalls).toEqual([]);
    expect(response.open?.partial).toBe('{"x');
    expect(response.warnings).toEqual([expect.stringContaining('is refused')]);
  });

  it('whose arguments differ from their pieces never run', () => {
    for (const events of [
      [allOf(0, '{"x":2}'), done(0, '{"x":1}')],
      [allOf(0, '{"x":1}'), done(0, '{"x":2}')],
    ]) {
      const { response } = read(begun(0), more(0, '{"x":1}'), ...events, completed);
      expect(response.toolCalls).toEqual([]);
      expect(response.warnings).toEqual([expect.stringContaining('came in pieces')]);
    }
  });

  it.each(['[1]', '"x"', 'null', '{"id":9007199254740993}'])(
    'with the arguments %s never run (LLM-C16, LLM-C20)',
    (args) => {
      const { response } = read(begun(0), more(0, args), done(0, args), completed);
      expect(response.toolCalls).toEqual([]);
      expect(response.warnings).toHaveLength(1);
    },
  );
});
