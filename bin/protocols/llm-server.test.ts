/** `wireproof check llm/server` as a user runs it: a server that the kit starts, its model, its key, and the `again:` line. */
import { describe, expect, it } from 'vitest';
import { wireproof } from '../run.test-helper.ts';
import { checked, daily, holdConformantIn, refusing } from './llm-server.test-helper.ts';

describe('wireproof check llm/server with a command', () => {
  for (const dialect of daily) holdConformantIn(dialect);

  it('asks for the model of --model, with the key of --token-env', async () => {
    const env = { KEY: 'abc', MODEL: 'my-model', MY_KEY: 'abc' };
    const asked = ['--drive', 'openai-chat', '--only', 'LLM-S02'];
    const { code } = await checked([...asked, '--model', 'my-model', '--token-env', 'MY_KEY'], env);
    expect(code).toBe(0);
    const refused = await checked([...asked, '--token-env', 'MY_KEY'], env);
    expect(refused.code).toBe(4);
    expect(refused.report.requirements[0]?.reason).toMatch(
      /came 404 \{"error":\{"message":"no such model"\}\}/,
    );
  });

  it('says what a server that refuses all requests answered, and exits with 4', async () => {
    const { code, report } = await checked(['--drive', 'openai-chat', '--only', 'LLM-S02'], {}, refusing);
    expect(code).toBe(4);
    expect(report.notes.join()).toMatch(
      /the server refused all \d+ requests; the first answer was 401 \{"error":\{"message":"no key".*--token-env NAME/,
    );
  });

  it('says how to see a failure again, with --drive and --model', async () => {
    const asked = ['--drive', 'openai-chat', '--model', 'm', '--only', 'LLM-S23', '--strict'];
    const { code, report } = await checked(asked, { LIE: '1' });
    expect(code).toBe(1);
    const [row] = report.requirements;
    expect(row?.replay).toContain('--drive openai-chat --model m');
  });

  it('refuses --model for a target that is asked for no model', async () => {
    const { code, stderr } = await wireproof(['check', 'fold/agent', '--model', 'm', '--', 'true']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('asks a target of fold/agent for no model')]);
  });

  it.for([
    ['llm/server', 'metrics', 'expected a path such as /metrics'],
    ['fold/gateway', '/metrics', 'leave the flag out'],
  ])('refuses --witness: %s %s', async ([suite = '', page = '', why = '']) => {
    const drive = suite === 'llm/server' ? ['--drive', 'ollama'] : [];
    const { code, stderr } = await wireproof(['check', suite, ...drive, '--witness', page, '--', 'true']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('refuses the profile of Open Responses for another dialect', async () => {
    const asked = ['--drive', 'ollama', '--profile', 'open-responses', '--', 'true'];
    const { code, stderr } = await wireproof(['check', 'llm/server', ...asked]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the profile open-responses of llm/server is for --drive openai-responses'),
    ]);
  });

  it('has a statement of its own', async () => {
    const { stdout } = await wireproof(['init', 'llm/server', '--stdout']);
    for (const text of ["'{port}'", 'drive: openai-chat', '#   model: my-model', '#   token_env: MY_TOKEN'])
      expect(stdout).toContain(text);
  });
});
