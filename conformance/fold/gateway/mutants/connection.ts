/** Gateways that violate FOLD-G43 to G45 and G54 for heartbeats, silence, a planned stop and pings. */
import { member, onInput } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type Heartbeat = NonNullable<AgentMessage['heartbeat']>;

/** Edits the handling of the heartbeats that fit. */
const heartbeats =
  (
    fits: (heartbeat: Heartbeat, context: FaultContext, peer: string) => boolean,
    act: (context: FaultContext, peer: string) => void,
  ) =>
  (): GatewayFault =>
    fromAgents(
      member('heartbeat', (heartbeat, context, peer) => {
        if (agentOn(context, peer) !== undefined && fits(heartbeat, context, peer)) act(context, peer);
      }),
    );

const hangsUp = (context: FaultContext, peer: string): void => context.close(3, 'bad heartbeat', peer);

/** Ends all active requests of the agent in error, as if the agent had sent the errors. */
function fails(context: FaultContext, peer: string): void {
  for (const request_id of agentOn(context, peer)?.requests ?? [])
    context.tell({ response: { request_id, error: 'unexpected heartbeat' } }, peer);
}

const isBusy = (_: Heartbeat, context: FaultContext, peer: string): boolean =>
  (agentOn(context, peer)?.requests.size ?? 0) > 0;

/** A heartbeat from before 2020 (Unix ms). */
const isOld = ({ timestamp_ms = '0' }: Heartbeat): boolean => Number(timestamp_ms) < 1_577_836_800_000;

/** Ends the stream of an agent after this silence (ms). */
const idleFor = (ms: number) => (): GatewayFault => {
  const last = new Map<string, number>();
  return fromAgents((_, context, peer) => {
    const said = context.now;
    last.set(peer, said);
    context.later(ms, (then) => {
      if (last.get(peer) === said && agentOn(then, peer) !== undefined)
        then.close(4, 'nothing was heard for too long', peer);
    });
  });
};

/** The number of tolerated pings of a connection. */
const borne = 2;

const countsPings = (): GatewayFault => {
  const pings = new Map<string, number>();
  return {
    ping(peer, context) {
      const n = (pings.get(peer) ?? 0) + 1;
      pings.set(peer, n);
      if (n === borne + 1) context.close(14, 'too_many_pings', peer);
    },
  };
};

const firstOnly = (): GatewayFault => {
  let told = false;
  return toAgents(
    member('shutdown', () => {
      const again = told;
      told = true;
      return again ? [] : undefined;
    }),
  );
};

export const connectionFaults: GatewayFaults = {
  'idle-heartbeat-closes': heartbeats((h, context, peer) => !isBusy(h, context, peer), hangsUp),
  'old-heartbeat-closes': heartbeats(isOld, hangsUp),
  'heartbeat-fails-request': heartbeats(isBusy, fails),
  'idle-45': idleFor(45_000),
  'idle-75': idleFor(75_000),
  'no-shutdown': () => toAgents(member('shutdown', () => [])),
  'shutdown-to-one': firstOnly,
  'does-not-stop': () => onInput('command', () => []),
  'too-many-pings': countsPings,
};
