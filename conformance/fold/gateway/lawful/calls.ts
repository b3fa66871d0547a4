/** Lawful gateways that are unusual when they take operators' calls. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { AgentListing, OperatorRequest } from '../../../../src/fold/index.ts';
import { agentOn, both, editCloses, fromOperators, none, toAgents, toOperators } from '../mutants/faults.ts';
import type { FaultContext, GatewayFault } from '../mutants/faults.ts';
import { documents, late, lawful, ownReply } from './lawful.ts';

const { agents, enhancements, page, schema } = documents;
const face = `${page}, The operator`;

/** Ends operators' calls with another status. */
const status = (from: number, to: number, message: string) => (): GatewayFault =>
  editCloses('operator', (close) => [
    close.status.code === from ? { ...close, status: { code: to, message } } : close,
  ]);

/** Answers a call with ok instead of a refusal. */
const accepts = (verb: 'cancel' | 'approve') => (): GatewayFault => {
  const called = new Set<string>();
  return both(
    fromOperators((m, _, peer) => {
      if (m[verb] !== undefined) called.add(peer);
      return [m];
    }),
    editCloses('operator', (close) => {
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
  return both(
    toOperators((m, _, peer) => {
      if (m.error === undefined || !/ was lost: /.test(m.error.error)) return [m];
      failed.add(peer);
      return [];
    }),
    editCloses('operator', (close) => [
      failed.has(close.peer) ? { ...close, status: { code: 14, message: 'the agent is gone' } } : close,
    ]),
  );
};

/** Fails a send to an absent agent by an event. */
const offlineByEvent = (): GatewayFault => {
  const sends = new Set<string>();
  return both(
    fromOperators((m, _, peer) => {
      if (m.send !== undefined) sends.add(peer);
      return [m];
    }),
    editCloses('operator', (close) => {
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
  return toAgents((m) => {
    if (m.send_message === undefined) return [m];
    const { thread_id: thread = '' } = m.send_message;
    const own = names.get(thread) ?? `conversation ${names.size + 1}`;
    names.set(thread, own);
    return [{ send_message: { ...m.send_message, thread_id: own } }];
  });
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

/** The lawful gateways of this theme. */
export const lawfulCalls: readonly LawfulPeer[] = [
  lawful(
    'unknown-agents-unavailable',
    'It refuses a send to an agent that it never knew with UNAVAILABLE.',
    `${face}: 14, no such agent is connected`,
    status(5, 14, 'no such agent'),
  ),
  lawful(
    'offline-by-event',
    'It fails a send to an absent agent by an error event.',
    `${schema}: a send fails by a status or by an error event`,
    offlineByEvent,
  ),
  lawful(
    'lost-by-status',
    'It ends the requests of a lost agent by a status, without an event.',
    `${schema}: rpc AgentStream; a request ends in error by a status or by an error event`,
    lostByStatus,
  ),
  lawful(
    'cancels-nothing-gladly',
    'It answers a cancel of an ended request with ok.',
    `${page}, Cancellation: cancels for unknown and finished IDs are ignored`,
    accepts('cancel'),
  ),
  lawful(
    'decides-nothing-gladly',
    'It answers a decision that no tool waits for with ok.',
    `${page}, Approval: decisions for unknown IDs are ignored`,
    accepts('approve'),
  ),
  lawful(
    'injections-refused',
    'It refuses an injection for an agent without the feature.',
    `${face}: 9, an agent without the feature`,
    lacking('injection', 'inject'),
  ),
  lawful(
    'injected-without-id',
    'It tells the operator no injection_id.',
    `${face}: inject is ours, and so is its answer`,
    () => toOperators((m) => [m.injected === undefined ? m : { injected: { injection_id: '' } }]),
  ),
  lawful(
    'normal-is-unspecified',
    'It sends NORMAL injections without a priority.',
    `${page}, Decisions, 9: UNSPECIFIED is NORMAL`,
    () =>
      toAgents((m) => {
        const { priority, ...rest } = m.inject_context ?? {};
        return [priority === 'INJECTION_PRIORITY_NORMAL' ? { inject_context: rest } : m];
      }),
  ),
  lawful(
    'source-of-its-own',
    'It names a source where the operator names none.',
    `${enhancements}, 3. Context Injection, Proto Changes: source is optional`,
    () =>
      toAgents((m) => [
        m.inject_context === undefined ? m : { inject_context: { source: 'operator', ...m.inject_context } },
      ]),
  ),
  lawful(
    'injections-after-2-s',
    'It takes 2 s to inject.',
    `${page}, How a gateway is judged: an injection reaches its agent within 10 s`,
    late('inject_context', 2000),
  ),
  lawful(
    'decisions-after-2-s',
    'It takes 2 s to send a decision.',
    `${page}, How a gateway is judged: a decision reaches its agent within 10 s`,
    late('tool_approval', 2000),
  ),
  lawful(
    'cancels-after-2-s',
    'It takes 2 s to send a CancelRequest.',
    `${page}, How a gateway is judged: a CancelRequest comes within 10 s`,
    late('cancel_request', 2000),
  ),
  lawful(
    'threads-of-its-own',
    "It gives agents thread ids of its own, one for each of the operators'.",
    `${agents}: message SendMessage; thread_id names the conversation, and is the gateway's`,
    ownThreads,
  ),
  lawful(
    'one-request-a-thread',
    'It holds a request back while its thread has another.',
    `${page}, Request: those of one thread are answered in order`,
    oneAThread,
  ),
  lawful(
    'lists-all',
    'It lists agents that have left, as not connected.',
    `${schema}: rpc ListAgents, field connected`,
    listsAll,
  ),
  lawful(
    'lists-backwards',
    'It lists the newest agent first.',
    `${schema}: rpc ListAgents; no order is named`,
    () => toOperators((m) => [m.agents === undefined ? m : { agents: m.agents.toReversed() }]),
  ),
  lawful(
    'usage-with-more',
    'Its usage of a thread has more members.',
    `${page}, Connection: both sides ignore fields that they do not know`,
    () =>
      toOperators((m) => {
        if (m.thread_usage === undefined) return [m];
        const usage = m.thread_usage.usage.map((one) => ({ ...one, id: 'u-1', created_at: 'now' }));
        return [ownReply('thread_usage', { ...m.thread_usage, usage })];
      }),
  ),
  lawful(
    'approves-for-a-minute',
    'It waits a minute for a decision.',
    `${page}, Approval: the timeout is the gateway's`,
    none,
    { options: (given) => ({ ...given, timeouts: { ...given.timeouts, approval: 60_000 } }) },
  ),
];
