/** `wireproof check fold/gateway` of the simulated gateway through every operator driver except HTTP. */
import { describe, expect, it } from 'vitest';
import { program } from '../run.test-helper.ts';
import { failed, report, scenarios, simulatedGateway, verdictsOf } from './gateway.test-helper.ts';

describe('check fold/gateway finds the simulated gateway conformant', () => {
  it('through ClientService: requirements without a call are untestable', async () => {
    const found = await report(['--operator', 'client-service'], simulatedGateway);
    expect(failed(found)).toEqual([]);
    expect(found.verdict).toBe('conformant');
    expect(verdictsOf(found)).toMatchObject({
      'FOLD-G36': 'untestable',
      'FOLD-G20': 'pass',
      'FOLD-G32': 'pass',
    });
  });

  it('through commands of the implementer', async () => {
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
    const played = [
      ...['gateway-two-requests', 'gateway-approval-granted', 'gateway-approval-denied'],
      ...['gateway-inject', 'gateway-cancel', 'gateway-cancel-one-of-two'],
    ];
    // Each command is its own process, which is slow on a busy machine.
    const slow = ['--timeout', 'prompt=30s', '--jobs', '2'];
    const found = await report(
      ['--statement', statement, ...slow, ...scenarios(...played)],
      simulatedGateway,
    );
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
