/** The simulated peers of TOON in tests: what they show, how waits end, and both carriers. */
import { describe, expect, it } from 'vitest';
import { directive } from '../directive.ts';
import { simulateToonOrchestrator, simulateToonSubagent } from './index.ts';

const tools = { clock: { success: true, data: '12:00' } };

describe.each(['tcp', 'ws'] as const)('over %s', (carrier) => {
  it('an orchestrator shows what a subagent did', async () => {
    const orchestrator = await simulateToonOrchestrator({ carrier, tools, within: 5000 });
    const subagent = await simulateToonSubagent({ connect: orchestrator.url, within: 5000 });
    const task = await orchestrator.instruct(
      directive([
        { say: 'at it', progress: 0.5 },
        { tool: { name: 'clock', args: { zone: 'UTC' }, requestId: 'c1' } },
        { context: { type: 'file', path: 'a.txt' } },
      ]),
    );
    expect(task.end).toBe('completed');
    expect(task.statuses[0]).toEqual({ status: 'at it', progress: 0.5 });
    expect(task.tools).toMatchObject([
      { call: { toolName: 'clock', args: { zone: 'UTC' } }, result: { success: true, data: '12:00' } },
    ]);
    expect(task.contexts).toMatchObject([{ request: { path: 'a.txt' }, response: {} }]);
    const failed = await orchestrator.instruct(directive([{ fail: { code: 'NO', message: 'no' } }]));
    expect(failed).toMatchObject({ end: 'error', errors: [{ code: 'NO', message: 'no' }] });
    expect(await subagent.task(1)).toEqual(failed);
    expect(orchestrator.received.map(({ type }) => type)).toEqual(subagent.sent.map(({ type }) => type));
    expect(orchestrator.sent.map(({ type }) => type)).toEqual(subagent.received.map(({ type }) => type));
    expect(orchestrator.trace.map(({ seq }) => seq)).toEqual(orchestrator.trace.map((_, i) => i));
    await subagent.close();
    await orchestrator.close();
  });

  it('a subagent listens, too', async () => {
    const subagent = await simulateToonSubagent({ carrier, within: 5000 });
    const orchestrator = await simulateToonOrchestrator({ connect: subagent.url, within: 5000 });
    expect((await orchestrator.instruct('Say hello.')).end).toBe('completed');
    expect(subagent.tasks).toHaveLength(1);
    await orchestrator.close();
    await subagent.close();
  });
});

describe('a wait that ends', () => {
  it('says what is missing', async () => {
    const orchestrator = await simulateToonOrchestrator({ within: 50 });
    await expect(orchestrator.instruct('hello')).rejects.toThrow(
      `no connection is open at ${orchestrator.address} (waited 50 ms)`,
    );
    const subagent = await simulateToonSubagent({ connect: orchestrator.address, within: 50 });
    await expect(orchestrator.instruct(directive([{ say: 'a' }, { hold: true }]))).rejects.toThrow(
      /did not end; so far came "a" \(waited 50 ms\)/,
    );
    await expect(subagent.task(3)).rejects.toThrow('instruction 4 did not come; 1 came (waited 50 ms)');
    await subagent.close();
    await expect.poll(() => orchestrator.tasks[0]?.end).toBe('lost');
    await orchestrator.close();
  });

  it('refuses an address that is none', async () => {
    await expect(simulateToonSubagent({ connect: 'here' })).rejects.toThrow(
      'connect here: expected host:port, such as 127.0.0.1:50071, or the URL of a WebSocket',
    );
  });
});
