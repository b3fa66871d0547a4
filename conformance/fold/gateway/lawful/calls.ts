/** Lawful gateways that are unusual when they take operators' calls. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { AgentListing, OperatorRequest } from '../../../../src/fold/index.ts';
import { agentOn, onClose, fromOperators, none, toAgents, toOperators } from '../mutants/faults.ts';
import type { FaultContext, GatewayFault } from '../mutants/faults.ts';
import { late, ownReply } from './lawful.ts';
import type { GatewayFaults } from '../mutants/mutant.ts';

/** Ends operators' calls with another status. */
const status = (from: number, to: number, message: string) => (): GatewayFault =>
  onClose('operator', (close) => [
    close.status.code === from ? { ...close, status: { code: to, message } } : close,
  ]);

/** Answers a call with ok instead of a refusal. */
const accepts = (verb: 'cancel' | 'approve') => (): GatewayFault => {
  const called = new Set<string>();
  return allFaults(
    fromOperators((m, _, peer) => {
      if (m[verb] !== undefined) called.add(peer);
    }),
    onClose('operator', (close) => {
      if (!called.has(close.peer) || close.status.code === 0) return [close];
      return [
        { type: 'send', peer: close.peer, message: { ok: {} } },
        { ...close, status: { code: 0, message: '' } },
      ];
    }),
  );
};

/** Edits the handling of a call about an agent without a feature. */
const lacking = (feature: string, verb: 'cancel' | 'inject') => (): GatewayFault =>
  fromOperators((m, context, peer): readonly OperatorRequest[] => {
    const id = m.cancel?.request_id ?? '';
    const agent =
      verb === 'cancel'
        ? context.state.requests.get(id)?.agent
        : context.state.agents.get(m.inject?.agent_id ?? '');
    const link = m[verb] === undefined ? undefined : agentOn(context, agent ?? '');
    if (link === undefined || link.features.has(feature)) return [m];
    context.close(9, `the agent does not have ${feature}`, peer);
    return [];
  });

/** Ends the request of a lost agent by a status. */
const lostByStatus = (): GatewayFault => {
  const failed = new Set<string>();
  return allFaults(
    toOperators(
      member('error', ({ error }, _, peer) => {
        if (!/ was lost: /.test(error)) return;
        failed.add(peer);
        return [];
      }),
    ),
    onClose('operator', (close) => [
      failed.has(close.peer) ? { ...close, status: { code: 14, message: 'the agent is gone' } } : close,
    ]),
  );
};

/** Fails a send to an absent agent by an event. */
const offlineByEvent = (): GatewayFault => {
  const sends = new Set<string>();
  return allFaults(
    fromOperators(member('send', (_send, _, peer) => void sends.add(peer))),
    onClose('operator', (close) => {
      const { code } = close.status;
      if (!sends.has(close.peer) || (code !== 5 && code !== 14)) return [close];
      return [
        { type: 'send', peer: close.peer, message: { error: { error: close.status.message } } },
        { ...close, status: { code: 0, message: '' } },
      ];
    }),
  );
};

/** Gives agents thread ids of its own. */
const ownThreads = (): GatewayFault => {
  const names = new Map<string, string>();
  return toAgents(
    member('send_message', (sent) => {
      const { thread_id: thread = '' } = sent;
      const own = names.get(thread) ?? `conversation ${names.size + 1}`;
      names.set(thread, own);
      return [{ ...sent, thread_id: own }];
    }),
  );
};

/** Lists agents with more members, and those that have left as not connected. */
const listsAll = (): GatewayFault => {
  const known = new Map<string, AgentListing>();
  return toOperators((m) => {
    if (m.agents === undefined) return [m];
    const there = new Set(m.agents.map(({ id }) => id));
    for (const agent of m.agents) known.set(agent.id, agent);
    return [
      ownReply(
        'agents',
        [...known.values()].map((one) => ({ ...one, connected: there.has(one.id) })),
      ),
    ];
  });
};

/** Holds a request back while its thread has another. */
const oneAThread = (): GatewayFault =>
  fromOperators((m, context, peer) => {
    const { thread_id: thread = '' } = m.send ?? {};
    const isBusy = ({ state }: FaultContext): boolean =>
      [...state.requests.values()].some(({ thread_id }) => thread_id === thread);
    if (m.send === undefined || thread === '' || !isBusy(context)) return [m];
    const look = (then: FaultContext): void => (isBusy(then) ? then.later(50, look) : then.tell(m, peer));
    context.later(50, look);
    return [];
  });

export const lawfulCalls: GatewayFaults = {
  'unknown-agents-unavailable': status(5, 14, 'no such agent'),
  'offline-by-event': offlineByEvent,
  'lost-by-status': lostByStatus,
  'cancels-nothing-gladly': accepts('cancel'),
  'decides-nothing-gladly': accepts('approve'),
  'injections-refused': lacking('injection', 'inject'),
  'injected-without-id': () => toOperators(member('injected', () => [{ injection_id: '' }])),
  'normal-is-unspecified': () =>
    toAgents(
      member('inject_context', ({ priority, ...rest }) =>
        priority === 'INJECTION_PRIORITY_NORMAL' ? [rest] : undefined,
      ),
    ),
  'source-of-its-own': () =>
    toAgents(member('inject_context', (injection) => [{ source: 'operator', ...injection }])),
  'injections-after-2-s': late('inject_context', 2000),
  'decisions-after-2-s': late('tool_approval', 2000),
  'cancels-after-2-s': late('cancel_request', 2000),
  'threads-of-its-own': ownThreads,
  'one-request-a-thread': oneAThread,
  'lists-all': listsAll,
  'lists-backwards': () => toOperators(member('agents', (agents) => [agents.toReversed()])),
  'usage-with-more': () =>
    toOperators((m) => {
      if (m.thread_usage === undefined) return [m];
      const usage = m.thread_usage.usage.map((one) => ({ ...one, id: 'u-1', created_at: 'now' }));
      return [ownReply('thread_usage', { ...m.thread_usage, usage })];
    }),
  'approves-for-a-minute': {
    fault: none,
    options: (given) => ({ ...given, timeouts: { ...given.timeouts, approval: 60_000 } }),
  },
};
