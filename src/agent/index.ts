/**
 * A whole agent between two protocols: a Fold gateway above it, a model provider below it. The reference for suites that
 * judge agents, and an example of how the rooms fit together: the codecs and the life of `wireproof/fold`, the exchanges
 * of `wireproof/llm`, the turns of `wireproof/tokens`. A pure role, which any host runs.
 *
 * @example
 * import { pureTools, wholeAgent } from 'wireproof/agent';
 * import { seededRandom } from 'wireproof/kit';
 *
 * const role = wholeAgent({
 *   llm: { baseUrl: 'http://127.0.0.1:1234', dialect: 'openai-chat', model: 'm' },
 *   tools: pureTools,
 *   gated: ['fail'],
 *   random: seededRandom,
 * });
 * console.log(role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type); // dial
 */
export { wholeAgent } from './agent.ts';
export type { WholeAgentRole } from './agent.ts';
export { tokenUsage } from './exchange.ts';
export type {
  AgentParts,
  AgentTool,
  InjectionMoment,
  ModelOptions,
  ToolCommand,
  ToolEffect,
  ToolEnd,
  ToolRun,
  WholeAgentOptions,
} from './options.ts';
export type { AgentRequest, PendingInjection, WholeAgentState } from './state.ts';
export { echoTool, failTool, pureTools, readFileTool, runTool, waitTool } from './tools/tools.ts';
export { wireOf } from './wire.ts';
export type { AgentIn, AgentLinkCodecs, AgentOut } from './wire.ts';
