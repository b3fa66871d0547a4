/** `wireproof/vitest`: a test for each requirement, and matchers for traces and simulated peers. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { simulateFoldAgent, simulateFoldGateway } from '../../src/fold/edge/simulate/index.ts';
import { script } from '../../src/llm/index.ts';
import { simulateLlm } from '../../src/llm/edge/index.ts';
import { simulateToonOrchestrator, simulateToonSubagent } from '../../src/toon/edge/index.ts';
import { lateTextFault, reference } from '../run.test-helper.ts';
import { describeConformance } from './vitest.ts';

describeConformance(
  'toon/codec',
  { command: reference('testee', 'toon/codec') },
  { name: 'the reference codec of TOON', only: ['TOON-0*'] },
);

describe('matchers', () => {
  it('judge a simulated gateway by its agent', async () => {
    const gateway = await simulateFoldGateway();
    const agent = await simulateFoldAgent({ gateway: gateway.address, agent_id: 'a-1' });
    await gateway.agent();
    await gateway.send('hello');
    await expect(gateway).toConformTo('fold/agent');
    expect(gateway).toHaveSent({ register: { agent_id: 'a-1' } });
    expect(gateway).toHaveSent({ response: { done: expect.anything() } });
    expect(gateway).not.toHaveSent({ register: { agent_id: 'a-2' } });
    expect(() => expect(gateway).toHaveSent({ goodbye: {} })).toThrow(
      /expected a message with {"goodbye":{}}; these came:\n {2}{"register":/,
    );
    await agent.close();
    await gateway.close();
  });

  it('judge a simulated provider by its client', async () => {
    const llm = await simulateLlm(script().text('Hello.'));
    await expect(expect(llm).toConformTo('llm/client')).rejects.toThrow(
      'nothing in it exercises a requirement',
    );
    const body = JSON.stringify({
      ...{ model: 'm', max_tokens: 9, stream: true },
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
    };
    await (await fetch(`${llm.url}/v1/messages`, { method: 'POST', body, headers })).text();
    expect(llm.trace).toHaveSent({ body: { model: 'm' } });
    expect(llm).not.toHaveSent({ body: { model: 'n' } });
    await llm.close();
  });

  it('judge a simulated orchestrator by its subagent', async () => {
    const orchestrator = await simulateToonOrchestrator();
    const subagent = await simulateToonSubagent({ connect: orchestrator.address });
    await orchestrator.instruct('hello');
    await subagent.close();
    await expect(orchestrator).toConformTo('toon/subagent');
    await expect(expect(orchestrator).not.toConformTo('toon/subagent')).rejects.toThrow(
      /expected the trace to violate toon\/subagent; \d+ requirements/,
    );
    await expect(subagent).toConformTo('toon/orchestrator');
    await orchestrator.close();
  });

  it('refuse what has no trace', async () => {
    expect(() => expect({}).toHaveSent({})).toThrow(
      'expected a trace (a list of events), or a simulated peer',
    );
    await expect(expect(7).toConformTo('fold/agent')).rejects.toThrow('expected a trace');
  });
});

describe('describeConformance', () => {
  const folder = mkdtempSync(join(packageRoot(), 'node_modules/.cache/wireproof-vitest-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fails with the message and the excerpt, and skips with the reason', { timeout: 120_000 }, async () => {
    const target = { command: [process.execPath, lateTextFault('vitest-late'), '{address}'] };
    writeFileSync(
      join(folder, 'agent.test.mjs'),
      `import { describeConformance } from ${JSON.stringify(join(packageRoot(), 'dist/doors/vitest.js'))};
       describeConformance('fold/agent', ${JSON.stringify(target)}, { scenarios: ['plain-message'] });`,
    );
    const vitest = join(packageRoot(), 'node_modules/vitest/vitest.mjs');
    const stdout = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        [vitest, 'run', '--root', folder, '--reporter', 'json'],
        { cwd: folder, maxBuffer: 64 << 20 },
        (_, text) => resolve(text),
      ),
    );
    const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      readonly testResults: readonly {
        readonly assertionResults: readonly {
          readonly title: string;
          readonly status: string;
          readonly failureMessages: readonly string[];
        }[];
      }[];
    };
    const tests = testResults[0]?.assertionResults ?? [];
    const failed = tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ title }) => title.split(' ')[0])).toEqual(['FOLD-A15']);
    expect(failed[0]?.failureMessages[0]).toMatch(/FOLD-A15 MUST: .*\n {4}[^]*late/);
    expect(tests.filter(({ status }) => status === 'passed').length).toBeGreaterThan(5);
    expect(tests.filter(({ status }) => status === 'skipped').length).toBeGreaterThan(0);
  });
});
