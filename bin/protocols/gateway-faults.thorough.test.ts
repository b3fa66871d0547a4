/** `wireproof check fold/gateway`: credentials, the requirement that each fault fails, refused targets and flags. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { sshSigner } from '../../src/fold/edge/auth/ssh-signer.ts';
import { longTimeouts, program, wireproof } from '../run.test-helper.ts';
import { failed, report, scenarios, simulatedGateway, verdictsOf } from './gateway.test-helper.ts';

const tokens = ['expired', 'none', 'forged', 'revoked'].map((how) => `gateway-auth-jwt-${how}`);
const signatures = ['none', 'forged', 'future', 'replayed', 'stale'].map((how) => `gateway-auth-ssh-${how}`);
/** Scenarios in which an agent with good credentials gets work. */
const ordinary = ['gateway-one-thread', 'gateway-two-agents', 'gateway-two-requests', 'gateway-no-injection'];

describe('check fold/gateway', () => {
  it('sends valid and invalid tokens where tokens are required', async () => {
    const statement = program(
      'jwt.yaml',
      'suite: fold/gateway\nauth: { jwt_secret_env: WIREPROOF_TEST_SECRET, revoked_principal: mallory }\n',
    );
    const found = await report(
      ['--statement', statement, ...scenarios(...tokens, ...ordinary)],
      [...simulatedGateway, '--jwt-secret-env', 'WIREPROOF_TEST_SECRET', '--revoked', 'mallory'],
      { WIREPROOF_TEST_SECRET: 'a secret that nobody else has' },
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G11': 'pass', 'FOLD-G12': 'pass', 'FOLD-G13': 'pass' });
  });

  it('sends valid and invalid signatures of an SSH key', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const key = program('test-key', pem);
    const keys = program('authorized_keys', `${sshSigner(pem).publicKey} test\n`);
    const statement = program(
      'ssh.yaml',
      `suite: fold/gateway\nauth: { ssh_key_file: ${JSON.stringify(key)} }\n`,
    );
    const found = await report(
      ['--statement', statement, ...scenarios(...signatures, ...ordinary)],
      [...simulatedGateway, '--authorized-keys', keys],
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G11': 'pass', 'FOLD-G12': 'pass' });
  });

  it('judges a RegistrationError of a gateway that refuses an agent', async () => {
    const found = await report(
      ['--only', 'FOLD-G0*'],
      [...simulatedGateway, '--duplicates', 'registration_error'],
    );
    expect(failed(found)).toEqual([]);
    expect(verdictsOf(found)['FOLD-G08']).toBe('pass');
  });

  it.each([
    ['FOLD-G38', 'gateway-cancel', 'event: canceled', 'event: error'],
    ['FOLD-G29', 'gateway-usage', 'event: usage', 'event: other'],
    ['FOLD-G20', 'gateway-burst', 'chunk 17,', 'chunk 18,'],
  ])('fails %s when the HTTP face changes %s', async (id, scenario, from, to) => {
    const found = await report(
      ['--only', id, ...scenarios(scenario)],
      [process.execPath, faultyFace(from, to), '{listen}', '{http_port}'],
    );
    expect(failed(found).map((text) => text.slice(0, 8))).toEqual([id]);
    const [row] = found.requirements.filter((r) => r.id === id);
    expect(row?.replay).toContain(`--only ${id}`);
    expect(row?.evidence?.length).toBeGreaterThan(0);
  });

  it('passes no requirement for a target that answers with garbage', async () => {
    const garbage =
      'require("net").createServer((s) => { s.on("error", () => {}); s.write("garbage\\r\\n\\r\\n"); }).listen(Number(process.env.WIREPROOF_PORT))';
    const found = await report(['--timeout', 'step=500ms'], [process.execPath, '-e', garbage]);
    expect(found.counts.pass).toBe(0);
    expect(found.verdict).toBe('not-conformant');
  });

  it.each([
    ['exits at once', ['-e', 'process.exit(7)'], longTimeouts, 'exited with code 7 before it listened'],
    [
      'never listens',
      ['-e', 'setInterval(() => {}, 1000)'],
      ['--timeout', 'handshake=700ms'],
      'nothing listened on 127.0.0.1:',
    ],
  ])('prints a sentence when the target %s', async (_, args, flags, sentence) => {
    const { code, stderr } = await wireproof([
      ...['check', 'fold/gateway', ...flags, '--trace', 'off', '--'],
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

/** A gateway behind an HTTP proxy that changes its answers. */
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
