/** The Python gateway is conformant, and is blamed for faults of gateways in use, judged by the built command. */
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

/** The gateway with a fault: Python that changes its modules before it serves. */
const faulty = (fault: string): string =>
  `import sys
sys.path.insert(0, ${JSON.stringify(example(''))})
import llm_gateway as gateway, llm_gateway_dialects as dialects
${fault}
gateway.main()`;

const serves = ['--drive', 'openai-chat', '--provider', 'anthropic'];
const faults: readonly (readonly [row: string, title: string, code: string])[] = [
  [
    'LLM-G05',
    'puts all calls into the first one',
    'add = dialects.Answer.call\ndialects.Answer.call = lambda self, index, *made, **more: add(self, 0, *made, **more)',
  ],
  ['LLM-G11', 'takes the limit for a stop', "dialects.TO_CHAT['max_tokens'] = 'stop'"],
  [
    'LLM-G19',
    'leaves the cache out',
    'count = dialects.ChatWriter.usage\ndialects.ChatWriter.usage = lambda self, use: count(self, dict(use, read=0, write=0))',
  ],
  [
    'LLM-G25',
    'takes the end of the bytes for the end of the answer',
    'dialects.Answer.over = property(lambda self: True, lambda self, value: None)',
  ],
  ['LLM-G36', 'goes on when its client has left', 'gateway.Gateway.watch = lambda *of: None'],
];

describe('llm_gateway.py', () => {
  it('is conformant on both of its pairs', async (context) => {
    if (path === undefined) return context.skip(why);
    const { failed, code } = await checked(['llm/gateway', '--statement', example('llm_gateway.yaml')], []);
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
  });

  it.for(faults)('fails %s when it %s', async ([row, , code], context) => {
    if (path === undefined) return context.skip(why);
    const found = await checked(
      ['llm/gateway', ...serves, '--only', row],
      [path, '-c', faulty(code), '{port}', '{llm_url}'],
    );
    expect({ code: found.code, failed: found.failed }).toEqual({ code: 1, failed: [row] });
  });
});
