/** The reports of a gateway with a fault on one of its pairs: the verdict of each pair, and both messages of the violation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { program, scratch, wireproof } from '../run.test-helper.ts';

/** A pipe in front of the provider, which calls the limit of Anthropic's answers an end. */
const pipe = program(
  'faulty-pipe.mjs',
  `import { createServer, request } from 'node:http';
const [port, to] = process.argv.slice(2);
createServer((req, res) => {
  const below = request(to + req.url, { method: req.method, headers: req.headers }, (from) => {
    const { 'content-length': _, ...headers } = from.headers;
    res.writeHead(from.statusCode, headers);
    from.setEncoding('utf8');
    from.on('data', (text) => res.write(text.replaceAll('"max_tokens"', '"end_turn"')));
    from.on('end', () => res.end());
  });
  req.pipe(below);
}).listen(Number(port), '127.0.0.1');
`,
);

const key = 'sk-client-canary-0123456789abcdef';

const statement = program(
  'faulty-pipe.yaml',
  `suite: llm/gateway
target: { command: [${process.execPath}, ${pipe}, '{port}', '{llm_url}'] }
routes:
  - { client: anthropic, provider: anthropic, headers: { x-api-key: ${key} } }
  - { client: openai-chat, provider: openai-chat, headers: { authorization: Bearer ${key} } }
`,
);

const formats = ['json', 'console', 'markdown', 'junit', 'html', 'ctrf'] as const;
const fileOf = (format: string): string => join(scratch, `faulty-pipe.${format}`);
const reports = new Map<string, string>();

beforeAll(async () => {
  const flags = formats.flatMap((format) => ['--report', `${format}=${fileOf(format)}`]);
  const scenarios = ['anthropic-over-anthropic', 'openai-chat-over-openai-chat'].flatMap((pair) => [
    ...['--scenario', `${pair}-cut-text`],
  ]);
  const only = ['--only', 'LLM-G02', '--only', 'LLM-G11', '--trace-dir', join(scratch, 'faulty-pipe')];
  const { code, stderr } = await wireproof([
    ...['check', 'llm/gateway', '--statement', statement, ...only, ...scenarios, ...flags],
  ]);
  expect({ code, stderr }).toMatchObject({ code: 1 });
  for (const format of formats) reports.set(format, readFileSync(fileOf(format), 'utf8'));
}, 60_000);

const textOf = (format: (typeof formats)[number]): string => reports.get(format) ?? '';

describe('the reports of a gateway that loses a limit on one of its pairs', () => {
  it('have the verdict of each pair, and both messages as members', () => {
    const { grid, requirements } = JSON.parse(textOf('json')) as Report;
    expect(grid?.cells).toMatchObject([
      { row: 'anthropic', column: 'anthropic', verdict: 'fail', failed: ['LLM-G11'] },
      { row: 'openai-chat', column: 'openai-chat', verdict: 'pass', failed: [], missing: [] },
    ]);
    const { comparison } = requirements.find(({ id }) => id === 'LLM-G11') ?? {};
    // The cell of spec/llm/translation/ends.yaml.
    expect(comparison).toMatchObject({
      field: 'end',
      from: 'below',
      below: { label: 'provider (anthropic) said', parts: { end: 'max_tokens' } },
      above: { label: 'client (anthropic) heard', parts: { end: 'end_turn' } },
      due: ['max_tokens'],
      source: expect.stringContaining('stop_reason max_tokens'),
    });
  });

  it('show both in each format for people', () => {
    expect(textOf('console')).toMatch(
      /end: provider \(anthropic\) said +max_tokens\n +client \(anthropic\) heard +end_turn\n/,
    );
    expect(textOf('console')).toMatch(/\nanthropic +✗ 1 failed +–\nopenai-chat +– +✓ pass\n/);
    expect(textOf('markdown')).toContain(
      '| anthropic | ✗ 1 failed<br>LLM-G11 | – |\n| openai-chat | – | ✓ pass |',
    );
    expect(textOf('junit')).toContain('&#62; end: max_tokens | end_turn');
    expect(textOf('ctrf')).toContain('> end: max_tokens | end_turn');
    expect(textOf('html')).toContain('<code>max_tokens</code></td><td><code>end_turn</code>');
  });

  it('say what the page about gateways shows', () => {
    const page = readFileSync(join(packageRoot(), 'spec/llm/README.md'), 'utf8');
    const [, sample = ''] = /the report says:\n\n```\n([^]*?)\n```/.exec(page) ?? [];
    const [message = '', pairs = ''] = sample.split('\n\n');
    expect(textOf('console')).toContain(`\n${message}\n`);
    expect(textOf('console')).toContain(`\n\n${pairs}\n`);
  });

  it('draw the client on the left of the gateway, and the provider on its right', () => {
    expect(textOf('html')).toContain('"peers":["client","target","provider"]');
    expect(textOf('html')).toContain('data-role="gateway"');
  });

  it('have no key of the client', () => {
    for (const format of formats) expect(textOf(format)).not.toContain(key);
  });
});
