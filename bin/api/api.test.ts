/** `wireproof/check`: checks and judges as functions, with the verdicts of the command. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { WireproofError } from '../../src/kit/base/index.ts';
import { simulateFoldAgent } from '../../src/fold/edge/simulate/index.ts';
import type { SimulatedFoldAgent } from '../../src/fold/edge/simulate/index.ts';
import { example, lateTextFault, reference } from '../run.test-helper.ts';
import { check, conformanceTests, expectConformance, judge, suites } from './index.ts';
import type { CheckOptions } from './index.ts';

const codec = { command: reference('testee', 'toon/codec') };
/** The example agent in one scenario. */
const plain = (agent: string): CheckOptions => ({
  suite: 'fold/agent',
  target: { command: [process.execPath, agent, '{address}'] },
  scenarios: ['plain-message'],
  timeouts: { handshake: '30s' },
});

const refusal = async (options: CheckOptions): Promise<readonly [string, string]> => {
  const error: unknown = await check(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof WireproofError)) throw new Error('expected a refusal', { cause: error });
  return [error.code, error.message];
};

describe('check', () => {
  it('gives the report and its traces, and writes nothing', async () => {
    const out = vi.spyOn(process.stdout, 'write');
    const err = vi.spyOn(process.stderr, 'write');
    const { exitCode } = process;
    const progress: string[] = [];
    const { report, traces } = await check({
      suite: 'toon/codec',
      target: codec,
      seed: '7',
      onProgress: (done, of) => progress.push(`${done}/${of}`),
    });
    expect([out.mock.calls, err.mock.calls, process.exitCode]).toEqual([[], [], exitCode]);
    vi.restoreAllMocks();
    expect(report).toMatchObject({ suite: 'toon/codec', verdict: 'conformant', seed: '7' });
    expect(report.scope.must.exercised).toBe(report.scope.must.applicable);
    expect(progress.length).toBeGreaterThan(1);
    expect(() => expectConformance(report)).not.toThrow();
    // The traces are judged again, by the same rules.
    const again = await Promise.all(traces.map((trace) => judge(trace)));
    expect(traces.length).toBeGreaterThan(0);
    expect(again.map(({ counts }) => counts.fail)).toEqual(traces.map(() => 0));
    expect(again.some(({ counts }) => counts.pass > 0)).toBe(true);
  });

  it('tells a violation with its excerpt, and the same of its trace', async () => {
    const { report, traces } = await check(plain(lateTextFault('api-late')));
    expect(report.verdict).toBe('not-conformant');
    const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(['FOLD-A15']);
    expect(() => expectConformance(report)).toThrow(/FOLD-A15 MUST: .*\n {4}.*\n[^]*late/);
    const evidence = failed[0]?.evidence?.[0]?.trace;
    const trace = traces.find(({ name }) => name === evidence);
    if (trace === undefined) throw new Error('no trace of the evidence');
    const judged = await judge(trace, { only: ['FOLD-A15'] });
    expect(judged.requirements.map(({ verdict }) => verdict)).toEqual(['fail']);
    expect(() => expectConformance(judged)).toThrow('FOLD-A15');
  });

  it('waits for a target that the test starts, and says where', async () => {
    const agents: Promise<SimulatedFoldAgent>[] = [];
    const { report } = await check({
      ...plain(''),
      target: { listen: '127.0.0.1:0' },
      drive: 'directive',
      onListening: (gateway, { again }) => {
        if (again === undefined) agents.push(simulateFoldAgent({ gateway }));
      },
    });
    await Promise.all(agents.map(async (agent) => (await agent).close()));
    expect(agents).toHaveLength(1);
    expect(report.counts).toMatchObject({ fail: 0, error: 0 });
    expect(report.counts.pass).toBeGreaterThan(5);
  });

  it('ends at its signal, with a partial report', async () => {
    const abort = new AbortController();
    const { report } = await check({
      ...plain(example),
      scenarios: [],
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    expect(report.interrupted).toBe(true);
    expect(() => expectConformance(report, { allowInconclusive: true })).toThrow(/interrupted/);
  });

  it("checks a target of a statement's file in its folder, and keeps nothing there", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-api-'));
    const statement = join(folder, 'wireproof.yaml');
    const [, program = '', ...words] = codec.command;
    writeFileSync(
      join(folder, 'codec.cjs'),
      `process.argv.push(...${JSON.stringify(words)});\nrequire(${JSON.stringify(program)});\n`,
    );
    const command = JSON.stringify([process.execPath, 'codec.cjs']);
    writeFileSync(
      statement,
      `targets:\n  mine: { suite: toon/codec, command: ${command} }\n  other: { suite: fold/agent }\n`,
    );
    const { report } = await check({ suite: 'toon/codec', statement, features: [], only: ['TOON-05'] });
    expect(report).toMatchObject({ verdict: 'partial', counts: { pass: 1, fail: 0 } });
    expect(readdirSync(folder).toSorted()).toEqual(['codec.cjs', 'wireproof.yaml']);
    expect(await refusal({ statement })).toEqual([
      'usage',
      `${statement} has several targets (mine, other): name the suite of one of them`,
    ]);
    rmSync(folder, { recursive: true });
  });

  it.each<[string, CheckOptions, RegExp]>([
    ['no suite', {}, /no suite/],
    [
      'an unknown suite',
      { suite: 'fold/agents' },
      /unknown suite "fold\/agents" \(did you mean fold\/agent\?\); the suites are agent/,
    ],
    ['no target', { suite: 'toon/codec' }, /the kit starts a target of toon\/codec itself/],
    ['an unknown feature', { suite: 'toon/codec', target: codec, features: ['x'] }, /the feature "x"/],
    ['an unknown timeout', { suite: 'toon/codec', target: codec, timeouts: { x: 5 } }, /no such timeout/],
    ['a time below 0', { suite: 'toon/codec', target: codec, timeoutScale: -1 }, /a number above 0/],
    ['no requirement', { suite: 'toon/codec', target: codec, only: ['X'] }, /leaves no requirement/],
    [
      'a statement that is none',
      { suite: 'toon/codec', target: codec, statement: { suite: 7 } as never },
      /the statement:\d+:\d+: not a statement: suite: expected text; came 7|not a statement/,
    ],
    ['a missing statement', { statement: 'none.yaml' }, /none\.yaml/],
    [
      'the statement of another suite',
      { suite: 'toon/codec', target: codec, statement: { suite: 'fold/agent' } },
      /the statement is for fold\/agent/,
    ],
  ])('refuses %s', async (_, options, sentence) => {
    const [code, message] = await refusal(options);
    expect(code).toBe('usage');
    expect(message).toMatch(sentence);
  });

  it('refuses a target that cannot be started', async () => {
    const [code, message] = await refusal({ ...plain(''), target: { command: ['./no-such-agent'] } });
    expect(code).toBe('environment');
    expect(message).toContain('no-such-agent');
  });

  it('takes a statement as a value, with its target', async () => {
    const expected_failures = [{ id: 'FOLD-A15', reason: 'known' }];
    const target = { command: [process.execPath, lateTextFault('api-known'), '{address}'] };
    const statement = { suite: 'fold/agent', target, expected_failures };
    const { report } = await check({
      statement,
      scenarios: ['plain-message'],
      timeouts: { handshake: 30_000 },
    });
    expect(report.requirements.find(({ id }) => id === 'FOLD-A15')?.expected_failure?.reason).toBe('known');
    expect(() => expectConformance(report, { allowInconclusive: true })).not.toThrow();
  });
});

describe('conformance tests', () => {
  it('pass, fail and are skipped as the requirements are', async () => {
    const { target, suite: _, ...options } = plain(lateTextFault('api-tests'));
    const tests = await conformanceTests('fold/agent', target ?? { command: [] }, options);
    const ends = tests.map(({ name, skip, run }) => {
      if (skip !== false) return `skip ${skip}`;
      try {
        run();
        return 'pass';
      } catch (error) {
        return `${name.split(' ')[0]}: ${(error as Error).message}`;
      }
    });
    expect(ends.filter((end) => end === 'pass').length).toBeGreaterThan(5);
    expect(ends.filter((end) => end.startsWith('FOLD'))).toEqual([
      expect.stringMatching(/^FOLD-A15: FOLD-A15 MUST/),
    ]);
    expect(ends.some((end) => end.startsWith('skip not-observed: '))).toBe(true);
  });

  it('end with one that a MUST was not exercised, unless that is allowed', async () => {
    const session = 'fixtures/toon/sessions/TOON-01.orchestrator.good.jsonl';
    const report = await judge(session);
    expect(report.verdict).toBe('inconclusive');
    expect(() => expectConformance(report)).toThrow(
      /^inconclusive: \d+ of \d+ applicable MUSTs exercised\n {2}TOON-\d+ not-observed: /,
    );
    expect(() => expectConformance(report, { allowInconclusive: true })).not.toThrow();
    const empty = await judge([], { suite: 'toon/orchestrator' });
    expect(() => expectConformance(empty, { allowInconclusive: true })).toThrow('nothing was exercised');
  });
});

describe('judge', () => {
  it('refuses what is no trace, and events without a suite', async () => {
    await expect(judge([])).rejects.toThrow('events without a header: name their suite');
    await expect(judge([{ seq: 0 } as never], { suite: 'fold/agent' })).rejects.toThrow(
      /event 0: not an event of a trace/,
    );
    await expect(judge([], { suite: 'x/y' })).rejects.toThrow('unknown suite "x/y"');
    await expect(judge('none.jsonl')).rejects.toThrow('no such file');
  });
});

it('the suites are those of the command', () => {
  expect(suites).toContain('fold/agent');
  expect(suites).toContain('toon/codec');
});
