/** The reference agent as a target: its gateway and its model are those of the kit. */
import type { JsonObject, Role } from '../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, NamedTools, RoleFault } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { echoTool, pureTools, runTool, wholeAgent, wireOf } from '../../../src/agent/index.ts';
import type {
  AgentIn,
  AgentOut,
  AgentParts,
  AgentTool,
  ToolCommand,
  ToolEffect,
  WholeAgentState,
} from '../../../src/agent/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { SimulatedPrograms } from './simulated-programs.ts';

/** The model's address in the simulated world. */
export const simulatedModel = 'http://llm.simulated';

/** The tools of the reference, by meaning. */
export const referenceTools: NamedTools = {
  quick: { name: 'echo', input: { text: 'quick and complete' }, shows: 'quick and complete' },
  slow: { name: 'run', input: { command: 'sleep', args: ['60', '{nonce}'] } },
  failing: { name: 'fail', input: { message: 'it cannot be done' } },
  gated: { name: 'write', input: { text: 'gated and complete' } },
};

/** A tool that needs an approval. */
export const writeTool: AgentTool = { ...echoTool, name: 'write', description: 'Writes a text down.' };

/** A fault in the messages of an agent, on both of its wires. */
export type AgentFault = RoleFault<WholeAgentState, AgentIn, AgentOut, ToolCommand>;

/** The tools that the reference offers. */
export const offeredTools: readonly AgentTool[] = [...pureTools, writeTool, runTool];

/** Hosts an agent's role on its two kinds of links. `effect` runs the tools that the role leaves to its host. */
export const hostedAgent = <S>(
  role: Role<S, AgentIn, AgentOut, ToolCommand>,
  effect?: (effect: unknown) => unknown,
): MakePeer =>
  peerOf<S, AgentIn, AgentOut>(role, wireOf({}).receives, wireOf({}).sends, {
    wireOf,
    ...(effect === undefined ? {} : { effect }),
  });

/** Runs an agent. Mutants replace some of its parts, or have a fault in their messages. */
export function wholeAgentPeer(
  parts: AgentParts = {},
  options: JsonObject = {},
  fault: AgentFault = {},
): MakePeer {
  const { dialect = 'anthropic', window } = options;
  const role = wholeAgent({
    fold: { agent_id: 'whole-agent' },
    llm: {
      baseUrl: simulatedModel,
      dialect: dialects.find((name) => name === dialect) ?? 'anthropic',
      model: 'wireproof-1',
    },
    tools: offeredTools,
    gated: ['write'],
    random: (label) => seededRandom(`agent ${label}`),
    parts,
    ...(typeof window === 'number' ? { window } : {}),
  });
  return (world) => {
    // The peer passes commands on to its role, which takes those of tools.
    const programs = new SimulatedPrograms(world, (command) => peer.command(command as never));
    const faulty = intercepted(role, () => fault);
    const peer = hostedAgent(faulty, (effect) => programs.take(effect as ToolEffect))(world);
    return peer;
  };
}
