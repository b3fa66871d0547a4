/** `wireproof check` of agents that misbehave on the wire, and interrupted by Ctrl-C. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { pause } from '../../src/kit/world/until.test-helper.ts';
import {
  checked,
  example,
  faulty,
  untilNoProcess,
  longTimeouts,
  untilProcesses,
  startWireproof,
} from '../run.test-helper.ts';

const scenarios = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['--scenario', name]);

describe('a target that misbehaves on the wire', () => {
  it('dies during a request: its requests are judged, and the exit code is 1', async () => {
    const target = faulty('dies', 'hold: (request) =>', 'hold: (request) => exit(3) ??');
    const args = [
      'fold/agent',
      ...longTimeouts,
      ...scenarios('plain-message', 'tool-held', 'cancel-mid-tool'),
    ];
    const { failed, code } = await checked(args, ['node', target, '{address}']);
    expect(failed).toContain('FOLD-A14');
    expect(code).toBe(1);
  });

  it('sends a message of 20 MiB: only its size is a violation, not the closed stream', async () => {
    const target = faulty(
      'oversize',
      'think: (request, thinking) => request.send({ thinking }),',
      "think: (request) => request.send({ thinking: 'x'.repeat(20 << 20) }),",
    );
    const args = ['fold/agent', ...longTimeouts, ...scenarios('thinking-and-text'), '--timeout', 'step=5s'];
    const { failed, report } = await checked(args, ['node', target, '{address}']);
    expect(failed).toEqual(['FOLD-A22']);
    const row = report?.requirements.find(({ id }) => id === 'FOLD-A22');
    expect(row?.message).toMatch(/a message of 209715\d\d bytes came/);
  });

  it('sends bytes that cannot be decoded', async () => {
    const target = faulty(
      'undecodable',
      'protoLoader.loadSync(proto, decoding)',
      `((definition) => {
        const { AgentStream } = definition['coven.CovenControl'];
        const { requestSerialize } = AgentStream;
        AgentStream.requestSerialize = (m) => (m.response?.text === undefined ? requestSerialize(m) : Buffer.from([0x12]));
        return definition;
      })(protoLoader.loadSync(proto, decoding))`,
    );
    const args = ['fold/agent', ...longTimeouts, ...scenarios('plain-message')];
    const { report } = await checked(args, ['node', target, '{address}']);
    const failed = report?.requirements.filter((r) => r.verdict === 'fail' && r.level === 'MUST');
    expect(failed?.map((r) => r.id)).toEqual(['FOLD-A16']);
    expect(failed?.[0]?.message).toMatch(/bytes that are not a message/);
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['before a target runs', 0],
    ['when the first target runs', 1],
    ['when targets run side by side', 3],
  ])('%s: writes a partial report, exits with 130, leaves no orphan', async (_, targets) => {
    const mark = `--mark-${process.pid}-${targets}`;
    const args = ['check', 'fold/agent', ...longTimeouts, '--json', '--trace', 'off', '--jobs', '4'];
    const command = startWireproof([...args, '--', 'node', example, '{address}', mark]);
    // The command itself also has the mark in its arguments.
    if (targets > 0) await untilProcesses(mark, (count) => count > targets);
    else await pause(300);
    const { code, stdout } = await command.stop('SIGINT');
    await untilNoProcess(mark);
    expect(code).toBe(130);
    if (targets > 0) expect((JSON.parse(stdout) as Report).interrupted).toBe(true);
  });
});
