/** Where a whole agent meets the machine: the host that runs it with its real tools. */
export { agentDial, hostAgent } from './host-agent.ts';
export type { AgentHostOptions, HostedAgent } from './host-agent.ts';
export { providerCounter } from './provider-counter.ts';
export type { ProviderCounterOptions } from './provider-counter.ts';
export { ToolHost } from './tool-host.ts';
export type { ToolHostOptions } from './tool-host.ts';
