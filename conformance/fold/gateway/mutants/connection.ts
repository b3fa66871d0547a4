/** Gateways that bear heartbeats, silence and pings worse than FOLD-G43, G44 and G54 say, or stop unlike G45. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage } from '../../../../src/fold/index.ts';
import { agentsSay, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { wrong } from './mutant.ts';

type Heartbeat = NonNullable<AgentMessage['heartbeat']>;

/** What becomes of a heartbeat of a kind. */
const heartbeats =
  (
    fits: (heartbeat: Heartbeat, hand: FaultContext, peer: string) => boolean,
    act: (hand: FaultContext, peer: string) => void,
  ) =>
  (): GatewayFault =>
    agentsSay((m, hand, peer) => {
      const welcomed = hand.agentOn(peer) !== undefined;
      if (welcomed && m.heartbeat !== undefined && fits(m.heartbeat, hand, peer)) act(hand, peer);
      return [m];
    });

const hangsUp = (hand: FaultContext, peer: string): void => hand.close(peer, 3, 'bad heartbeat');

/** All that the agent works on ends in error, as if it had said so. */
function fails(hand: FaultContext, peer: string): void {
  for (const request_id of hand.agentOn(peer)?.requests ?? [])
    hand.tell({
      type: 'message',
      peer,
      message: { response: { request_id, error: 'unexpected heartbeat' } },
    });
}

const isBusy = (_: Heartbeat, hand: FaultContext, peer: string): boolean =>
  (hand.agentOn(peer)?.requests.size ?? 0) > 0;

/** A heartbeat from before 2020 (Unix ms). */
const isOld = ({ timestamp_ms = '0' }: Heartbeat): boolean => Number(timestamp_ms) < 1_577_836_800_000;

/** An agent that has said nothing for so long (ms) is taken for dead. */
const idleFor = (ms: number) => (): GatewayFault => {
  const last = new Map<string, number>();
  return agentsSay((m, hand, peer) => {
    const said = hand.now;
    last.set(peer, said);
    hand.later(ms, (then) => {
      if (last.get(peer) === said && then.agentOn(peer) !== undefined)
        then.close(peer, 4, 'nothing was heard for too long');
    });
    return [m];
  });
};

/** Pings that a connection may bring. */
const borne = 2;

const countsPings = (): GatewayFault => {
  const pings = new Map<string, number>();
  return {
    ping(peer, hand) {
      const n = (pings.get(peer) ?? 0) + 1;
      pings.set(peer, n);
      if (n === borne + 1) hand.close(peer, 14, 'too_many_pings');
    },
  };
};

const firstOnly = (): GatewayFault => {
  let told = false;
  return toAgents((m) => {
    if (m.shutdown === undefined) return [m];
    const first = !told;
    told = true;
    return first ? [m] : [];
  });
};

/** Mutants of this theme. */
export const connectionMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G43',
    'idle-heartbeat-closes',
    'It ends the stream at a heartbeat when the agent has nothing to do.',
    heartbeats((h, hand, peer) => !isBusy(h, hand, peer), hangsUp),
  ),
  wrong(
    'FOLD-G43',
    'old-heartbeat-closes',
    'It ends the stream at a heartbeat whose time is long past.',
    heartbeats(isOld, hangsUp),
  ),
  wrong(
    'FOLD-G43',
    'heartbeat-fails-request',
    'It ends what an agent works on at a heartbeat.',
    heartbeats(isBusy, fails),
  ),
  wrong(
    'FOLD-G44',
    'idle-45',
    'It ends the stream of an agent that has said nothing for 45 s.',
    idleFor(45_000),
  ),
  wrong(
    'FOLD-G44',
    'idle-75',
    'It ends the stream of an agent that has said nothing for 75 s.',
    idleFor(75_000),
  ),
  wrong('FOLD-G45', 'no-shutdown', 'It ends all streams without Shutdown when it stops.', (): GatewayFault =>
    toAgents((m) => (m.shutdown === undefined ? [m] : [])),
  ),
  wrong('FOLD-G45', 'shutdown-to-one', 'It sends Shutdown to the first agent only.', firstOnly),
  wrong('FOLD-G45', 'does-not-stop', 'It does nothing when it is asked to stop.', () => ({
    input: (input) => (input.type === 'command' ? [] : [input]),
  })),
  wrong('FOLD-G54', 'too-many-pings', 'It ends the stream at the third ping.', countsPings),
];
