/**
 * `wireproof check fold/gateway` against gateways that nobody here wrote. The user's set-up (operator.url, credentials,
 * services, a slow start) is waited for, or ends the check with exit 3 and a sentence; it is never a verdict.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sshSigner } from '../../src/fold/edge/auth/ssh-signer.ts';
import { fronted, strangerGateway } from '../protocols/gateway-stranger.test-helper.ts';
import type { Stranger } from '../protocols/gateway-stranger.test-helper.ts';
import { scenarios, simulatedGateway } from '../protocols/gateway.test-helper.ts';
import { checked, longTimeouts, program, scratch } from '../run.test-helper.ts';
import type { CheckedProgram } from '../run.test-helper.ts';

const played = scenarios('gateway-burst', 'gateway-nobody-there', 'gateway-error-terminal');

const verdictsOf = ({ report }: CheckedProgram): { readonly [id: string]: string } =>
  Object.fromEntries(report?.requirements.map(({ id, verdict }) => [id, verdict]) ?? []);

let statements = 0;

/** A statement's flags. */
function stated(text: string): readonly string[] {
  return ['--statement', program(`operator-${++statements}.yaml`, `suite: fold/gateway\n${text}\n`)];
}

const check = (
  args: readonly string[],
  target: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<CheckedProgram> => checked(['fold/gateway', ...longTimeouts, ...args], target, { env });

/** The one sentence of a check that ended with exit 3. */
function sentenceOf({ code, stderr, report }: CheckedProgram): string {
  expect(code, stderr).toBe(3);
  expect(report?.requirements.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')).toEqual([]);
  return stderr;
}

describe("the operator's set-up", () => {
  it('a face that listens 3 s after gRPC is waited for', async () => {
    const found = await check(played, fronted('late'));
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G20': 'pass', 'FOLD-G26': 'pass' });
    expect(found.report?.scenarios?.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
  });

  it('a face that does not come in time is named', async () => {
    const sentence = sentenceOf(await check([...played, '--timeout', 'handshake=4s'], fronted('absent')));
    expect(sentence).toContain('ECONNREFUSED');
    expect(sentence).toContain('within 4000 ms');
    expect(sentence).toContain('let the gateway serve its HTTP face on {http_port}, or state operator.url');
  });

  it('a refused credential is named', async () => {
    const sentence = sentenceOf(await check(played, fronted('refusing')));
    expect(sentence).toContain('16 UNAUTHENTICATED "who are you?"');
    expect(sentence).toContain('state operator.token_env');
  });

  it('a wrong operator.url is named', async () => {
    const args = stated('operator: { driver: http, url: "http://127.0.0.1:9" }');
    const sentence = sentenceOf(
      await check([...played, ...args, '--timeout', 'handshake=2s'], simulatedGateway),
    );
    expect(sentence).toMatch(/no answer from the gateway's HTTP face at 127\.0\.0\.1:9: .*ECONNREFUSED/);
    expect(sentence).toContain('operator.url has to be the HTTP face of the gateway at 127.0.0.1:');
  });

  it('a wrong path of the face is named, a right one is used', async () => {
    const wrong = stated('operator: { driver: http, paths: { send: /v2/send } }');
    expect(sentenceOf(await check([...played, ...wrong], simulatedGateway))).toContain(
      'the gateway has no /v2/send',
    );
    const right = stated('operator: { driver: http, paths: { send: /api/send } }');
    const found = await check([...played, ...right], simulatedGateway);
    expect(found.failed).toEqual([]);
    expect(verdictsOf(found)['FOLD-G20']).toBe('pass');
  });

  it('some calls are made by command, the others over HTTP', async () => {
    const stop = program(
      'stop.mjs',
      `const [url, request_id, reason] = process.argv.slice(2);
const body = JSON.stringify({ request_id, reason });
const answer = await fetch(url + '/api/cancel', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
process.exit(answer.ok ? 0 : 1);`,
    );
    const cancel = JSON.stringify([process.execPath, stop, '{url}', '{request_id}', '{reason}']);
    const text = 'operator: { paths: { cancel: /no/such }';
    const args = (commands: string): readonly string[] => stated(`${text}${commands} }`);
    const cancels = scenarios('gateway-cancel');
    const without = await check([...cancels, ...args('')], simulatedGateway);
    expect(verdictsOf(without)['FOLD-G36']).toBe('untestable');
    const found = await check([...cancels, ...args(`, commands: { cancel: ${cancel} }`)], simulatedGateway);
    expect(found.failed, found.stderr).toEqual([]);
    expect(found.report?.drive).toBe('http');
    expect(verdictsOf(found)['FOLD-G36']).toBe('pass');
  });

  it('an unknown service is named', async () => {
    const sentence = sentenceOf(await check([...played, '--service', 'no.Such'], simulatedGateway));
    expect(sentence).toMatch(/expected the gRPC service no\.Such at 127.*came 12 UNIMPLEMENTED/);
    expect(sentence).toContain('--service my.Control');
  });

  it('agents without the credentials that the gateway demands are named', async () => {
    const secured = [
      ...simulatedGateway,
      '--jwt-secret-env',
      'WIREPROOF_TEST_SECRET',
      '--revoked',
      'mallory',
    ];
    const env = { WIREPROOF_TEST_SECRET: 'a secret that nobody else has' };
    const none = sentenceOf(await check(played, secured, env));
    expect(none).toContain('expected the gateway to let in an agent of the kit; came 16 UNAUTHENTICATED');
    expect(none).toContain('state the credentials of agents');
    const args = stated('auth: { jwt_secret_env: WIREPROOF_TEST_SECRET, principal: mallory }');
    const unapproved = sentenceOf(await check([...played, ...args], secured, env));
    expect(unapproved).toContain('came 7 PERMISSION_DENIED "principal is revoked"');
    expect(unapproved).toContain('the principal "mallory" has to be approved there');
  });
});

describe('a gateway of somebody else', () => {
  const stranger = (how: Stranger, ...args: readonly string[]): Promise<CheckedProgram> =>
    check([...played, ...args], strangerGateway(how));

  it('is driven by ClientService as it is in the field', async () => {
    const found = await stranger({});
    expect(found.failed, found.stderr).toEqual([]);
    expect(found.report?.drive).toBe('client-service');
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G20': 'pass', 'FOLD-G26': 'pass' });
    expect(found.report?.scenarios?.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
  });

  it('may show no end without a text over ClientService', async () => {
    const names = ['gateway-unknown-features', 'gateway-after-terminal', 'gateway-unknown-request'];
    const found = await check(scenarios(...names), strangerGateway({ noEmptyEnds: true }));
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({
      'FOLD-G16': 'pass',
      'FOLD-G21': 'pass',
      'FOLD-G22': 'pass',
    });
  });

  it.each([
    ['fold.FoldControl', []],
    ['my.own.Control', ['--service', 'my.own.Control']],
  ])('may serve its agents as %s', async (service, flags) => {
    const found = await stranger({ service }, ...flags);
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G20': 'pass', 'FOLD-G26': 'pass' });
  });

  it('without an operator is checked as far as agents see, and the report says so', async () => {
    const found = await check(
      scenarios('gateway-registers', 'gateway-burst', 'gateway-first-not-register'),
      strangerGateway({ agentsOnly: true }),
    );
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({
      'FOLD-G02': 'pass',
      'FOLD-G05': 'pass',
      'FOLD-G20': 'untestable',
    });
    expect(found.report?.notes?.join('\n')).toMatch(/no operator: unsupported: .*SendMessage|StreamEvents/);
  });

  it('may refuse the kit as its operator: then --operator none checks the rest', async () => {
    const refusal = sentenceOf(await stranger({ token: 'sesame' }));
    expect(refusal).toContain('16 UNAUTHENTICATED "a token, please"');
    expect(refusal).toContain('--operator none');
    const without = await stranger({ token: 'sesame' }, '--operator', 'none');
    expect(without.failed).toEqual([]);
    expect(verdictsOf(without)['FOLD-G20']).toBe('untestable');
    const args = stated('operator: { driver: client-service, token_env: WIREPROOF_TEST_TOKEN }');
    const env = { WIREPROOF_TEST_TOKEN: 'sesame' };
    const found = await check([...played, ...args], strangerGateway({ token: 'sesame' }), env);
    expect(verdictsOf(found)['FOLD-G20']).toBe('pass');
  });

  it('is started again when its ports turn out to be in use', async () => {
    const count = join(scratch, 'starts');
    const found = await stranger({ busyPorts: 3, count }, '--jobs', '1');
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)['FOLD-G20']).toBe('pass');
  });

  it('is started again when another program listens on its port', async () => {
    const count = join(scratch, 'stolen-starts');
    const found = await stranger({ busyPorts: 1, stolen: true, count }, '--jobs', '1');
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)).toMatchObject({ 'FOLD-G20': 'pass', 'FOLD-G26': 'pass' });
  });

  it('has a scratch folder, which is removed', async () => {
    const tmp = join(scratch, 'tmp');
    mkdirSync(tmp, { recursive: true });
    const found = await check(played, strangerGateway(), { TMPDIR: tmp });
    expect(found.failed, found.stderr).toEqual([]);
    expect(existsSync(tmp)).toBe(true);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe('keys that a gateway does not know', () => {
  it('a key of a revoked principal is shown', async () => {
    const [own, revoked] = ['own-key', 'revoked-key'].map((name) => {
      const key = generateKeyPairSync('ed25519')
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString();
      return { file: program(name, key), line: sshSigner(key).publicKey };
    });
    const keys = program('two-keys', `${own?.line ?? ''}\n${revoked?.line ?? ''}\n`);
    const files = { ssh_key_file: own?.file, revoked_ssh_key_file: revoked?.file };
    const found = await check(
      [...scenarios('gateway-auth-ssh-revoked'), ...stated(`auth: ${JSON.stringify(files)}`)],
      [...simulatedGateway, '--authorized-keys', keys, '--revoked', revoked?.line ?? ''],
    );
    expect(found.failed, found.stderr).toEqual([]);
    expect(verdictsOf(found)['FOLD-G13']).toBe('pass');
  });

  it('auto_register: approved makes a key, which this gateway refuses in a sentence', async () => {
    const keys = program('no-keys', '# nobody\n');
    const args = stated('auth: { auto_register: approved }');
    const sentence = sentenceOf(
      await check([...played, ...args], [...simulatedGateway, '--authorized-keys', keys]),
    );
    expect(sentence).toContain('auth.auto_register: approved says that the gateway lets in unknown keys');
  });
});
