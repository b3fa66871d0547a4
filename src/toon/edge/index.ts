/**
 * Simulated peers of TOON (Task Orchestration Over Node) for tests in this process: an orchestrator for the subagent under
 * test, and a subagent for the orchestrator under test, over TCP or WebSocket.
 *
 * @example
 * import { simulateToonOrchestrator } from 'wireproof/toon/simulate';
 *
 * const orchestrator = await simulateToonOrchestrator({ carrier: 'ws' });
 * orchestrator.url.startsWith('ws://127.0.0.1:'); // true
 * await orchestrator.close();
 */
export { simulateToonOrchestrator } from './simulate-orchestrator.ts';
export type { SimulateToonOrchestratorOptions, SimulatedToonOrchestrator } from './simulate-orchestrator.ts';
export { simulateToonSubagent } from './simulate-subagent.ts';
export type { SimulateToonSubagentOptions, SimulatedToonSubagent } from './simulate-subagent.ts';
export type { SimulateToonOptions, SimulatedToonPeer } from './simulated-peer.ts';
export type { ToonTask, ToonToolUse } from './tasks.ts';
