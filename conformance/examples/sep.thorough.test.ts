/** The Python parser and executor of SEP are conformant, judged by the built command as a stranger would judge them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checked, wireproof } from '../command.test-helper.ts';
import { changed, example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

describe('sep_testee.py', () => {
  it.each(['sep/parser', 'sep/executor'])(
    'is conformant to %s, with every applicable MUST exercised',
    async (suite) => {
      if (path === undefined) return console.warn(why);
      const target = [path, example('sep_testee.py')];
      const { report, failed, code, stderr } = await checked([suite], target);
      expect({ code, verdict: report?.verdict, failed, stderr }).toMatchObject({
        code: 0,
        verdict: 'conformant',
        failed: [],
      });
      expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
    },
  );

  it('answers what it does not know, and lines that are no request', (context) => {
    if (path === undefined) return context.skip(why);
    const input =
      '{"id":1,"op":"sep.guess"}\n[]\n{"id":2,"op":"sep.parse"}\nnonsense\n{"id":3,"op":"hello"}\n';
    const { stdout, status } = spawnSync(path, [example('sep_testee.py')], {
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown });
    expect(status).toBe(0);
    expect(answers).toMatchObject([
      { id: 1, unsupported: true },
      { id: null, error: { code: 'bad-input' } },
      { id: 2, error: { code: 'bad-input' } },
      { id: null, error: { code: 'bad-input' } },
      { id: 3, ok: { name: 'sep_testee.py' } },
    ]);
  });
});

describe.skipIf(path === undefined)('sep_parser.py with one wrong line', () => {
  it.each([
    ['a tag that is split over chunks is text', 'elif not last and (', 'elif False and (', 'SEP-03'],
    ['a closing tag in a string ends an action', 'if found and not quoted:', 'if found:', 'SEP-20'],
    ['a thought ends at the first closing tag', 'if self.depth > 0:', 'if self.depth > 9:', 'SEP-16'],
  ])('%s: its row fails', async (_, right, wrong, row) => {
    const parser = changed('sep_parser.py', [[right, wrong]]);
    const { failed } = await checked(['sep/parser'], [path ?? '', '-c', testeeOf(parser, '')]);
    expect(failed).toEqual([row]);
  });
});

describe.skipIf(path === undefined)('sep_executor.py with one wrong line', () => {
  it.each([
    [
      'what depends on a failed action runs',
      "elif other.state in ('failed', 'skipped'):",
      "elif other.state == 'skipped':",
      'SEP-34',
    ],
    [
      'a value becomes a text',
      'return found if known else self.missing(whole.group(2), where)',
      'return json.dumps(found) if known and not isinstance(found, str) else found if known else self.missing(whole.group(2), where)',
      'SEP-42',
    ],
    [
      'a retry is one too many',
      'if action.attempts <= retries:',
      'if action.attempts <= retries + 1:',
      'SEP-38',
    ],
  ])('%s: its row fails', async (_, right, wrong, row) => {
    const executor = changed('sep_executor.py', [
      [right, wrong],
      ['from sep_parser import Parser', ''],
    ]);
    const testee = testeeOf(readFileSync(example('sep_parser.py'), 'utf8'), executor);
    const { failed } = await checked(['sep/executor'], [path ?? '', '-c', testee]);
    expect(failed).toContain(row);
  });
});

/** A run in which what depends on a failed action is skipped, and a sync action delays another one. */
const run = {
  id: 1,
  op: 'sep.run',
  iterations: [
    [
      '<action type="tool" mode="async" id="bad">{"name":"bad"}</action>',
      '<action type="tool" mode="async" id="lost">{"name":"lost","depends_on":["bad"]}</action>',
      '<action type="tool" mode="sync" id="slow">{"name":"slow"}</action>',
      '<action type="tool" mode="async" id="next">{"name":"next"}</action>',
      '<response final="true">Done.</response>',
    ],
  ],
  providers: {
    bad: [{ after: 1, error: 'no' }],
    slow: [{ after: 2, output: 1 }],
    next: [{ after: 1, output: 1 }],
    lost: [{ output: 1 }],
  },
};

describe.skipIf(path === undefined)('the recording of a run of sep_executor.py', () => {
  it.each([
    ['as it is', '', '', undefined],
    [
      'with dependents of a failed action that get no outcome',
      "elif other.state in ('failed', 'skipped'):",
      "elif other.state == 'skipped':",
      'SEP-78',
    ],
    [
      'with sync actions that delay nothing',
      "if action.given['mode'] == 'sync' and",
      'if False and',
      'SEP-28',
    ],
  ])('%s is judged without a test', async (_, right, wrong, row) => {
    const executor = changed('sep_executor.py', [
      ...(right === '' ? [] : [[right, wrong] as const]),
      ['from sep_parser import Parser', ''],
    ]);
    const testee = testeeOf(readFileSync(example('sep_parser.py'), 'utf8'), executor);
    const { stdout } = spawnSync(path ?? '', ['-c', testee], {
      input: `${JSON.stringify(run)}\n`,
      encoding: 'utf8',
      timeout: 60_000,
    });
    const { ok } = JSON.parse(stdout) as { ok: { events: readonly { at: number }[] } };
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-sep-'));
    const file = join(folder, 'run.jsonl');
    writeFileSync(file, traceOf(ok.events));
    const judged = await wireproof(['judge', file, '--json']);
    rmSync(folder, { recursive: true });
    const report = JSON.parse(judged.stdout) as { requirements: readonly { id: string; verdict: string }[] };
    const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(row === undefined ? [] : [row]);
  });
});

/** The events of a run as a recording. */
function traceOf(events: readonly { at: number }[]): string {
  const head = { wireproof: 'trace/1', suite: 'sep/executor', revision: '1.1', seed: '0', started: 0 };
  const ends = { wire: 'sep', conn: 'c1', stream: 's1', from: 'target', to: 'tester', kind: 'message' };
  const lines = events.map((data, seq) => ({ seq, at: Math.round(data.at * 1000), ...ends, data }));
  return [{ ...head, scenario: 'live', target: 'sep_executor.py' }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** The testee as one file. */
const testeeOf = (parser: string, executor: string): string =>
  changed('sep_testee.py', [
    ['from sep_executor import Run', ''],
    ['from sep_parser import Parser, is_texts', `${parser}\n${executor}`],
  ]);
