/** Every simulated peer on the command line: its help, refused flags, and the form of its events. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEvent, parseHeader } from '../../src/kit/spec/index.ts';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { registry } from '../registry.ts';
import { program, scratch, simulated, wireproof } from '../run.test-helper.ts';

const { simulators } = registry;
const nameOf = (flags: string): string => flags.split(' ')[0] ?? '';
const own = simulators.map(({ flags }) => flags.map(({ flags: text }) => nameOf(text)));

describe.each(simulators.map((simulator, n) => [simulator.name, simulator, own[n] ?? []] as const))(
  'simulate %s',
  (name, { takes, flags }, ownFlags) => {
    it('shows its own flags and examples in its help, and no flag of another peer', async () => {
      const { code, stdout } = await wireproof(['simulate', name, '--help']);
      expect(code).toBe(0);
      for (const flag of [...ownFlags, '--record', ...takes.map((common) => `--${common}`)])
        expect(stdout).toContain(`  ${flag}`);
      for (const flag of own.flat().filter((other) => !ownFlags.includes(other) && other !== '--script'))
        expect(stdout).not.toContain(`  ${flag} `);
      expect(stdout).toContain(`wireproof simulate ${name}`);
      expect(flags.every(({ text }) => text !== '')).toBe(true);
    });

    it('refuses a flag of another peer in a sentence with its own name', async () => {
      const other = own
        .flat()
        .find((flag) => !ownFlags.includes(flag) && !takes.some((t) => `--${t}` === flag));
      const { code, stderr } = await wireproof(['simulate', name, other ?? '', 'x']);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`simulate ${name} does not take '${other}'`),
      ]);
    });
  },
);

it.each([
  [['nobody'], `'nobody' is not a peer; the peers are ${simulators.map(({ name }) => name).join(', ')}\n`],
  [['--quiet', 'llm'], "simulate needs a peer first, and '--quiet' is not a peer"],
  [
    ['fold/agent', '--', './my-gateway'],
    'simulate fold/agent does not start a program; leave out ./my-gateway',
  ],
  [['llm', '--no-rules'], "simulate llm does not take '--no-rules'"],
])('simulate %j is refused', async (args, sentence) => {
  const { code, stderr } = await wireproof(['simulate', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

it('lists its peers with one line each, and their examples', async () => {
  const { code, stdout } = await wireproof(['simulate', '--help']);
  expect(code).toBe(0);
  for (const { name } of simulators) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*$`, 'm'));
  for (const { name } of simulators) expect(stdout).toContain(`  wireproof simulate ${name}`);
});

describe('fold/agent meets fold/gateway', () => {
  it('both print and record the same form of events, and find no violation', async () => {
    const [seen, met] = [join(scratch, 'seen-agent.jsonl'), join(scratch, 'met-gateway.jsonl')];
    const orders = program('meet.txt', 'wait welcome 20s\nsend hello\nwait done\nshutdown that was all\n');
    const { gateway, port } = await simulated(['--json', '--script', orders, '--record', seen]);
    const at = ['--connect', `127.0.0.1:${port}`];
    const agent = await wireproof(['simulate', 'fold/agent', ...at, '--json', '--record', met]);
    const { code, stdout } = await gateway.ended;
    expect([code, agent.code]).toEqual([0, 0]);
    expect(agent.stderr).toContain('no violation was seen');
    for (const text of [stdout, agent.stdout]) {
      const lines = text.trimEnd().split('\n');
      lines.reduce<TraceEvent | undefined>((before, line) => parseEvent(line, 'stdout', before), undefined);
    }
    for (const [file, suite] of [
      [seen, 'fold/agent'],
      [met, 'fold/gateway'],
    ] as const) {
      const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
      expect(parseHeader(header, file)).toMatchObject({ suite, scenario: 'simulate' });
      lines.reduce<TraceEvent | undefined>((before, line) => parseEvent(line, file, before), undefined);
      expect(lines.join()).toContain('"text":"hello"');
    }
  });
});

describe('simulate fold/agent', () => {
  it('answers by its script, in clear words, and tells no secret', async () => {
    const answers = program(
      'answers.yaml',
      `answers:
  - match: weather
    do: [{ think: hm }, { usage: { input_tokens: 3 } }, { say: It rains. }]
  - do: [{ tool: { name: rm, approval: true, output: gone } }, { say: Done. }]
`,
    );
    const orders = program(
      'answers-orders.txt',
      'wait welcome 60s\nsend how is the weather\nwait done 60s\nsend tidy up\nwait tool_approval_request 60s\napprove\nwait done 60s\nshutdown\n',
    );
    process.env['FOLD_SECRET'] = 'a secret of this test';
    const { gateway, port } = await simulated(['--script', orders, '--jwt-secret-env', 'FOLD_SECRET']);
    const at = ['--connect', `127.0.0.1:${port}`, '--script', answers, '--jwt-secret-env', 'FOLD_SECRET'];
    const agent = await wireproof(['simulate', 'fold/agent', ...at]);
    const { code, stdout } = await gateway.ended;
    expect([code, agent.code]).toEqual([0, 0]);
    for (const text of ['It rains.', 'tool_approval_request', 'output gone', 'Done.'])
      expect(stdout).toContain(text);
    expect(agent.stdout + stdout).not.toMatch(/mcp_token|eyJ/);
  });

  it('refuses a wrong script with its place', async () => {
    const wrong = program('wrong-answers.yaml', 'answers:\n  - do: [{ shout: hello }]\n');
    const { code, stderr } = await wireproof(['simulate', 'fold/agent', '--script', wrong]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong-answers\.yaml:2:\d+.*shout/s);
  });
});
