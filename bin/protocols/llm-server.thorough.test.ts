/** `wireproof check llm/server` in the dialects that llm-server.test.ts leaves out, and with a witness. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/llm/index.ts';
import { checked, daily, failed, holdConformantIn } from './llm-server.test-helper.ts';

describe('wireproof check llm/server with a command', () => {
  for (const dialect of dialects.filter((one) => !daily.includes(one))) holdConformantIn(dialect);

  it('finds the server conformant in Open Responses, with every MUST exercised', async () => {
    const asked = ['--drive', 'openai-responses', '--profile', 'open-responses'];
    const { code, report } = await checked(asked, { PROFILE: '1' });
    expect([failed(report), report.verdict, code]).toEqual([[], 'conformant', 0]);
  });

  it('sees by --witness that a server stops generating when its client leaves', async () => {
    const asked = ['--drive', 'openai-chat', '--only', 'LLM-S15'];
    const { report } = await checked(asked);
    expect(report.requirements[0]).toMatchObject({
      verdict: 'untestable',
      reason: expect.stringContaining('--witness /metrics'),
    });
    const seen = await checked([...asked, '--witness', '/metrics']);
    expect(seen.report.requirements[0]?.verdict).toBe('pass');
    const drains = await checked([...asked, '--witness', '/metrics', '--strict'], { DRAIN: '1' });
    expect(drains.code).toBe(1);
    expect(drains.report.requirements[0]?.message).toMatch(
      /later the witness counts 1, and 0 when it was idle/,
    );
  });
});
