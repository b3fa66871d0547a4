/** The Python gateway is conformant, and is blamed for faults of gateways in use, judged by the built command. */
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

/** The gateway with a fault: Python that changes its module before it serves. */
const faulty = (fault: string): string =>
  `import sys
sys.path.insert(0, ${JSON.stringify(example(''))})
import llm_gateway as gateway
${fault}
gateway.main()`;

const serves = ['--drive', 'openai-chat', '--provider', 'anthropic'];
const faults: readonly (readonly [row: string, title: string, code: string])[] = [
  [
    'LLM-G05',
    'puts all calls into the first one',
    'add = gateway.Answer.call\ngateway.Answer.call = lambda self, index, *made, **more: add(self, 0, *made, **more)',
  ],
  ['LLM-G11', 'takes the limit for a stop', "gateway.TO_CHAT['max_tokens'] = 'stop'"],
  [
    'LLM-G19',
    'leaves the cache out',
    'count = gateway.chat_usage\ngateway.chat_usage = lambda usage: count({**usage, **{name: 0 for name in usage if "cache" in name}})',
  ],
  [
    'LLM-G25',
    'takes the end of the bytes for the end of the answer',
    'events = gateway.read_events\ngateway.read_events = lambda of: gateway.itertools.chain(events(of), ["[DONE]"])',
  ],
  ['LLM-G36', 'goes on when its client has left', 'gateway.Gateway.watch = lambda *of: None'],
];

describe('llm_gateway.py', () => {
  it('is conformant on both of its pairs', async (context) => {
    if (path === undefined) return context.skip(why);
    const stated = ['llm/gateway', '--statement', example('llm_gateway.yaml')];
    const { failed, code } = await checked(stated, []);
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
