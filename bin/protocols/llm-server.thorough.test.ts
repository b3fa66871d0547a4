/** `wireproof check llm/server` in the dialects that llm-server.test.ts leaves out, and with a witness. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/llm/index.ts';
import { checked, daily, failed, holdConformantIn, verdicts } from './llm-server.test-helper.ts';

describe('wireproof check llm/server with a command', () => {
  for (const dialect of dialects.filter((one) => !daily.includes(one))) holdConformantIn(dialect);

  it('finds the server conformant in Open Responses, with every MUST exercised', async () => {
    const asked = ['--drive', 'openai-responses', '--profile', 'open-responses'];
    const { code, report } = await checked(asked, { PROFILE: '1' });
    expect([failed(report), report.verdict, code]).toEqual([[], 'conformant', 0]);
  });

  it('judges by Open Responses with its profile only, and says so in the command that repeats it', async () => {
    const rows = ['--only', 'LLM-S33', '--only', 'LLM-S60'];
    const plain = await checked([...rows, '--drive', 'openai-responses']);
    expect(verdicts(plain.report)).toEqual({ 'LLM-S33': 'pass', 'LLM-S60': 'not-applicable' });
    const { code, report } = await checked([...rows, '--profile', 'open-responses']);
    expect(verdicts(report)).toEqual({ 'LLM-S33': 'not-applicable', 'LLM-S60': 'fail' });
    expect(report.requirements[0]?.reason).toMatch(/^Open Responses says otherwise/);
    expect(report.requirements[1]?.replay).toContain('--profile open-responses');
    expect(code).toBe(1);
    const open = await checked([...rows, '--drive', 'openai-responses', '--profile', 'open-responses'], {
      PROFILE: '1',
    });
    expect(verdicts(open.report)).toEqual({ 'LLM-S33': 'not-applicable', 'LLM-S60': 'pass' });
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
