/**
 * Simulated peers of Fold for tests in this process: a gateway for the agent under test, and an agent for the gateway
 * under test.
 *
 * @example
 * import { simulateFoldAgent, simulateFoldGateway } from 'wireproof/fold/simulate';
 *
 * const gateway = await simulateFoldGateway();
 * // Instead of this agent, start yours with gateway.address.
 * const agent = await simulateFoldAgent({ gateway: gateway.address, answers: [{ match: 'hello', do: [{ say: 'Hi.' }] }] });
 * await gateway.agent();
 * const reply = await gateway.send('hello');
 * reply.text; // 'Hi.'
 * await agent.close();
 * await gateway.close();
 */
export { simulateFoldAgent } from './agent.ts';
export type { AgentTask, SimulateFoldAgentOptions, SimulatedFoldAgent } from './agent.ts';
export { simulateFoldGateway } from './gateway.ts';
export type { SendOptions, SimulateFoldGatewayOptions, SimulatedFoldGateway } from './gateway.ts';
export type { FoldEvent, FoldRequest, FoldTool } from './request.ts';
export type { SeenAgent } from './seen-agents.ts';
