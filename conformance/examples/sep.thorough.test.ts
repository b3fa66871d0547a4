/** The Python parser of SEP is conformant, judged by the built command as a stranger would judge it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { changed, example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

describe('sep_testee.py', () => {
  it('is a conformant parser, with every applicable MUST exercised', async (context) => {
    if (path === undefined) return context.skip(why);
    const target = [path, example('sep_testee.py')];
    const { report, failed, code, stderr } = await checked(['sep/parser'], target);
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

describe.skipIf(path === undefined)('sep_parser.py with one wrong line', () => {
  it.each([
    ['a tag that is split over chunks is text', 'elif not last and (', 'elif False and (', 'SEP-03'],
    ['a closing tag in a string ends an action', 'if found and not quoted:', 'if found:', 'SEP-20'],
    ['a thought ends at the first closing tag', 'if self.depth > 0:', 'if self.depth > 9:', 'SEP-16'],
  ])('%s: its row fails', async (_, right, wrong, row) => {
    const parser = changed('sep_parser.py', [[right, wrong]]);
    const testee = changed('sep_testee.py', [['from sep_parser import Parser, is_texts', parser]]);
    const { failed } = await checked(['sep/parser'], [path ?? '', '-c', testee]);
    expect(failed).toEqual([row]);
  });
});
