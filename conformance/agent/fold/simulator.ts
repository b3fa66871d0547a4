/** `wireproof simulate agent/fold`: the reference whole agent between a real gateway and a real model. */
import { addressText } from '../../../src/kit/base/index.ts';
import { LiveSession, dialGrpc, dialHttp } from '../../../src/kit/simulate/index.ts';
import { TargetSession } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Peer, SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import type { WireEvent } from '../../../src/kit/world/index.ts';
import { wholeAgent } from '../../../src/agent/index.ts';
import type { ToolCommand, ToolEffect, WholeAgentOptions } from '../../../src/agent/index.ts';
import { ToolHost, agentDial } from '../../../src/agent/edge/index.ts';
import { agentSideSuite } from '../../fold/gateway/agent-side.ts';
import { textOf } from '../../fold/gateway/lines.ts';
import { agentPathOf } from '../../fold/gateway/settings.ts';
import { newsLine } from './news.ts';
import { agentSettings } from './settings.ts';
import { hostedAgent } from './target.ts';

const maxReceive = 16 << 20;

/** Plays the agent; ends when the gateway says Shutdown, or at an interrupt. */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const target = 'the gateway that the simulated agent dialled';
  const live = new LiveSession(run, { suite: agentSideSuite, textOf, target });
  const settings = agentSettings(live.flags);
  const address = addressText(live.flags.address('connect'));
  const method = agentPathOf(live.flags);
  const dial = agentDial(dialGrpc({ address, method, maxReceive }), dialHttp({ maxReceive, prefix: 'h' }));
  const tools = new AgentTools(live.flags.folder('root') ?? '.');
  const session = new TargetSession({
    ...live.settings({ ...agentSideSuite, peers: { 'agent/fold': () => agentOf(live, settings, tools) } }),
    drive: 'passive',
    keeps: false,
    dial: () => dial,
  });
  live.follow(session);
  const { baseUrl, model } = settings.llm;
  live.notify(`a whole agent dials ${address}${method}, and asks ${model} at ${baseUrl}; Ctrl-C stops it`);
  session.setPeers({ agent: { role: 'agent/fold', options: {} } });
  await live.ended;
  session.end();
  await tools.host.stop();
  return live.sumUp();
}

/** The tools of the agent that touch the machine. */
class AgentTools {
  readonly host: ToolHost;
  #peer: Peer | undefined;

  constructor(root: string) {
    this.host = new ToolHost({ root, ended: (command) => this.#ended(command) });
  }

  /** The peer that is told how a tool ended. */
  serve(peer: Peer): Peer {
    this.#peer = peer;
    return peer;
  }

  // The peer passes commands on to its role, which takes those of tools.
  #ended(command: ToolCommand): void {
    this.#peer?.command(command as never);
  }
}

/** The agent with the options of the flags. The trace has its Fold stream; the session ends when it stops. */
function agentOf(
  live: LiveSession,
  settings: Omit<WholeAgentOptions, 'fold' | 'random'>,
  tools: AgentTools,
): MakePeer {
  const role = wholeAgent({
    ...settings,
    fold: { agent_id: live.flags.text('agent-id') ?? 'whole-agent', epoch: Date.now() },
    random: seededRandom,
  });
  const make = hostedAgent(role, (effect) => tools.host.take(effect as ToolEffect));
  return (world) =>
    tools.serve(
      make({
        ...world,
        ...(world.tap === undefined ? {} : { tap: foldOnly(world.tap) }),
        report(what, detail) {
          live.print(`· ${newsLine(what, detail)}`);
          if (what === 'stopped') live.stop();
        },
      }),
    );
}

/** Passes the events of Fold streams on. Exchanges with the model are not judged here. */
function foldOnly(tap: (event: WireEvent) => void): (event: WireEvent) => void {
  return (event) => {
    if (!event.stream.startsWith('h')) tap(event);
  };
}
