/** Gateways as a stranger checks and simulates them: both drivers, credentials, faults, refusals, scripts. */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { freePort } from '../src/kit/transport/index.ts';
import { sshSigner } from '../src/fold/edge/auth/ssh-signer.ts';
import { ended, example, program, scratch, simulated, wireproof } from './run.test-helper.ts';

const command = join(packageRoot(), 'dist/bin/wireproof.cjs');
const gateway = [
  process.execPath,
  command,
  ...['simulate', 'fold/gateway', '--quiet'],
  ...['--listen', '{listen}', '--http', '127.0.0.1:{http_port}'],
];

/** Fast enough for a test: the gateway's own timers, and the times the kit goes by. */
const quickGateway = [...gateway, '--timeout', 'cancel=1s'];
const quickKit = ['--timeout', 'cancel=1s', '--timeout', 'ack=500ms', '--timeout', 'prompt=1s'];

async function report(
  args: readonly string[],
  target: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Report> {
  const { stdout, stderr } = await wireproof(
    [
      'check',
      'fold/gateway',
      '--json',
      '--trace',
      'off',
      ...quickKit,
      ...args,
      ...(target.length > 0 ? ['--', ...target] : []),
    ],
    { env },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

const verdictsOf = (of: Report): { readonly [id: string]: string } =>
  Object.fromEntries(of.requirements.map(({ id, verdict }) => [id, verdict]));
const failed = (of: Report): string[] =>
  of.requirements.flatMap(({ id, verdict, message }) =>
    verdict === 'fail' ? [`${id}: ${message ?? ''}`] : [],
  );

describe('check fold/gateway', () => {
  it('finds the simulated gateway conformant through its HTTP face', async () => {
    const found = await report([], quickGateway);
    expect(failed(found)).toEqual([]);
    expect(found).toMatchObject({ verdict: 'conformant', drive: 'http' });
    expect(found.counts.pass).toBeGreaterThanOrEqual(48);
  });

  it('and through ClientService, where what that has no call for is untestable', async () => {
    const found = await report(['--operator', 'client-service'], quickGateway);
    expect(failed(found)).toEqual([]);
    expect(found.verdict).toBe('conformant');
    expect(verdictsOf(found)).toMatchObject({
      'FOLD-G36': 'untestable',
      'FOLD-G20': 'pass',
      'FOLD-G32': 'pass',
    });
  });

  it('and through commands of the implementer', async () => {
    const ctl = program('ctl.mjs', controlProgram);
    const call = (verb: string, ...args: string[]): string =>
      `  ${verb}: ${JSON.stringify([process.execPath, ctl, '{url}', verb, ...args])}\n`;
    const statement = program(
      'commands.yaml',
      `suite: fold/gateway\noperator:\n  driver: command\n  commands:\n${[
        call('send', '{agent_id}', '{thread_id}', '{content}'),
        call('cancel', '{request_id}', '{reason}'),
        call('inject', '{agent_id}', '{priority}', '{content}'),
        call('approve', '{agent_id}', '{tool_id}', '{approved}', '{approve_all}'),
      ]
        .map((line) => `  ${line}`)
        .join('')}`,
    );
    // Each command is a process of its own, which takes its time on a busy machine.
    const some = [
      '--only',
      'FOLD-G19',
      '--only',
      'FOLD-G3*',
      '--timeout',
      'prompt=15s',
      '--statement',
      statement,
    ];
    const found = await report(some, quickGateway);
    expect(failed(found)).toEqual([]);
    expect(found.drive).toBe('command');
    expect(verdictsOf(found)).toMatchObject({
      'FOLD-G19': 'pass',
      'FOLD-G32': 'pass',
      'FOLD-G34': 'pass',
      'FOLD-G36': 'pass',
      'FOLD-G38': 'pass',
    });
  });

  it('dials one that runs already', async () => {
    const { child, port, http } = await simulated(['--quiet', '--timeout', 'cancel=1s']);
    const statement = program(
      'connect.yaml',
      `suite: fold/gateway\noperator: { url: 'http://127.0.0.1:${http}' }\n`,
    );
    const found = await report(['--statement', statement, '--connect', `127.0.0.1:${port}`], []);
    child.kill('SIGKILL');
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G19': 'pass', 'FOLD-G45': 'untestable' });
  });

  it('comes with tokens where they are demanded, and with bad ones', async () => {
    const statement = program(
      'jwt.yaml',
      'suite: fold/gateway\nauth: { jwt_secret_env: WIREPROOF_TEST_SECRET, revoked_principal: mallory }\n',
    );
    const found = await report(
      ['--statement', statement, '--only', 'FOLD-G1*'],
      [...quickGateway, '--jwt-secret-env', 'WIREPROOF_TEST_SECRET', '--revoked', 'mallory'],
      { WIREPROOF_TEST_SECRET: 'a secret that nobody else has' },
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G11': 'pass', 'FOLD-G12': 'pass', 'FOLD-G13': 'pass' });
  });

  it('signs with an SSH key, and signs badly', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const key = program('test-key', pem);
    const keys = program('authorized_keys', `${sshSigner(pem).publicKey} test\n`);
    const statement = program(
      'ssh.yaml',
      `suite: fold/gateway\nauth: { ssh_key_file: ${JSON.stringify(key)} }\n`,
    );
    const found = await report(
      ['--statement', statement, '--only', 'FOLD-G1*'],
      [...quickGateway, '--authorized-keys', keys],
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G11': 'pass', 'FOLD-G12': 'pass' });
  });

  it('judges a RegistrationError where the gateway refuses by one', async () => {
    const found = await report(
      ['--only', 'FOLD-G0*'],
      [...quickGateway, '--duplicates', 'registration_error'],
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)['FOLD-G08']).toBe('pass');
  });

  it.each([
    ['FOLD-G38', 'event: canceled', 'event: error'],
    ['FOLD-G29', 'event: usage', 'event: other'],
    ['FOLD-G20', 'chunk 17,', 'chunk 18,'],
  ])('names %s when a face shows something else', async (id, from, to) => {
    const found = await report(
      ['--only', id],
      [process.execPath, faultyFace(from, to), '{listen}', '{http_port}'],
    );
    expect(failed(found).map((text) => text.slice(0, 8))).toEqual([id]);
    const [row] = found.requirements.filter((r) => r.id === id);
    expect(row?.replay).toContain(`--only ${id}`);
    expect(row?.evidence?.length).toBeGreaterThan(0);
  });

  it('finds nothing to pass in a target that answers with garbage', async () => {
    const garbage =
      'require("net").createServer((s) => { s.on("error", () => {}); s.write("garbage\\r\\n\\r\\n"); }).listen(Number(process.env.WIREPROOF_PORT))';
    const impatient = [
      '--timeout',
      'step=500ms',
      '--timeout',
      'handshake=800ms',
      '--timeout',
      'prompt=300ms',
    ];
    const found = await report(impatient, [process.execPath, '-e', garbage]);
    expect(found.counts.pass).toBe(0);
    expect(found.verdict).toBe('not-conformant');
  });

  it.each([
    ['exits at once', ['-e', 'process.exit(7)'], 'exited with code 7 before it listened'],
    ['never listens', ['-e', 'setInterval(() => {}, 1000)'], 'nothing listened on 127.0.0.1:'],
  ])('says so when the target %s', async (_, args, sentence) => {
    const { code, stderr } = await wireproof([
      ...['check', 'fold/gateway', '--timeout', 'handshake=700ms', '--trace', 'off', '--'],
      ...[process.execPath, ...args],
    ]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(3);
  });

  it.each([
    [['--listen', '127.0.0.1:5000'], 'a target of fold/gateway listens itself'],
    [
      ['--operator', 'telepathy', '--', 'x'],
      'fold/gateway can be operated through http, client-service, command',
    ],
    [
      [
        '--operator',
        'command',
        '--',
        'node',
        '-e',
        'require("net").createServer().listen(process.env.WIREPROOF_PORT)',
      ],
      'operator.commands',
    ],
    [[], 'no target'],
  ])('refuses %j with a reason', async (args, sentence) => {
    const { code, stderr } = await wireproof(['check', 'fold/gateway', '--trace', 'off', ...args]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

/** An operator's program as an implementer would write it: one call, its events as NDJSON. */
const controlProgram = `const [url, verb, ...args] = process.argv.slice(2);
const [a, b, c, d] = args;
const calls = {
  send: ['/api/send', { agent_id: a, content: c, sender: 'ctl', ...(b === '' ? {} : { thread_id: b }) }],
  cancel: ['/api/cancel', { request_id: a, reason: b }],
  inject: ['/api/inject', { agent_id: a, priority: b, content: c }],
  approve: ['/api/tools/approve', { agent_id: a, tool_id: b, approved: c === 'true', approve_all: d === 'true' }],
};
const [path, body] = calls[verb];
const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
if (!answer.ok) {
  console.error((await answer.json()).error);
  process.exit(1);
}
let rest = '';
for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
  rest += chunk;
  for (let end = rest.indexOf('\\n\\n'); end >= 0; end = rest.indexOf('\\n\\n')) {
    const event = /^event: (.*)$/m.exec(rest.slice(0, end))?.[1];
    const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
    if (event !== undefined) console.log(JSON.stringify({ event, ...JSON.parse(data) }));
    rest = rest.slice(end + 2);
  }
}
`;

/** A gateway whose HTTP face changes what passes. */
const faultyFace = (from: string, to: string): string =>
  program(
    `face-${to.replace(/\W/g, '')}.mjs`,
    `import { createServer, request } from 'node:http';
import { serveGateway } from ${JSON.stringify(join(packageRoot(), 'dist/src/fold/edge/index.js'))};
const [listen, http] = process.argv.slice(2);
const gateway = await serveGateway({ port: Number(listen.split(':')[1]), http: { port: 0 } });
createServer((req, res) => {
  const to = request({ port: gateway.httpPort, path: req.url, method: req.method, headers: { 'content-type': 'application/json' } }, (from) => {
    res.writeHead(from.statusCode, { 'content-type': from.headers['content-type'] });
    let rest = '';
    from.on('data', (chunk) => {
      rest += chunk;
      const end = rest.lastIndexOf('\\n\\n') + 2;
      if (end > 1) res.write(rest.slice(0, end).replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)}));
      if (end > 1) rest = rest.slice(end);
    });
    from.on('end', () => res.end(rest));
  });
  req.pipe(to);
}).listen(Number(http), '127.0.0.1');
`,
  );

describe('simulate fold/gateway', () => {
  const script = [
    'wait welcome 10s',
    'send hello there',
    'wait done 5s',
    'do {"tool":{"name":"slow","hold":true}}',
    'wait tool_use 5s',
    'cancel',
    'wait cancelled 5s',
    'nonsense',
    'shutdown that was all',
  ].join('\n');

  it('works an agent by a script, shows it, judges it and records it', async () => {
    const record = join(scratch, 'seen.jsonl');
    const { child, port } = await simulated(['--script', program('orders.txt', script), '--record', record]);
    let shown = '';
    child.stdout?.on('data', (text: Buffer) => (shown += text.toString()));
    const agent = spawn(process.execPath, [example, `127.0.0.1:${port}`]);
    expect(await ended(child)).toBe(0);
    agent.kill();
    expect(shown).toContain('text "hello there"');
    expect(shown).toContain('cancelled reason user_requested');
    expect(shown).toContain('? no command "nonsense"');
    const { code, stdout } = await wireproof(['judge', record, '--allow-inconclusive', '--json']);
    expect(code).toBe(0);
    expect(failed(JSON.parse(stdout) as Report)).toEqual([]);
  });

  it('shows a violation as it happens, and ends with it', async () => {
    const late = readFileSync(example, 'utf8')
      .replace(
        '`${import.meta.dirname}/../../spec/fold/coven.proto`',
        JSON.stringify(join(packageRoot(), 'spec/fold/coven.proto')),
      )
      .replace(
        'if (terminal) this.send(terminal);',
        "if (terminal) { this.send(terminal); const { request_id } = this; setTimeout(() => send({ response: { request_id, text: 'late' } }), 20); }",
      );
    const orders = program('late.txt', 'wait welcome 10s\nsend hello\nwait done\nwait 300ms\nquit\n');
    const { child, port } = await simulated(['--script', orders]);
    let shown = '';
    child.stdout?.on('data', (text: Buffer) => (shown += text.toString()));
    const agent = spawn(process.execPath, [program('late.mjs', late), `127.0.0.1:${port}`]);
    expect(await ended(child)).toBe(1);
    agent.kill();
    expect(shown).toMatch(/✗ FOLD-A15 MUST: expected nothing/);
  });

  it('is the gateway of one scenario', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [
      command,
      ...['simulate', 'fold/gateway', '--scenario', 'cancel-mid-tool', '--listen', `127.0.0.1:${port}`],
    ]);
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
    const agent = spawn(process.execPath, [example, `127.0.0.1:${port}`]);
    expect(await ended(child)).toBe(0);
    agent.kill();
    expect(said).toContain('cancel-mid-tool: played to its end; 0 violations of a MUST');
  });

  it('stops in an orderly way when it is interrupted', async () => {
    const { child } = await simulated([]);
    child.kill('SIGINT');
    expect(await ended(child)).toBe(130);
  });

  it.each([
    [['--listen', 'nowhere'], '--listen nowhere: expected host:port'],
    [['--timeout', 'cancel=soon'], '--timeout cancel=soon: expected a time'],
    [['--scenario', 'none-such'], 'no such scenario'],
    [['--jwt-secret-env', 'WIREPROOF_NOT_SET'], 'WIREPROOF_NOT_SET is not set'],
    [['--http', '0.0.0.0:0'], 'token'],
  ])('refuses %j with a reason', async (args, sentence) => {
    const { code, stderr } = await wireproof([
      'simulate',
      'fold/gateway',
      '--listen',
      '127.0.0.1:0',
      ...args,
    ]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
