/** Runs a whole agent on a clock and on links, with tools that read files and run programs. */
import { Host } from '../../kit/world/index.ts';
import type { Dial, HostOptions } from '../../kit/world/index.ts';
import { wholeAgent } from '../agent.ts';
import type { ToolCommand, ToolEffect, WholeAgentOptions } from '../options.ts';
import type { WholeAgentState } from '../state.ts';
import { wireOf } from '../wire.ts';
import type { AgentIn, AgentOut } from '../wire.ts';
import { ToolHost } from './tool-host.ts';

/**
 * Opens the two kinds of links of a whole agent.
 *
 * @param gateway - opens the streams of Fold, such as `dialGrpc`
 * @param provider - opens the exchanges with the model, such as `dialHttp`
 */
export const agentDial =
  (gateway: Dial, provider: Dial): Dial =>
  (options, events) =>
    (options.metadata[':url'] === undefined ? gateway : provider)(options, events);

type AllHostOptions = HostOptions<WholeAgentState, AgentIn, AgentOut, ToolCommand>;

/** The world of a whole agent. Its `dial` opens both kinds of links: see {@link agentDial}. */
export interface AgentHostOptions extends Pick<AllHostOptions, 'clock' | 'dial' | 'tap' | 'report'> {
  readonly agent: WholeAgentOptions;
  /** The folder that `read_file` reads in. Programs run in the folder of the agent's own process. */
  readonly root: string;
}

/** A whole agent that runs. */
export interface HostedAgent {
  /** Begins: the agent dials its gateway. */
  begin(): void;
  /** Closes its links, and stops its tools; resolves when none of their processes is left. */
  stop(): Promise<void>;
}

/** Sets a whole agent up. */
export function hostAgent({ agent, root, ...world }: AgentHostOptions): HostedAgent {
  const tools = new ToolHost({ root, ended: (command) => host.command(command) });
  const host: Host<WholeAgentState, AgentIn, AgentOut, ToolCommand> = new Host({
    role: wholeAgent(agent),
    ...wireOf({}),
    wireOf,
    effect: (effect) => tools.take(effect as ToolEffect),
    ...world,
  });
  return {
    begin: () => host.begin(),
    async stop() {
      host.stop();
      await tools.stop();
    },
  };
}
