/** The Python parser and executor of SEP are conformant, judged by the built command as a stranger would judge them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/kit/base/index.ts';
import { sepManifestTestee } from '../../src/sep/edge/index.ts';
import { agentManifest } from '../../src/sep/manifest/source.test-helper.ts';
import { checked, wireproof } from '../command.test-helper.ts';
import { changed, example, python38, pythonFor } from './python.test-helper.ts';

const { path, why } = python38();
const yaml = pythonFor('import yaml', 'python3-yaml');

/** The answer of the testee to one request. */
function answerOf(python: string, request: object, more: readonly string[] = []): unknown {
  const { stdout } = spawnSync(python, [...more, example('sep_testee.py')], {
    input: `${JSON.stringify(request)}\n`,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

describe('sep_testee.py', () => {
  it('is conformant to sep/executor, with every applicable MUST exercised', async (context) => {
    if (path === undefined) return context.skip(why);
    const target = [path, example('sep_testee.py')];
    const { report, failed, code, stderr } = await checked(['sep/executor'], target);
    expect({ code, verdict: report?.verdict, failed, stderr }).toMatchObject({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });

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

/** The example "Accessing Feeds in Actions" of the document, and an internal action that the manifest denies. */
const manifestRun = {
  id: 1,
  op: 'sep.run',
  iterations: [
    [
      '<action type="tool" mode="sync" id="log_event">{"name":"logger","parameters":{"timestamp":"$current_datetime","system_load":"$system_metrics"}}</action>',
      '<action type="internal" mode="sync" id="u">{"name":"update_context_feed","parameters":{"id":"system_metrics","interval":60}}</action>',
    ],
    ['<response>$system_metrics</response>'],
  ],
  manifest: `${agentManifest}
internal_actions: { allowed_actions: [add_context_feed, remove_context_feed] }
`,
  providers: { logger: [{ after: 40, output: 'ok' }] },
  feeds: { system_monitor_tool: [{ cpu: 45.2 }, { cpu: 9 }] },
  now: '2024-06-15T12:34:56Z',
};

describe.skipIf(yaml.path === undefined)('sep_testee.py with PyYAML', () => {
  it('answers a run with a manifest as the reference does', () => {
    const { ok } = answerOf(yaml.path ?? '', manifestRun) as { ok: JsonObject };
    const reference = sepManifestTestee(manifestRun) as { ok: JsonObject };
    expect(stepsOf(ok)).toEqual(stepsOf(reference.ok));
    expect(stepsOf(ok)).toContainEqual({
      type: 'started',
      id: 'log_event',
      parameters: { timestamp: '2024-06-15T12:34:56Z', system_load: { cpu: 45.2 } },
      at: 0,
    });
    expect(ok['transcripts']).toEqual([
      expect.stringMatching(
        /^<context_feed id="current_datetime">\n2024-06-15T12:35:36Z\n<\/context_feed>\n/,
      ),
    ]);
  });
});

/** The events of a run about feeds and actions, without the words of errors. */
const stepsOf = ({ events }: JsonObject): unknown[] =>
  (events as JsonObject[]).flatMap((event) => {
    const { error, ...step } = event;
    const isStep = /^(context_feed|started|completed|failed|response|finished)$/.test(String(event['type']));
    return isStep ? [{ ...step, ...(error !== undefined && { error: 'some words' }) }] : [];
  });

describe.skipIf(path === undefined)('sep_testee.py without PyYAML', () => {
  it('claims no manifests, and refuses them with the reason', () => {
    // Without the packages that were installed next to the standard library.
    const alone = ['-E', '-S'];
    expect(answerOf(path ?? '', manifestRun, alone)).toMatchObject({
      error: { code: 'bad-input', message: expect.stringContaining('they need PyYAML') as string },
    });
    const { ok } = answerOf(path ?? '', { id: 2, op: 'hello' }, alone) as { ok: { features: string[] } };
    expect(ok.features).not.toContain('manifests');
    expect(ok.features).toContain('internal_actions');
  });
});

describe.skipIf(path === undefined)('sep_parser.py with one wrong line', () => {
  it.each([
    ['a tag that is split over chunks is text', 'elif not last and (', 'elif False and (', 'SEP-03'],
    ['a closing tag in a string ends an action', 'if found and not quoted:', 'if found:', 'SEP-20'],
    ['a thought ends at the first closing tag', 'if self.depth > 0:', 'if self.depth > 9:', 'SEP-16'],
  ])('%s: its row fails', async (_, right, wrong, row) => {
    const testee = testeeWith('sep_parser', [[right, wrong]]);
    const { failed } = await checked(['sep/parser'], [path ?? '', '-c', testee]);
    expect(failed).toEqual([row]);
  });
});

describe.skipIf(path === undefined)('the executor with one wrong line', () => {
  it.each([
    [
      'sep_executor',
      'what depends on a failed action runs',
      "elif other.state in ('failed', 'skipped'):",
      "elif other.state == 'skipped':",
      'SEP-34',
    ],
    [
      'sep_values',
      'a value becomes a text',
      'return found if known else missing(whole.group(2))',
      'return text_of(found) if known else missing(whole.group(2))',
      'SEP-42',
    ],
    [
      'sep_executor',
      'a retry is one too many',
      'if action.attempts <= retries:',
      'if action.attempts <= retries + 1:',
      'SEP-38',
    ],
  ])('%s.py: %s: its row fails', async (file, _, right, wrong, row) => {
    const testee = testeeWith(file, [[right, wrong]]);
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
    const testee = testeeWith('sep_executor', right === '' ? [] : [[right, wrong]]);
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

/** The testee with text of one of its modules replaced, for `python -c`. */
function testeeWith(file: string, changes: Parameters<typeof changed>[1]): string {
  const source = JSON.stringify(changed(`${file}.py`, changes));
  return `
import runpy, sys, types
sys.path.insert(0, ${JSON.stringify(dirname(example('sep_testee.py')))})
module = sys.modules['${file}'] = types.ModuleType('${file}')
exec(${source}, module.__dict__)
runpy.run_path(${JSON.stringify(example('sep_testee.py'))}, run_name='__main__')
`;
}
