/** Gateways that keep the agent_ids of ended streams. */
import { agentOn, fromAgents } from './faults.ts';
import type { GatewayFault, Input } from './faults.ts';

/** Keeps the agent_ids of ended streams for a time (ms). `kept` selects the ends. */
export const keepsIds = (lasts: number, kept: (input: Input) => boolean) => (): GatewayFault => {
  const until = new Map<string, number>();
  const refuses = fromAgents((m, context, peer) => {
    const id = m.register?.agent_id ?? '';
    if (agentOn(context, peer) !== undefined || context.now >= (until.get(id) ?? 0)) return [m];
    context.close(6, `agent ${id} already registered`, peer);
    return [];
  });
  return {
    input(input, context) {
      const id = 'peer' in input && kept(input) ? agentOn(context, input.peer)?.listing?.id : undefined;
      if (id !== undefined) until.set(id, context.now + lasts);
      return refuses.input(input, context);
    },
  };
};

/** Whether the stream of an agent ends, or its own side of it. */
export const isEnd = ({ type }: Input): boolean => type === 'left' || type === 'half_close';
