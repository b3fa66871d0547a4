/** The Python examples of TOON are conformant, judged by the built command as a stranger would judge them. */
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { example, python38 } from './python.test-helper.ts';

const { path, why } = python38();

/** Long enough for a busy machine to start a target and to hear its answer; no scenario waits for them to pass. */
const patient = ['handshake', 'prompt', 'answer', 'step'].flatMap((name) => ['--timeout', `${name}=30s`]);
const subagent = ['toon/subagent', ...patient];

/** Each example on each of its carriers: what comes before `--` and after it. */
const checks: readonly (readonly [title: string, before: readonly string[], after: readonly string[]])[] = [
  ['toon_subagent.py over stdio', [...subagent, '--carrier', 'stdio'], ['toon_subagent.py']],
  ['toon_subagent.py over TCP', subagent, ['toon_subagent.py', '{address}']],
  ['toon_subagent.py over WebSocket', [...subagent, '--carrier', 'ws'], ['toon_subagent.py', '{url}']],
];

describe.each(checks)('%s', (_, before, [file = '', ...rest]) => {
  it('is conformant, with every applicable MUST exercised', async (context) => {
    if (path === undefined) return context.skip(why);
    const { report, code, stderr } = await checked(before, [path, example(file), ...rest]);
    const failed = report?.requirements.filter(({ verdict }) => verdict === 'fail');
    expect({ code, verdict: report?.verdict, failed, stderr }).toMatchObject({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
  });
});
