/** The Python parser and executor of SEP are conformant, judged by the built command as a stranger would judge them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
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

/** The testee as one file. */
const testeeOf = (parser: string, executor: string): string =>
  changed('sep_testee.py', [
    ['from sep_executor import Run', ''],
    ['from sep_parser import Parser, is_texts', `${parser}\n${executor}`],
  ]);
