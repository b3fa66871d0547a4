/** Gateways that violate FOLD-G17, G18, G26 and G27 when they hand out requests. */
import type { OperatorRequest, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromOperators, toAgents, toOperators } from './faults.ts';
import type { AgentLink, GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type SendMessage = NonNullable<ServerMessage['send_message']>;
type Send = NonNullable<OperatorRequest['send']>;

/** Edits each SendMessage. */
const sendsWith = (change: (sent: SendMessage) => Partial<SendMessage>) => (): GatewayFault =>
  toAgents((m) => [
    m.send_message === undefined ? m : { send_message: { ...m.send_message, ...change(m.send_message) } },
  ]);

/** Gives requests other ids on the wire. A response belongs to the last request with its id. */
const goesBy = (other: () => (sent: SendMessage) => string) => (): GatewayFault => {
  const name = other();
  /** The gateway's id, by stream and id on the wire, and also by the id alone for operators. */
  const own = new Map<string, string>();
  const named = new Map<string, string>();
  const asked = fromOperators((m) => {
    const request_id = own.get(m.cancel?.request_id ?? '');
    return [m.cancel === undefined || request_id === undefined ? m : { cancel: { ...m.cancel, request_id } }];
  });
  const answered = fromAgents((m, _, peer) => {
    const request_id = own.get(`${peer} ${m.response?.request_id ?? ''}`);
    return [
      m.response === undefined || request_id === undefined ? m : { response: { ...m.response, request_id } },
    ];
  });
  const renamed = toAgents((m, _, peer) => {
    if (m.cancel_request !== undefined) {
      const request_id = named.get(m.cancel_request.request_id ?? '') ?? '';
      return [{ cancel_request: { ...m.cancel_request, request_id } }];
    }
    if (m.send_message === undefined) return [m];
    const request_id = name(m.send_message);
    own.set(request_id, m.send_message.request_id ?? '');
    own.set(`${peer} ${request_id}`, m.send_message.request_id ?? '');
    named.set(m.send_message.request_id ?? '', request_id);
    return [{ send_message: { ...m.send_message, request_id } }];
  });
  return {
    input: (input, context) => asked.input(input, context).flatMap((next) => answered.input(next, context)),
    output: renamed.output,
  };
};

/** Ids that count the requests of each thread. */
function countedInThread(): (sent: SendMessage) => string {
  const counts = new Map<string, number>();
  return ({ thread_id = '' }) => {
    const n = (counts.get(thread_id) ?? 0) + 1;
    counts.set(thread_id, n);
    return `request-${n}`;
  };
}

/** Edits the handling of a send to an agent that is not connected. */
const absent =
  (act: (send: Send, context: FaultContext, peer: string) => readonly OperatorRequest[]) =>
  (): GatewayFault =>
    fromOperators((m, context, peer) => {
      const id = m.send?.agent_id ?? '';
      return m.send === undefined || id === '' || context.state.agents.has(id)
        ? [m]
        : act(m.send, context, peer);
    });

function waitsForIt(send: Send, context: FaultContext, peer: string): readonly OperatorRequest[] {
  context.send({ started: { thread_id: send.thread_id ?? 'thread-1' } }, peer);
  return [];
}

function saysDone(send: Send, context: FaultContext, peer: string): readonly OperatorRequest[] {
  waitsForIt(send, context, peer);
  context.send({ done: { full_response: '' } }, peer);
  context.close(0, '', peer);
  return [];
}

/** Edits the handling of a send to a busy agent. */
const busy =
  (act: (send: Send, context: FaultContext, peer: string) => readonly OperatorRequest[]) =>
  (): GatewayFault =>
    fromOperators((m, context, peer) => {
      const agent = agentOf(m.send, context);
      return m.send === undefined || (agent?.requests.size ?? 0) === 0 ? [m] : act(m.send, context, peer);
    });

const agentOf = (send: Send | undefined, context: FaultContext): AgentLink | undefined =>
  agentOn(context, context.state.agents.get(send?.agent_id ?? '') ?? '');

/** The interval at which a queue is checked (ms). */
const often = 100;

/** Holds a request back until the agent has no other. */
function queues(send: Send, context: FaultContext, peer: string): readonly OperatorRequest[] {
  const look = (then: FaultContext): void => {
    if ((agentOf(send, then)?.requests.size ?? 0) > 0) return then.later(often, look);
    then.tell({ send }, peer);
  };
  context.later(often, look);
  return [];
}

export const requestFaults: GatewayFaults = {
  'request-without-id': goesBy(() => () => ''),
  'request-id-of-the-thread': goesBy(
    () =>
      ({ thread_id = '' }) =>
        thread_id,
  ),
  'request-id-counted-in-thread': goesBy(countedInThread),
  'thread-without-id': sendsWith(() => ({ thread_id: '' })),
  'thread-of-the-request': sendsWith(({ request_id = '' }) => ({ thread_id: `thread of ${request_id}` })),
  'started-with-another-thread': (): GatewayFault => {
    let n = 0;
    return toOperators((m) => [
      m.started === undefined ? m : { started: { ...m.started, thread_id: `thread-${++n}` } },
    ]);
  },
  'waits-for-the-absent': absent(waitsForIt),
  'done-for-the-absent': absent(saysDone),
  'ends-well-for-the-absent': absent((_, context, peer) => {
    context.close(0, '', peer);
    return [];
  }),
  'any-other-agent': absent((send) => [{ send: { ...send, agent_id: '' } }]),
  'one-request-at-a-time': busy(queues),
  'agent-is-busy': busy((_, context, peer) => {
    context.close(9, 'the agent is busy', peer);
    return [];
  }),
};
