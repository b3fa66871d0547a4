/** Targets that the kit dials over TLS. The test makes its own certificate. */
import { createServer } from 'node:tls';
import type { Server } from 'node:tls';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverScript } from '../../conformance/llm/server/target.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { selfSigned } from '../../src/kit/transport/certificate.test-helper.ts';
import { serveScript } from '../../src/llm/edge/index.ts';
import { registry } from '../registry.ts';
import { checked, portOf, program, simulated, startWireproof } from '../run.test-helper.ts';
import { targetOf } from './target.ts';

const ca = program('ca.pem', selfSigned.cert);
const ending: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ending) await end();
});

/** Starts a TLS proxy in front of a loopback port. @returns the proxy's port */
async function startTlsProxy(behind: number, ...protocols: readonly string[]): Promise<number> {
  const server: Server = createServer({ ...selfSigned, ALPNProtocols: [...protocols] }, (outer) => {
    const inner = connect(behind, '127.0.0.1');
    outer.pipe(inner).pipe(outer);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  ending.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Runs a check with `--json`. */
async function check(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<{ code: number | null; verdict: string | undefined; stderr: string; report: Report }> {
  const { code, report = {} as Report, stderr } = await checked(args, [], { env });
  return { code, verdict: report.verdict, stderr, report };
}

const untrusted = /its certificate is self-signed; give that certificate, or its authority's, with --ca FILE/;

describe('a subagent on a WebSocket over TLS', () => {
  let url = '';
  beforeAll(async () => {
    const place = ['--carrier', 'ws', '--listen', '127.0.0.1:0', '--quiet'];
    const port = await portOf(startWireproof(['simulate', 'toon/subagent', ...place]));
    url = `wss://localhost:${await startTlsProxy(port)}/agents/7?mode=test`;
  });

  it('is conformant', async () => {
    const { code, verdict } = await check(['toon/subagent', '--connect', url, '--ca', ca]);
    expect({ code, verdict }).toEqual({ code: 0, verdict: 'conformant' });
  });

  it('is refused when its certificate is not trusted', async () => {
    const { code, stderr } = await check(['toon/subagent', '--connect', url]);
    expect(stderr).toMatch(untrusted);
    expect(code).toBe(3);
  });

  it('may be named in a statement', async () => {
    const target = `{ connect: '${url}', ca: '${ca}', token_env: AGENT_TOKEN }`;
    const statement = program('over-tls.yaml', `suite: toon/subagent\ntarget: ${target}\n`);
    const args = ['--statement', statement, '--only', 'TOON-01', '--allow-inconclusive'];
    expect((await check(args)).stderr).toContain('AGENT_TOKEN is not set');
    expect((await check(args, { AGENT_TOKEN: 't0ken' })).code).toBe(0);
  });
});

describe('a gateway over TLS', () => {
  it('is dialled over gRPC by agents, and over HTTP by its operator with a token', async () => {
    process.env['FACE_TOKEN'] = 't0ken';
    const { port, http } = await simulated(['--quiet', '--token-env', 'FACE_TOKEN']);
    const [grpc, face] = [await startTlsProxy(port, 'h2'), await startTlsProxy(http, 'http/1.1')];
    const statement = program(
      'gateway-over-tls.yaml',
      `suite: fold/gateway\ntarget: { connect: 'grpcs://localhost:${grpc}', ca: '${ca}', token_env: FACE_TOKEN }\n` +
        `operator: { driver: http, url: 'https://localhost:${face}' }\n`,
    );
    const only = ['--only', 'FOLD-G0*', '--level', 'MUST', '--allow-inconclusive'];
    const { report, code } = await check(['--statement', statement, ...only]);
    expect({ code, failed: report.counts.fail }).toEqual({ code: 0, failed: 0 });
    expect(report.scope.must.exercised).toBeGreaterThan(3);
    const early = report.scenarios.filter(({ outcome }) => outcome === 'ended-early');
    expect(early.filter(({ reason }) => reason?.startsWith('unsupported') !== true)).toEqual([]);
  });

  it('is refused when its certificate is not trusted', async () => {
    const { code, stderr } = await check([
      'fold/gateway',
      '--connect',
      `https://localhost:${await startTlsProxy(1, 'h2')}`,
    ]);
    expect(stderr).toMatch(untrusted);
    expect(code).toBe(3);
  });
});

it('a model server over https is conformant', async () => {
  const served = await serveScript({ script: serverScript });
  ending.push(() => served.close());
  const url = `https://localhost:${await startTlsProxy(served.port)}`;
  const args = ['llm/server', '--drive', 'openai-chat', '--connect', url, '--ca', ca];
  const { code, verdict } = await check(args);
  expect({ code, verdict }).toEqual({ code: 0, verdict: 'conformant' });
});

describe('invalid flags', () => {
  const flags = {
    report: [],
    scenario: [],
    only: [],
    skip: [],
    timeout: [],
    trace: 'off',
    traceDir: '',
    redact: true,
  } as const;

  it.each([
    ['toon/subagent', { connect: '127.0.0.1:1', ca }, 'this target is not dialled over TLS'],
    [
      'toon/subagent',
      { connect: 'wss://localhost:1', ca: 'none.pem' },
      'none.pem: no such file; expected certificates in PEM form for --ca',
    ],
    ['toon/subagent', { connect: 'wss://localhost:1', ca: program('no.pem', 'x') }, 'in PEM form'],
    ['toon/subagent', { connect: 'https://localhost:1' }, 'with TLS its scheme is wss or tls'],
    ['toon/subagent', { connect: 'tls://localhost' }, 'expected host:port'],
    ['fold/gateway', { connect: 'wss://localhost:1' }, 'with TLS its scheme is https or grpcs'],
    ['fold/gateway', { connect: 'localhost:1', tokenEnv: 'NO_SUCH' }, 'NO_SUCH is not set'],
    [
      'toon/subagent',
      { connect: 'localhost:1', tokenEnv: 'HOME' },
      'a token can be sent only to a target that the kit dials',
    ],
  ])('%s with %j are refused', async (id, given, sentence) => {
    const suite = await registry.loadSuite(id);
    expect(() => targetOf(suite, [], { ...flags, ...given }, undefined)).toThrow(sentence);
  });

  it('a URL without a port uses the default port of its scheme', async () => {
    const suite = await registry.loadSuite('toon/subagent');
    const { plan } = targetOf(suite, [], { ...flags, connect: 'wss://agents.example/7?a=b' }, undefined);
    expect(plan).toEqual({
      kind: 'connect',
      host: 'agents.example',
      port: 443,
      tls: true,
      url: 'wss://agents.example/7?a=b',
      carrier: 'ws',
    });
  });
});
