/** The Python token manager is conformant, judged by the built command as a stranger would judge it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { changed, example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

describe('tokens_testee.py', () => {
  it('fails a row when one line of it is wrong, and dies of no request', async (context) => {
    if (path === undefined) return context.skip(why);
    const wrong = changed('tokens_testee.py', [['self.ratio > 0.8', 'self.ratio >= 0.8']]);
    const { report, failed, code } = await checked(['tokens/manager'], [path, '-c', wrong]);
    expect({ code, verdict: report?.verdict, failed }).toEqual({
      code: 1,
      verdict: 'not-conformant',
      failed: ['TOK-22', 'TOK-33'],
    });
  });

  it('answers what it does not know, and lines that are no request', (context) => {
    if (path === undefined) return context.skip(why);
    const input =
      '{"id":1,"op":"tokens.guess"}\n[]\n{"id":2,"op":"tokens.estimate"}\nnonsense\n{"id":3,"op":"hello"}\n';
    const { stdout, status } = spawnSync(path, [example('tokens_testee.py')], {
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
      { id: 3, ok: { name: 'tokens_testee.py' } },
    ]);
  });
});
