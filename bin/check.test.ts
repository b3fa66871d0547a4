/** `wireproof check` as a stranger runs it: verdicts, refusals, targets that misbehave. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { example, faulty, program, scratch, wireproof } from './run.test-helper.ts';

const quick = ['--timeout', 'handshake=1500ms', '--trace', 'off'];

async function report(args: readonly string[], target: readonly string[]): Promise<Report> {
  const { stdout } = await wireproof([
    'check',
    'fold/agent',
    '--report',
    'json',
    '--trace',
    'off',
    ...args,
    '--',
    ...target,
  ]);
  return JSON.parse(stdout) as Report;
}

/** The processes that still run with this text in their command line. */
function running(text: string): string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return list.filter((line) => line.includes(text) && !line.includes('ps -eo'));
}

describe('check fold/agent', () => {
  it('finds the example conformant, with at least 50 of 56 rows exercised', async () => {
    const { verdict, counts, scope } = await report([], ['node', example, '{address}']);
    expect({ verdict, failed: counts.fail }).toEqual({ verdict: 'conformant', failed: 0 });
    expect(scope.must.exercised).toBe(scope.must.applicable);
    expect(counts.pass).toBeGreaterThanOrEqual(50);
  });

  it.each([
    [
      'FOLD-A15',
      'late-text',
      'if (terminal) this.send(terminal);',
      "if (terminal) { this.send(terminal); const { request_id } = this; setTimeout(() => send({ response: { request_id, text: 'late' } }), 20); }",
    ],
    [
      'FOLD-A40',
      'double-ack',
      'send({ injection_ack: ack });',
      'send({ injection_ack: ack }); send({ injection_ack: ack });',
    ],
    [
      'FOLD-A27',
      'second-result',
      "request.send({ tool_result: { id: tool.id, output, is_error: state !== 'COMPLETED' } });",
      "for (const i of [1, 2]) request.send({ tool_result: { id: tool.id, output, is_error: state !== 'COMPLETED' } });",
    ],
    ['FOLD-A32', 'ungated', 'if (gate.approval && !request.approvesAll) {', 'if (false) {'],
    [
      'FOLD-A39',
      'running-totals',
      'usage: (request, usage) => request.send({ usage }),',
      'usage: (request, usage) => { request.sum ??= {}; for (const k in usage) request.sum[k] = (request.sum[k] ?? 0) + usage[k]; request.send({ usage: request.sum }); },',
    ],
  ])('names %s when the example has a planted fault: %s', async (id, name, from, to) => {
    const { verdict, requirements } = await report([], ['node', faulty(name, from, to), '{address}']);
    expect(verdict).toBe('not-conformant');
    const failed = requirements.filter((r) => r.verdict === 'fail' && r.level === 'MUST').map((r) => r.id);
    expect(failed).toEqual([id]);
    const row = requirements.find((r) => r.id === id);
    expect(row?.message).toMatch(/^expected .+; .+/);
    expect(row?.excerpt?.some((line) => line.startsWith('>'))).toBe(true);
    expect(row?.replay).toContain(`--only ${id}`);
  });

  it('gives an agent that only echoes an honest passive verdict', async () => {
    const echo = program(
      'echo.mjs',
      `import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
const proto = ${JSON.stringify(join(scratch, '../../../spec/fold/coven.proto'))};
const { CovenControl } = grpc.loadPackageDefinition(protoLoader.loadSync(proto, { keepCase: true })).coven;
function dial() {
  const call = new CovenControl(process.argv[2], grpc.credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }).AgentStream();
  call.on('error', () => {}).on('status', () => setTimeout(dial, 600));
  call.on('data', ({ send_message: m, shutdown }) => {
    if (shutdown) process.exit(0);
    if (m) for (const event of [{ text: m.content }, { done: { full_response: m.content } }]) call.write({ response: { request_id: m.request_id, ...event } });
  });
  call.write({ register: { agent_id: 'echo' } });
}
dial();`,
    );
    const ran = await wireproof([
      'check',
      'fold/agent',
      '--drive',
      'passive',
      '--trace',
      'off',
      '--',
      'node',
      echo,
      '{address}',
    ]);
    expect(ran.stdout).toContain('untestable in passive drive');
    expect(ran.stdout).toMatch(/^conformant: 12 of 12 applicable MUSTs exercised/m);
    expect(ran.code).toBe(0);
    const auto = await wireproof(['check', 'fold/agent', '--trace', 'off', '--', 'node', echo, '{address}']);
    expect(auto.code).toBe(4);
  });

  it('judges an agent that was refused, rather than call it absent', async () => {
    const ran = await wireproof([
      'check',
      'fold/agent',
      ...quick,
      '--',
      'node',
      faulty('empty-id', /let agent_id = .*/, "let agent_id = '';"),
      '{address}',
    ]);
    expect(ran.stdout).toContain('FAIL FOLD-A02');
    expect(ran.code).toBe(1);
  });
});

describe('what is printed', () => {
  it('has no colour where no terminal is, in CI neither', async () => {
    const ran = await wireproof(
      [
        'check',
        'fold/agent',
        '--scenario',
        'plain-message',
        '--trace',
        'off',
        '--',
        'node',
        example,
        '{address}',
      ],
      { env: { CI: 'true', NO_COLOR: '' } },
    );
    expect(ran.stdout).toContain('fold/agent');
    expect(ran.stdout + ran.stderr).not.toContain('\u001b');
  });
});

describe('without a suite before --', () => {
  it('takes the suite from the statement, and all after -- as the command', async () => {
    const statement = program('no-suite.yaml', 'suite: fold/agent\ntools: { quick: echo }\n');
    const args = ['check', '--statement', statement, '--scenario', 'plain-message', '--trace', 'off'];
    const ran = await wireproof([...args, '--', 'node', example, '{address}']);
    expect(ran.stdout).toContain('fold/agent revision');
    expect(ran.stderr).toMatch(/tools of the statement have no effect/);
  });

  it('says that a suite is wanted where there is no statement', async () => {
    const ran = await wireproof(['check', '--', 'node', example, '{address}']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/no suite: name one/)]);
  });
});

describe('a target that cannot be had', () => {
  it.each([
    [
      'exits at once',
      '#!/bin/sh\necho "no config" >&2\nexit 7\n',
      /exited with code 7 before it opened a stream; it printed:\n {4}no config/,
    ],
    [
      'never connects',
      '#!/bin/sh\nexec sleep 61\n',
      /nothing connected to 127\.0\.0\.1:\d+ in 1500 ms; the target must dial \{address\}/,
    ],
    ['ignores TERM', "#!/bin/sh\ntrap '' TERM\nwhile true; do sleep 0.2; done\n", /nothing connected/],
    ['leaves a grandchild', '#!/bin/sh\nsleep 62 &\nexit 0\n', /exited with code 0/],
  ])('%s: a sentence, exit 3, no orphan', async (name, text, sentence) => {
    const path = program(`${name.replaceAll(' ', '-')}.sh`, text);
    const ran = await wireproof(['check', 'fold/agent', ...quick, '--', path]);
    expect(ran.stderr).toMatch(sentence);
    expect(ran.code).toBe(3);
    expect([...running(path), ...running('sleep 61'), ...running('sleep 62')]).toEqual([]);
  });

  it('prints 100 MB: the end of it is shown, the rest dropped', async () => {
    const path = program(
      'loud.mjs',
      "const b = Buffer.alloc(1 << 20, 'x\\n'); let n = 0; (function w() { while (n++ < 100) if (!process.stdout.write(b)) return process.stdout.once('drain', w); process.exitCode = 1; })();",
    );
    const ran = await wireproof([
      'check',
      'fold/agent',
      ...quick,
      '--timeout',
      'handshake=20s',
      '--',
      'node',
      path,
    ]);
    expect(ran.stderr).toMatch(/earlier bytes not kept/);
    expect(ran.stderr.length).toBeLessThan(100_000);
    expect(ran.code).toBe(3);
  });

  it('sends garbage instead of HTTP/2', async () => {
    const path = program(
      'garbage.mjs',
      "import net from 'node:net'; const [h, p] = process.argv[2].split(':'); const s = net.connect(+p, h, () => s.write('GET / HTTP/1.1\\r\\n\\r\\n\\u001b[2J')); s.on('error', () => {}); setTimeout(() => {}, 60000);",
    );
    const ran = await wireproof(['check', 'fold/agent', ...quick, '--', 'node', path, '{address}']);
    expect(ran.stderr).toMatch(/something connected, and opened no gRPC stream/);
    expect(ran.code).toBe(3);
  });

  it('is not there, and a report is written all the same', async () => {
    const out = join(scratch, 'absent.json');
    const ran = await wireproof(['check', 'fold/agent', '--report', `json=${out}`, '--', './no-such-agent']);
    expect(ran.stderr).toMatch(/cannot start the target ".\/no-such-agent": no such file or command/);
    expect(ran.code).toBe(3);
    expect((JSON.parse(readFileSync(out, 'utf8')) as Report).verdict).toBe('error');
  });

  it('has its port taken by another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => void server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const ran = await wireproof(['check', 'fold/agent', '--listen', `127.0.0.1:${port}`]);
    server.close();
    expect(ran.stderr).toMatch(/the port is in use/);
    expect(ran.code).toBe(3);
  });
});

describe('a target that misbehaves on the wire', () => {
  it('dies in the middle: its requests are judged, exit 1', async () => {
    const path = faulty('dies', 'hold: (request) =>', 'hold: (request) => exit(3) ??');
    const ran = await wireproof(['check', 'fold/agent', ...quick, '--', 'node', path, '{address}']);
    expect(ran.stdout).toContain('FAIL FOLD-A14');
    expect(ran.code).toBe(1);
  });

  it('sends a message of 20 MiB: the size is named, and nothing else is blamed for the cut', async () => {
    const path = faulty(
      'oversize',
      'think: (request, thinking) => request.send({ thinking }),',
      "think: (request) => request.send({ thinking: 'x'.repeat(20 << 20) }),",
    );
    const { requirements } = await report(
      ['--scenario', 'thinking-and-text', '--timeout', 'step=2s'],
      ['node', path, '{address}'],
    );
    const failed = requirements.filter((r) => r.verdict === 'fail');
    expect(failed.map((r) => r.id)).toEqual(['FOLD-A22']);
    expect(failed[0]?.message).toMatch(/one of 209715\d\d came/);
  });

  it('sends bytes that are no message', async () => {
    const path = faulty(
      'undecodable',
      'protoLoader.loadSync(proto, decoding)',
      `((definition) => {
        const { AgentStream } = definition['coven.CovenControl'];
        const { requestSerialize } = AgentStream;
        AgentStream.requestSerialize = (m) => (m.response?.text === undefined ? requestSerialize(m) : Buffer.from([0x12]));
        return definition;
      })(protoLoader.loadSync(proto, decoding))`,
    );
    const { requirements } = await report(['--scenario', 'plain-message'], ['node', path, '{address}']);
    const failed = requirements.filter((r) => r.verdict === 'fail' && r.level === 'MUST');
    expect(failed.map((r) => r.id)).toEqual(['FOLD-A16']);
    expect(failed[0]?.message).toMatch(/bytes that are none/);
  });
});

describe('Ctrl-C', () => {
  it.each([300, 1500, 3500])('after %i ms: a partial report, exit 130, no orphan', async (interruptAfter) => {
    const ran = await wireproof(
      [
        'check',
        'fold/agent',
        '--report',
        'json',
        '--trace',
        'off',
        '--',
        'node',
        example,
        '{address}',
        `--mark-${interruptAfter}`,
      ],
      // A report is due once a target runs: how long that takes is the machine's business.
      {
        interruptAfter,
        ...(interruptAfter > 1000 ? { once: () => running(`--mark-${interruptAfter}`).length > 1 } : {}),
      },
    );
    expect(running(`--mark-${interruptAfter}`)).toEqual([]);
    expect(ran.code).toBe(130);
    if (interruptAfter > 1000) expect((JSON.parse(ran.stdout) as Report).interrupted).toBe(true);
  });
});
