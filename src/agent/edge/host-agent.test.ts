/** A whole agent on real sockets, between a gateway and a provider. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { dialGrpc, dialHttp, serveGrpc } from '../../kit/transport/index.ts';
import { Host, realClock, seededRandom } from '../../kit/world/index.ts';
import { agentCodec, agentPaths, scriptedGateway, serverCodec } from '../../fold/index.ts';
import type { AgentMessage } from '../../fold/index.ts';
import { dialects, script } from '../../llm/index.ts';
import { serveScript } from '../../llm/edge/index.ts';
import { runTool } from '../tools/tools.ts';
import { agentDial, hostAgent } from './host-agent.ts';

it.each(dialects)('with %s: a request runs a program, and gets its answer', async (dialect) => {
  const heard: AgentMessage[] = [];
  const clock = realClock();
  const gateway = new Host({
    role: scriptedGateway(),
    clock,
    receives: agentCodec,
    sends: serverCodec,
    tap: (event) => {
      if (event.kind === 'message' && event.incoming) heard.push(event.message as AgentMessage);
    },
  });
  const local = { host: '127.0.0.1', port: 0 };
  const above = await serveGrpc({
    ...local,
    methods: agentPaths,
    accept: gateway.accept,
    maxReceive: 1 << 22,
  });
  const calls = script().toolCall('run', { command: process.execPath, args: ['-e', 'console.log("ran")'] });
  const below = await serveScript({ script: calls.turn().text('Done.').build() });
  const [method = ''] = agentPaths;
  const agent = hostAgent({
    agent: {
      llm: { baseUrl: `http://127.0.0.1:${below.port}`, dialect, model: 'm' },
      tools: [runTool],
      random: seededRandom,
    },
    root: tmpdir(),
    clock,
    dial: agentDial(
      dialGrpc({ address: `127.0.0.1:${above.port}`, method, maxReceive: 1 << 22 }),
      dialHttp({ maxReceive: 1 << 24 }),
    ),
  });
  agent.begin();
  await expect.poll(() => heard.length, { timeout: 5000 }).toBe(1);
  gateway.command({ do: 'send', message: { send_message: { request_id: 'r', content: 'Run it.' } } });
  await expect
    .poll(() => heard.at(-1)?.response?.done, { timeout: 10_000 })
    .toEqual({ full_response: 'Done.' });
  const results = heard.flatMap(({ response }) => response?.tool_result ?? []);
  expect(results).toEqual([{ id: 'tool-1', output: 'ran\n' }]);
  await agent.stop();
  gateway.stop();
  await below.close();
  above.close();
});
