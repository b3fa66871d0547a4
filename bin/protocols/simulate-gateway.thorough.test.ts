/** `wireproof simulate fold/gateway`: scripts, traffic, a single scenario, refused flags. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import {
  example,
  faulty,
  lateTextFault,
  portOf,
  program,
  scratch,
  simulated,
  startNode,
  startWireproof,
  wireproof,
} from '../run.test-helper.ts';
import type { RunningProgram } from '../run.test-helper.ts';
import { failed } from './gateway.test-helper.ts';

/** Writes lines to a gateway's stdin, as a person does. */
const says = (gateway: RunningProgram, ...lines: readonly string[]): void =>
  void gateway.child.stdin?.write(`${lines.join('\n')}\n`);

describe('simulate fold/gateway', () => {
  const script = [
    'wait welcome 60s',
    'send hello there',
    'wait done 60s',
    'do {"tool":{"name":"slow","hold":true}}',
    'wait tool_use 60s',
    'cancel',
    'wait cancelled 60s',
    'nonsense',
    'shutdown that was all',
  ].join('\n');

  it('plays a script with an agent, shows the traffic, judges it and records it', async () => {
    const record = join(scratch, 'seen.jsonl');
    const orders = program('orders.txt', script);
    const { gateway, port } = await simulated(['--script', orders, '--record', record]);
    startNode([example, `127.0.0.1:${port}`]);
    const { code, stdout: shown } = await gateway.ended;
    expect(code).toBe(0);
    expect(shown).toContain('text "hello there"');
    expect(shown).toContain('cancelled reason user_requested');
    expect(shown).toContain('? no command "nonsense"');
    const judged = await wireproof(['judge', record, '--allow-inconclusive', '--json']);
    expect(judged.code).toBe(0);
    expect(failed(JSON.parse(judged.stdout) as Report)).toEqual([]);
  });

  it('shows a violation when it happens, and again at the end', async () => {
    const { gateway, port } = await simulated([]);
    says(gateway, 'wait welcome 60s', 'send hello');
    startNode([lateTextFault('late'), `127.0.0.1:${port}`]);
    await gateway.prints(/✗ FOLD-A15/);
    says(gateway, 'quit');
    const { code, stdout } = await gateway.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ FOLD-A15 MUST: expected nothing/);
  });

  it('tells a late event when its time has passed, while the session goes on', async () => {
    const { gateway, port } = await simulated([]);
    says(gateway, 'wait welcome 60s', 'do {"hold":true}', 'wait 500ms', 'inject normal hello');
    startNode([faulty('no-ack', 'send({ injection_ack: ack });', ''), `127.0.0.1:${port}`]);
    // The limit is 5 s, and longer on a busy machine.
    await gateway.prints(/✗ FOLD-A40/);
    says(gateway, 'send still here', 'wait 500ms', 'quit');
    const { code, stdout } = await gateway.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ FOLD-A40 MUST: expected InjectionAck [^]*still here/);
    expect(stdout.split('FOLD-A40').length).toBe(2);
  });

  it('plays one scenario', async () => {
    const args = ['--scenario', 'cancel-mid-tool', '--listen', '127.0.0.1:0'];
    const gateway = startWireproof(['simulate', 'fold/gateway', ...args]);
    startNode([example, `127.0.0.1:${await portOf(gateway)}`]);
    const { code, stderr } = await gateway.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('cancel-mid-tool: played to its end; 0 violations of a MUST');
  });

  it('shuts down cleanly when it is interrupted', async () => {
    const { gateway } = await simulated([]);
    expect((await gateway.stop('SIGINT')).code).toBe(130);
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
