/** The probe of a gateway's set-up: which ends are the user's to mend, which are tried again, which are the gateway's own. */
import { describe, expect, it } from 'vitest';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import type { ProbeFinding, ProbeSetup } from '../../../src/kit/suite/index.ts';
import { gatewayProbe } from './probe.ts';

const setup: ProbeSetup = {
  driver: 'http',
  place: { host: '127.0.0.1', port: 5, url: 'http://127.0.0.1:6' },
  statement: undefined,
  services: ['coven.CovenControl'],
  patience: 5000,
  started: false,
};

const event = (
  to: string,
  kind: TraceEvent['kind'],
  data: { readonly [name: string]: Json },
): TraceEvent => ({
  seq: 0,
  at: 0,
  wire: to === 'operator' ? 'operator' : 'fold',
  conn: 'c',
  stream: 's',
  from: 'target',
  to,
  kind,
  data,
});

const welcome = event('agent', 'message', { welcome: { agent_id: 'a' } });
const arrival = event('agent', 'message', { send_message: { content: 'x' } });
const started = event('operator', 'message', { started: { thread_id: 't' } });
const refused = (code: number, message = ''): TraceEvent => event('operator', 'end', { code, message });
const refusedAgent = (code: number, message = 'why'): TraceEvent => event('agent', 'end', { code, message });
/** The words of grpc-js 1.14 for a server whose first bytes are not HTTP/2. */
const notHttp2 = 'No connection established. Last error: Protocol error (2026-11-23T03:49:00.194Z)';

const found = (events: readonly TraceEvent[], more: Partial<ProbeSetup> = {}): ProbeFinding =>
  gatewayProbe.finding(events, { ...setup, ...more });

const url = { suite: 'fold/gateway', operator: { url: 'http://127.0.0.1:7' } };

describe('the probe of a gateway', () => {
  it.each<[string, ProbeFinding['is'], readonly TraceEvent[]]>([
    ['a message that arrives', 'usable', [welcome, started, arrival]],
    ['a message that arrives, whose call fails later', 'usable', [welcome, arrival, refused(13)]],
    ['no Welcome: the rules judge it', 'usable', []],
    ['another refusal of the agent: the rules judge it', 'usable', [refusedAgent(3)]],
    ['a lost stream of the agent, which is judged at last', 'not-yet', [refusedAgent(14)]],
    ['a server that does not speak HTTP/2', 'wrong', [refusedAgent(14, notHttp2)]],
    ['an agent that is not let in', 'wrong', [refusedAgent(16)]],
    ['an agent that is not approved', 'wrong', [refusedAgent(7)]],
    ['no such service', 'no-service', [refusedAgent(12)]],
    ['no answer', 'not-yet', [welcome, refused(14, 'ECONNREFUSED')]],
    ['a lost connection', 'not-yet', [welcome, event('operator', 'reset', {})]],
    ['an unknown agent, for the gateway may register it late', 'not-yet', [welcome, refused(5)]],
    ['a refused credential', 'wrong', [welcome, refused(16)]],
    ['an operator who may not send', 'wrong', [welcome, refused(7)]],
    ['an invalid call', 'wrong', [welcome, refused(3)]],
    ['a message that arrives after its call was refused', 'wrong', [welcome, refused(2), arrival]],
    ['an accepted message that never arrives', 'wrong', [welcome, started]],
    ['a gateway without the call', 'usable', [welcome, refused(12, 'unsupported: no')]],
  ])('%s: %s', (_, is, events) => {
    expect(found(events).is).toBe(is);
  });

  it('a program of the kit that does not speak HTTP/2 is judged', () => {
    const finding = found([refusedAgent(14, notHttp2)], { started: true });
    expect(finding).toMatchObject({ is: 'not-yet', judged: true });
  });

  it('a call that a stated URL does not have is the statement that is wrong', () => {
    expect(found([welcome, refused(12)], { statement: url })).toMatchObject({ is: 'wrong' });
  });

  it('a command that fails is tried again: its face may be late', () => {
    const statement = { suite: 'fold/gateway', operator: { commands: { send: ['my-ctl'] } } };
    const finding = found([welcome, refused(2, 'connection refused')], { driver: 'command', statement });
    expect(finding).toMatchObject({ is: 'not-yet' });
    expect('why' in finding && finding.why).toContain('the command "my-ctl"');
  });

  it('notes a gateway without an operator, unless the user named none', () => {
    const events = [welcome, refused(12, 'unsupported: the gateway has no /api/send')];
    expect(found(events)).toMatchObject({ note: expect.stringContaining('no /api/send') });
    expect(found(events, { driver: 'none' })).toEqual({ is: 'usable' });
  });

  it.each<[string, ProbeSetup['statement'], string]>([
    ['no credentials', undefined, 'state the credentials of agents'],
    ['a key', { suite: 's', auth: { ssh_key_file: 'k' } }, 'approve the key of auth.ssh_key_file (k)'],
    ['a secret', { suite: 's', auth: { jwt_secret_env: 'S' } }, 'auth.jwt_secret_env (S)'],
    ['a made key', { suite: 's', auth: { auto_register: 'approved' } }, 'auth.auto_register: approved'],
  ])('advises on %s', (_, statement, advice) => {
    expect(found([refusedAgent(7)], { statement })).toMatchObject({ why: expect.stringContaining(advice) });
    expect(found([refusedAgent(7)], { statement })).toMatchObject({
      why: expect.stringContaining('7 PERMISSION_DENIED "why"'),
    });
  });
});
