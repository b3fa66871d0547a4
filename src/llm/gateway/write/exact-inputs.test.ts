/** RFC 8259, 6: an integer beyond 2^53 keeps its digits, also where the arguments of a call are an object (LLM-G07). */
import { expect, test } from 'vitest';
import { exactText } from '../../../kit/base/index.ts';
import type { GatewayDialect } from '../dialects.ts';
import { AnswerWriter } from './answer-writer.ts';
import { withExactInputs } from './exact-inputs.ts';

const text = '{"id":9007199254740993,"most":18446744073709551615,"n":1}';

function bodyOf(dialect: GatewayDialect): string {
  const writer = new AnswerWriter({
    ...{ dialect, model: 'm', stream: false, includeUsage: true, now: 0 },
    id: (prefix) => `${prefix}1`,
  });
  writer.take({ do: 'start' });
  for (const [call, name] of ['first', 'second'].entries()) {
    writer.take({ do: 'call', call, id: `call_${call}`, name });
    writer.take({ do: 'arguments', call, text: call === 0 ? '{"n":2}' : text });
    writer.take({ do: 'call_end', call });
  }
  writer.take({ do: 'stop', reason: 'tool_use', word: 'tool_calls' });
  writer.take({ do: 'terminal' });
  return exactText(writer.whole().body);
}

test.each<GatewayDialect>(['anthropic', 'ollama'])(
  '%s: a body has all digits of the arguments',
  (dialect) => {
    const body = bodyOf(dialect);
    expect(body).toContain(text);
    expect(body).toContain('{"n":2}');
  },
);

test('a call that was cut keeps its object, and other bodies stay the same', () => {
  const cut = {
    content: [
      { type: 'text', text: '' },
      { type: 'tool_use', input: {} },
    ],
  };
  expect(withExactInputs('anthropic', cut, ['{"id":9007199254740993,"na'])).toEqual(cut);
  const body = { choices: [] };
  expect(withExactInputs('openai-chat', body, [text])).toBe(body);
});
