/** The live view of an executor: its lines, its trace, and the rules about that trace. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { fakeRun } from '../../../src/kit/simulate/run.test-helper.ts';
import { playRun } from '../../../src/sep/index.ts';
import { Screen } from './live/screen.ts';
import { play } from './simulator.ts';
import { sepExecutorSuite } from './suite.ts';

/** The events of a run of the output on stdin. */
async function played(
  output: string,
  flags: Parameters<typeof fakeRun>[0] = {},
): Promise<readonly TraceEvent[]> {
  const fake = fakeRun(flags);
  fake.stdin.end(output);
  expect(await play(fake.run)).toBe('conformant');
  return fake
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEvent);
}

/** Issue 15: a sync, an async, a failing and a skipped action. */
const iterations = [
  [
    '<thought>I look.</thought><action type="tool" mode="sync" id="a">{"name":"clock","parameters":{"zone":"CET"}}</action>',
    '<action type="tool" mode="async" id="b">{"name":"fetch","retry":1}</action>',
    '<action type="tool" mode="async" id="c">{"name":"mail","depends_on":["b"]}</action>',
    '<response final="true">It is $a.</response>',
  ],
];
const providers = { clock: [{ after: 1.5, output: 'noon' }], fetch: [{ after: 0.25, error: 'no network' }] };

describe('the screen', () => {
  it('puts text together, and shows each change of an action', () => {
    const lines: string[] = [];
    const screen = new Screen((at, text) => void lines.push(`${at} ${text}`));
    for (const event of playRun({ iterations, providers }).events) screen.take(event);
    expect(lines).toEqual([
      '0 thought: I look.',
      '0 a runs: tool clock, sync {"zone":"CET"}',
      '0 b waits: tool fetch, async',
      '0 c waits for b: tool mail, async',
      '1.5 a is done after 1.50 s: "noon"',
      '1.5 b runs: tool fetch, async {}',
      '1.5 response: It is noon.',
      '2 b failed after 0.50 s, 2 attempts: no network',
      '2 c is skipped because of b',
      '2 finished: the model gave a final response',
    ]);
  });

  it('tells advice from remarks about faults', () => {
    const lines: string[] = [];
    const screen = new Screen((_, text) => void lines.push(text));
    const output = '<action type="tool" mode="sync" id="a">{"name":"a"}</action>';
    const { events } = playRun({
      iterations: [[`${output}${output.replaceAll('"a"', '"b"')}<action type="tool" mode="sync"/>`]],
      advice: true,
    });
    for (const event of events) screen.take(event);
    expect(lines.filter((line) => /^(advice|remark)/.test(line))).toEqual([
      expect.stringMatching(/^remark: .* \(body-json, at character \d+\)$/),
      expect.stringMatching(/^advice: a, b are sync.* \(advice-sync\)$/),
    ]);
  });
});

it('the screen shows parts, rollbacks and stale feeds', () => {
  const lines: string[] = [];
  const screen = new Screen((at, text) => void lines.push(`${at} ${text}`));
  const source = { type: 'remote', name: 'load', url: 'http://127.0.0.1:1', params: {} } as const;
  const rollback = (id: string): string =>
    `<action type="tool" mode="sync" id="${id}">{"name":"${id}","rollback":{"name":"undo"}}</action>`;
  const { events } = playRun({
    iterations: [
      [
        `${rollback('a')}${rollback('b')}<action type="tool" mode="sync" id="c">{"name":"c","on_error":"fail"}</action>`,
      ],
    ],
    providers: {
      a: [{ after: 1, output: 1, parts: [{ output: { done: 0.5 } }] }],
      b: [{ output: 1 }],
      c: [{ error: 'no' }],
      undo: [{ error: 'is gone' }, { output: 1 }],
    },
    feeds: { feeds: [{ id: 'load', trigger: 'on_demand', enabled: true, source }] },
    sources: () => ({ value: 0.5, stale: true }),
    extensions: { rollback: true, partial_results: true, distributed_feeds: true },
  });
  for (const event of events) screen.take(event);
  expect(lines).toEqual([
    '0 feed load (stale): 0.5',
    '0 a runs: tool a, sync {}',
    '0 b waits: tool b, sync',
    '0 c waits: tool c, sync',
    '0 a part 0: {"done":0.5}',
    '1 a is done after 1.00 s: 1',
    '1 b runs: tool b, sync {}',
    '1 b is done after 0.00 s: 1',
    '1 c runs: tool c, sync {}',
    '1 c failed after 0.00 s: no',
    '1 b is being undone',
    '1 b is not undone: is gone',
    '1 a is being undone',
    '1 a is undone',
    '1 finished: an action with on_error fail has failed',
  ]);
});

describe('simulate sep/executor', () => {
  it('plays parts and rollbacks of a script, in a trace that breaks no rule', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
    const script = join(folder, 'run.yaml');
    writeFileSync(
      script,
      `iterations:
  - >-
    <action type="tool" mode="async" id="a">{"name":"book","rollback":{"name":"cancel","parameters":{"of":"$a"}}}</action>
    <action type="tool" mode="async" id="b">{"name":"pay","depends_on":["a"],"on_error":"fail"}</action>
    <thought>I go on while it is undone.</thought><action type="tool" mode="async" id="late">{"name":"mail"}</action>
piece: 300
pace: 0.02
providers:
  book: [{ output: 7, parts: [{ output: seat }] }]
  pay: [{ error: no money }]
  cancel: [{ after: 0.1, output: 1 }]
`,
    );
    const judged = async (extension: readonly string[]): Promise<readonly string[]> => {
      const fake = fakeRun({ script, extension });
      await play(fake.run);
      const events = fake
        .out()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TraceEvent);
      const judge = new Judge(sepExecutorSuite.judging);
      judge.onViolation = (id) => expect(id).toBeUndefined();
      for (const event of events) judge.step(event);
      return events.flatMap(({ data }) =>
        ['partial', 'rollback', 'finished'].includes(String(data['type']))
          ? [`${String(data['type'])} ${String(data['status'] ?? data['output'] ?? data['reason'])}`]
          : [],
      );
    };
    expect(await judged(['rollback', 'partial_results'])).toEqual([
      'partial seat',
      'rollback started',
      'rollback completed',
      'finished failed',
    ]);
    expect(await judged([])).toEqual(['finished failed']);
    rmSync(folder, { recursive: true });
  });

  it('fetches the feeds of a manifest before the output is read, and keeps their values (SEP-67, SEP-88)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
    const manifest = join(folder, 'manifest.yaml');
    writeFileSync(
      manifest,
      `context_feeds:
  - { id: zone, type: internal, source: { type: internal, action: env, params: { names: [SET] } } }
  - { id: load, type: tool, source: { type: tool, name: top, params: { of: $zone } } }
`,
    );
    const fake = fakeRun({ manifest });
    fake.stdin.end('<response>$load</response>');
    expect(await play(fake.run)).toBe('conformant');
    rmSync(folder, { recursive: true });
    const seen = fake
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as TraceEvent).data)
      .filter(({ type }) => type === 'context_feed' || type === 'response');
    expect(seen).toMatchObject([
      { type: 'context_feed', id: 'zone', text: '{"SET":"value"}', runtime: true },
      { type: 'context_feed', id: 'load', text: '{"name":"top","parameters":{"of":{"SET":"value"}}}' },
      { type: 'response', text: '{"name":"top","parameters":{"of":{"SET":"value"}}}' },
    ]);
  });

  it('answers an action without a provider with its name and parameters', async () => {
    const events = await played(iterations.flat().join(''));
    expect(events.map(({ data }) => data).filter(({ type }) => type === 'completed')).toMatchObject([
      { id: 'a', output: { name: 'clock', parameters: { zone: 'CET' } } },
      { id: 'b', output: { name: 'fetch' } },
      { id: 'c', output: { name: 'mail' } },
    ]);
  });

  it('writes a trace that the rules can judge', async () => {
    const judge = new Judge(sepExecutorSuite.judging);
    const violated: string[] = [];
    judge.onViolation = (id) => void violated.push(id);
    for (const event of await played(iterations.flat().join(''))) judge.step(event);
    expect(violated).toEqual([]);
    for (const row of ['SEP-28', 'SEP-31', 'SEP-78'])
      expect(judge.found.get(row)?.exercised).toBeGreaterThan(0);
  });

  it('gives advice with --advice alone, and no rule blames it', async () => {
    const fetches = ['fetch1', 'fetch2']
      .map((id) => `<action type="tool" mode="sync" id="${id}">{"name":"fetch"}</action>`)
      .join('');
    const diagnostics = (events: readonly TraceEvent[]): unknown[] =>
      events.map(({ data }) => data).filter(({ type }) => type === 'diagnostic');
    expect(diagnostics(await played(fetches))).toEqual([]);
    expect(diagnostics(await played(fetches, { advice: true }))).toMatchObject([
      { level: 'info', code: 'advice-sync' },
    ]);
  });

  it('ends with an unfinished output', async () => {
    const events = await played('<thought>I was cut');
    expect(events.at(-1)?.data).toMatchObject({ type: 'finished', reason: 'max_iterations' });
  });

  it('stops at an interrupt', async () => {
    const fake = fakeRun();
    fake.stdin.write('<thought>I go on and on');
    const ended = play(fake.run);
    fake.interrupt();
    expect(await ended).toBe('interrupted');
    expect(fake.out()).toContain('"cancelled"');
  });
});
