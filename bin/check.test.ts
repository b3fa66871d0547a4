/** `wireproof check fold/agent` as a user runs it: verdicts on faulty agents; readme.test.ts has the correct example. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { checked, faulty, lateTextFault, longTimeouts, program, wireproof } from './run.test-helper.ts';

async function report(args: readonly string[], target: string): Promise<Report> {
  const found = await checked(['fold/agent', ...longTimeouts, ...args], ['node', target, '{address}']);
  if (found.report === undefined) throw new Error(found.stderr);
  return found.report;
}

/** Scenarios of every theme that share a process. A fault must fail its own requirement only. */
const themes = [
  ...['plain-message', 'plain-three-at-once', 'burst', 'thinking-and-text', 'request-fails'],
  ...['tool-success', 'tool-fails', 'tool-held', 'approval-granted', 'approval-denied', 'approve-all'],
  ...['usage-two-calls', 'inject-normal', 'inject-mid-tool', 'cancel-mid-tool', 'cancel-mid-text'],
].flatMap((name) => ['--scenario', name]);

describe('check fold/agent', () => {
  it.each([
    ['FOLD-A15', () => lateTextFault('late-text')],
    [
      'FOLD-A40',
      () =>
        faulty(
          'double-ack',
          'send({ injection_ack: ack });',
          'send({ injection_ack: ack }); send({ injection_ack: ack });',
        ),
    ],
    [
      'FOLD-A27',
      () =>
        faulty(
          'second-result',
          "request.send({ tool_result: { id: tool.id, output, is_error: state !== 'COMPLETED' } });",
          "for (const i of [1, 2]) request.send({ tool_result: { id: tool.id, output, is_error: state !== 'COMPLETED' } });",
        ),
    ],
    ['FOLD-A32', () => faulty('ungated', 'if (gate.approval && !request.approvesAll) {', 'if (false) {')],
    [
      'FOLD-A39',
      () =>
        faulty(
          'running-totals',
          'usage: (request, usage) => request.send({ usage }),',
          'usage: (request, usage) => { request.sum ??= {}; for (const k in usage) request.sum[k] = (request.sum[k] ?? 0) + usage[k]; request.send({ usage: request.sum }); },',
        ),
    ],
  ])('fails %s, and no other MUST, when the example has this fault', async (id, target) => {
    const { verdict, requirements } = await report([...themes, '--jobs', '2'], target());
    expect(verdict).toBe('not-conformant');
    const failed = requirements.filter((r) => r.verdict === 'fail' && r.level === 'MUST').map((r) => r.id);
    expect(failed).toEqual([id]);
    const row = requirements.find((r) => r.id === id);
    expect(row?.message).toMatch(/^expected .+; .+/);
    expect(row?.excerpt?.some((line) => line.startsWith('>'))).toBe(true);
    expect(row?.replay).toContain(`--only ${id}`);
  });

  it('judges an agent that only echoes in passive drive', async () => {
    const echo = program(
      'echo.mjs',
      `import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
const proto = ${JSON.stringify(join(packageRoot(), 'spec/fold/coven.proto'))};
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
    const args = ['check', 'fold/agent', ...longTimeouts, '--trace', 'off', '--jobs', '4'];
    const target = ['--', 'node', echo, '{address}'];
    const passive = await wireproof([...args, '--drive', 'passive', ...target]);
    expect(passive.stdout).toContain('untestable in passive drive');
    expect(passive.stdout).toMatch(/^conformant: 15 of 15 applicable MUSTs exercised/m);
    expect(passive.code).toBe(0);
    const some = ['--only', 'FOLD-A0*', '--only', 'FOLD-A2*'];
    const auto = await wireproof([...args, ...some, ...target]);
    expect(auto.code).toBe(4);
  });

  it('judges an agent that was refused, instead of reporting it as absent', async () => {
    const target = faulty('empty-id', /let agent_id = .*/, "let agent_id = '';");
    const found = await checked(['fold/agent'], ['node', target, '{address}']);
    expect(found.failed).toContain('FOLD-A02');
    expect(found.code).toBe(1);
  });
});
