/** `wireproof check fold/agent` on faulty agents, further than check.test.ts, and an agent in passive drive. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { faulty, longTimeouts, program, wireproof } from '../run.test-helper.ts';
import { failsOnly } from './faults.test-helper.ts';

describe('check fold/agent', () => {
  it.each([
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
  ])('fails %s, and no other MUST, when the example has this fault', (id, target) => failsOnly(id, target()));

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
});
