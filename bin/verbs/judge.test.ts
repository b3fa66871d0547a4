/** `wireproof judge`: a recording of a live session may have several agents and their operators. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject, Report, TraceEvent } from '../../src/kit/base/index.ts';
import { beginTrace, liveScenario } from '../../src/kit/spec/index.ts';
import { scratch, wireproof } from '../run.test-helper.ts';

const header = (scenario: string) => ({
  ...{ wireproof: 'trace/1' as const, suite: 'fold/agent', revision: '2026-01-19', seed: '0', started: 0 },
  ...{ scenario, target: 'agents that came to the simulated gateway' },
});

type Line = Pick<TraceEvent, 'from' | 'kind' | 'data'> & Partial<TraceEvent>;

const on = (stream: string, from: string, data: JsonObject, kind: TraceEvent['kind'] = 'message'): Line => ({
  ...{ from, to: from === 'target' ? 'gateway' : 'target', kind, data, stream, conn: stream },
});

/** The messages of an agent that registers, and gets a request of one answer. */
const registers = (stream: string, agent_id: string, content: string): readonly Line[] => [
  on(stream, 'target', { ':path': '/coven.CovenControl/AgentStream' }, 'open'),
  on(stream, 'gateway', {}, 'headers'),
  on(stream, 'target', { register: { agent_id, name: 'x', protocol_features: [] } }),
  on(stream, 'gateway', { welcome: { server_id: 's', agent_id, instance_id: `i-${agent_id}` } }),
  on(stream, 'gateway', { send_message: { request_id: `r-${agent_id}`, thread_id: agent_id, content } }),
  on(stream, 'target', { response: { request_id: `r-${agent_id}`, text: content } }),
  on(stream, 'target', { response: { request_id: `r-${agent_id}`, done: {} } }),
];

function record(name: string, scenario: string, lines: readonly Line[]): string {
  const file = join(scratch, name);
  const write = beginTrace(file, header(scenario));
  const run = { drive: 'directive', timeouts: {} };
  const marks: readonly Line[] = [{ from: 'kit', kind: 'mark', data: { run }, stream: '', conn: '' }];
  const all = [
    ...marks,
    ...lines,
    { from: 'kit', kind: 'mark' as const, data: { end: true }, stream: '', conn: '' },
  ];
  write(
    all.map((line, seq) => ({ to: 'kit', wire: 'fold', stream: '', conn: '', seq, at: seq * 10, ...line })),
  );
  return file;
}

async function judged(file: string): Promise<Report> {
  const { stdout } = await wireproof(['judge', file, '--json']);
  return JSON.parse(stdout) as Report;
}

const failures = ({ requirements }: Report) =>
  requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'MUST');

/** Two agents that come to the same gateway at the same time, and the operator's stream between. */
const operator = on('t1', 'gateway', { send: { content: 'hello', sender: 'me' } });
const [first, second] = [registers('s1', 'a-1', 'hello'), registers('s2', 'a-2', 'good day')];
const mixed = first.flatMap((line, i) => [line, { ...operator, wire: 'operator' }, second[i] ?? line]);

it('judges each of several agents by itself, and no operator', async () => {
  const report = await judged(record('both.jsonl', liveScenario, mixed));
  expect(failures(report)).toEqual([]);
  expect(report.notes).toContain('2 targets came, and each was judged by itself');
});

it('says which of several agents broke a requirement', async () => {
  const late = on('s2', 'target', { response: { request_id: 'r-a-2', text: 'and so on' } });
  const report = await judged(record('late.jsonl', liveScenario, [...mixed, late]));
  const failed = failures(report);
  expect(failed.map(({ id }) => id)).toEqual(['FOLD-A15']);
  expect(failed[0]?.evidence?.[0]?.trace).toMatch(/late\.jsonl \(a-2\)$/);
});

it('judges an agent that comes back under the id of its Welcome as the same agent', async () => {
  const [open, headers, register, , send] = registers('s1', 'a-1', 'hello');
  const welcome = on('s1', 'gateway', { welcome: { server_id: 's', agent_id: 'a-9', instance_id: 'i' } });
  const lines = [open, headers, register, welcome, send].flatMap((line) => line ?? []);
  const lost = on('s1', 'gateway', {}, 'reset');
  const report = await judged(
    record('again.jsonl', liveScenario, [...lines, lost, ...registers('s3', 'a-9', 'x')]),
  );
  expect(report.notes.join(' ')).not.toContain('targets came');
});

it('refuses data that is no message of the protocol, with the event', async () => {
  const lines = registers('s1', 'a-1', 'hello').map((line) =>
    line.data['register'] === undefined ? line : { ...line, data: { register: null } },
  );
  const file = record('odd.jsonl', 'say', lines);
  const { code, stderr } = await wireproof(['judge', file]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /odd\.jsonl: cannot judge event 3 \(.*null.*\): its data, or that of an earlier event, is no message of fold\/agent/,
  );
});
