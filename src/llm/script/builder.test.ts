/** Scripts written in code equal the same scripts written as documents. */
import { describe, expect, it } from 'vitest';
import { WireproofError } from '../../kit/base/index.ts';
import { script } from './builder.ts';
import { checkScript } from './check.ts';

describe('a script in code', () => {
  it('equals the script of its YAML', () => {
    const built = script({ title: 'All of it', model: 'm', tokenizer: { units: 3 } })
      .match({ toolResult: 'a', contains: 'b' })
      .times(2)
      .thinking('hm', { signature: 's' })
      .text('Hello', { fill: { text: 'x', bytes: 9 } })
      .barrier('in', { char: 2 })
      .toolCall('write', { title: 'x', n: 12 }, { id: 'c' })
      .cutAt({ json: 'inside-string', nth: 1 })
      .rawToolCall('write', '{"title"')
      .barrier('b')
      .wait('200ms')
      .ping()
      .comment('c')
      .usage({ input: 3, cacheRead: 1 })
      .with({ chunk: 'char', delay: '5ms', signal: 'lying', variants: { blockStop: false } })
      .turn()
      .error({ type: 'overloaded', message: 'busy', status: 529, retryAfter: '2s', shouldRetry: true })
      .turn()
      .text('x')
      .stop('stop_sequence', 'END')
      .build();
    const document = {
      title: 'All of it',
      model: 'm',
      tokenizer: { units: 3 },
      turns: [
        {
          match: { tool_result: 'a', contains: 'b' },
          times: 2,
          steps: [
            { thinking: { text: 'hm', signature: 's' } },
            { text: { text: 'Hello', fill: { text: 'x', bytes: 9 } } },
            { barrier: { name: 'in', at: { char: 2 } } },
            { tool_call: { id: 'c', name: 'write', input: { title: 'x', n: 12 } } },
            { tool_call: { name: 'write', arguments: '{"title"' } },
            { barrier: 'b' },
            { wait: '200ms' },
            { ping: true },
            { comment: 'c' },
            { usage: { input: 3, cache_read: 1 } },
          ],
          cut: { step: 2, at: { json: 'inside-string', nth: 1 } },
          chunk: 'char',
          delay: '5ms',
          signal: 'lying',
          variants: { block_stop: false },
        },
        {
          steps: [
            {
              error: {
                type: 'overloaded',
                message: 'busy',
                status: 529,
                retry_after: '2s',
                should_retry: true,
              },
            },
          ],
        },
        { steps: [{ text: 'x' }, { stop: { reason: 'stop_sequence', sequence: 'END' } }] },
      ],
    };
    expect(checkScript(document)).toEqual({ ok: true, value: built });
  });

  it('is refused like its document', () => {
    const wrong = script().text('abc').cutAt({ char: 9 });
    expect(() => wrong.build()).toThrow(WireproofError);
    expect(() => wrong.build()).toThrow('turns[0].cut.at: expected at most character 3');
    expect(() => script().build()).toThrow('turns[0].steps');
  });
});
