/** `wireproof simulate agent/fold`: the reference whole agent between a real gateway and a real model. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { Flags, LiveSession, dialGrpc } from '../../../src/kit/simulate/index.ts';
import { TargetSession } from '../../../src/kit/suite/index.ts';
import type { MakePeer, SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { dialHttp } from '../../../src/kit/transport/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import type { Dial, WireEvent } from '../../../src/kit/world/index.ts';
import { wholeAgent } from '../../../src/agent/index.ts';
import type { ModelOptions } from '../../../src/agent/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { agentSideSuite } from '../../fold/gateway/agent-side.ts';
import { textOf } from '../../fold/gateway/lines.ts';
import { agentPathOf } from '../../fold/gateway/settings.ts';
import { hostedAgent, offeredTools } from './target.ts';

const maxReceive = 16 << 20;

/** Plays the agent; ends when the gateway says Shutdown, or at an interrupt. */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const target = 'the gateway that the simulated agent dialled';
  const live = new LiveSession(run, { suite: agentSideSuite, textOf, target });
  const { host, port } = live.flags.address('connect');
  const llm = modelOf(live.flags);
  const address = `${host}:${port}`;
  const method = agentPathOf(live.flags);
  const gateway = dialGrpc({ address, method, maxReceive });
  const model = dialHttp({ maxReceive, prefix: 'h' });
  const dial: Dial = (request, events) =>
    (request.metadata[':url'] === undefined ? gateway : model)(request, events);
  const session = new TargetSession({
    ...live.settings({ ...agentSideSuite, peers: { 'agent/fold': () => agentOf(live, llm) } }),
    drive: 'passive',
    keeps: false,
    dial: () => dial,
  });
  live.follow(session);
  live.notify(
    `a whole agent dials ${address}${method}, and asks ${llm.model} at ${llm.baseUrl}; Ctrl-C stops it`,
  );
  session.setPeers({ agent: { role: 'agent/fold', options: {} } });
  await live.ended;
  session.end();
  return live.sumUp();
}

/** The model that the flags, or else the environment, name. @throws WireproofError 'usage' */
function modelOf(flags: Flags): ModelOptions {
  const baseUrl = flags.text('llm');
  if (baseUrl === undefined || !/^https?:\/\//.test(baseUrl))
    throw new WireproofError(
      'usage',
      `--llm ${baseUrl ?? ''}: expected the URL of a model provider, such as http://127.0.0.1:11434`,
    );
  const dialect = dialects.find((name) => name === flags.text('dialect')) ?? 'openai-chat';
  const key = flags.variable('key-env');
  const headers =
    key === undefined
      ? {}
      : { headers: dialect === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` } };
  return { baseUrl, dialect, model: flags.text('model') ?? 'wireproof-1', ...headers };
}

/** The agent with the options of the flags. The trace has its Fold stream; the session ends when it stops. */
function agentOf(live: LiveSession, llm: ModelOptions): MakePeer {
  const window = live.flags.read('window', 'a number of tokens above 0', (text) =>
    /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined,
  );
  const role = wholeAgent({
    fold: { agent_id: live.flags.text('agent-id') ?? 'whole-agent', epoch: Date.now() },
    llm,
    tools: offeredTools,
    gated: (live.flags.text('approve') ?? '').split(',').filter((name) => name !== ''),
    random: seededRandom,
    ...(window === undefined ? {} : { window }),
  });
  return (world) =>
    hostedAgent(role)({
      ...world,
      ...(world.tap === undefined ? {} : { tap: foldOnly(world.tap) }),
      report(what, detail) {
        live.print(`· ${what}: ${detail}`);
        if (what === 'stopped') live.stop();
      },
    });
}

/** Passes the events of Fold streams on. Exchanges with the model are not judged here. */
function foldOnly(tap: (event: WireEvent) => void): (event: WireEvent) => void {
  return (event) => {
    if (!event.stream.startsWith('h')) tap(event);
  };
}
