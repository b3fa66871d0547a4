/** A budget alert of the reference gateway reaches the model through the reference agent, on real sockets (issue 17, "Show"). */
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import type { TraceEvent } from '../../kit/base/index.ts';
import { dialGrpc, dialHttp } from '../../kit/transport/index.ts';
import { realClock, seededRandom } from '../../kit/world/index.ts';
import { agentPaths } from '../../fold/index.ts';
import type { OperatorReply, OperatorRequest } from '../../fold/index.ts';
import { serveGateway } from '../../fold/edge/index.ts';
import type { GatewayServer } from '../../fold/edge/index.ts';
import { dialects, script } from '../../llm/index.ts';
import { serveScript } from '../../llm/edge/index.ts';
import { waitTool } from '../tools/tools.ts';
import { agentDial, hostAgent } from './host-agent.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** What an operator's call was answered, in order. */
function ask(gateway: GatewayServer, request: OperatorRequest): OperatorReply[] {
  const replies: OperatorReply[] = [];
  gateway.ask(request, { reply: (reply) => replies.push(reply), end() {} });
  return replies;
}

/** The bodies of the requests to the model. */
const bodiesOf = (events: readonly TraceEvent[]): readonly string[] =>
  events
    .filter(({ kind, from }) => kind === 'message' && from === 'target')
    .map(({ data }) => JSON.stringify(data))
    .filter((body) => body.includes('Work.'));

it.each(dialects)(
  'with %s it stands in the request that follows, and in each after it once',
  async (dialect) => {
    const events: TraceEvent[] = [];
    const words = script().usage({ input: 800, output: 50 }).toolCall('wait', { ms: 300 });
    const more = words.turn().usage({ input: 90, output: 10 }).text('Done.').turn().text('Again.');
    const model = await serveScript({ script: more.build(), onEvent: (event) => events.push(event) });
    ends.push(() => model.close());
    const gateway = await serveGateway({
      host: '127.0.0.1',
      port: 0,
      gateway: { budget: 1000 },
    });
    ends.push(() => gateway.close());
    const [method = ''] = agentPaths;
    const agent = hostAgent({
      agent: {
        llm: { baseUrl: `http://127.0.0.1:${model.port}`, dialect, model: 'm' },
        tools: [waitTool],
        random: seededRandom,
      },
      root: tmpdir(),
      clock: realClock(),
      dial: agentDial(
        dialGrpc({ address: `127.0.0.1:${gateway.port}`, method, maxReceive: 1 << 22 }),
        dialHttp({ maxReceive: 1 << 24 }),
      ),
    });
    ends.push(() => agent.stop());
    agent.begin();
    await expect.poll(() => ask(gateway, { agents: {} })[0]?.agents?.length, { timeout: 5000 }).toBe(1);
    const replies = ask(gateway, { send: { content: 'Work.', sender: 'me', thread_id: 't' } });
    await expect
      .poll(() => replies.at(-1), { timeout: 10_000 })
      .toEqual({ done: { full_response: 'Done.' } });
    const alert = 'Budget is 85% consumed. 150 tokens remaining.';
    expect(bodiesOf(events).map((body) => body.split(alert).length - 1)).toEqual([0, 1]);
  },
);
