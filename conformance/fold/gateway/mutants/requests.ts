/** Gateways that violate FOLD-G17, G18, G26 and G27 when they hand out requests. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { OperatorRequest, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromOperators, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type SendMessage = NonNullable<ServerMessage['send_message']>;
type Send = NonNullable<OperatorRequest['send']>;

/** Edits each SendMessage. */
const sendsWith = (change: (sent: SendMessage) => Partial<SendMessage>) => (): GatewayFault =>
  toAgents(member('send_message', (sent) => [{ ...sent, ...change(sent) }]));

/** Gives requests other ids on the wire. A response belongs to the last request with its id. */
const goesBy = (other: () => (sent: SendMessage) => string) => (): GatewayFault => {
  const name = other();
  /** The gateway's id, by stream and id on the wire, and also by the id alone for operators. */
  const own = new Map<string, string>();
  const named = new Map<string, string>();
  return allFaults(
    fromOperators(
      member('cancel', (cancel) => {
        const request_id = own.get(cancel.request_id ?? '');
        return request_id === undefined ? undefined : [{ ...cancel, request_id }];
      }),
    ),
    fromAgents(
      member('response', (response, _, peer) => {
        const request_id = own.get(`${peer} ${response.request_id ?? ''}`);
        return request_id === undefined ? undefined : [{ ...response, request_id }];
      }),
    ),
    toAgents(
      member('cancel_request', (cancel) => [
        { ...cancel, request_id: named.get(cancel.request_id ?? '') ?? '' },
      ]),
    ),
    toAgents(
      member('send_message', (sent, _, peer) => {
        const { request_id: id = '' } = sent;
        const request_id = name(sent);
        own.set(request_id, id);
        own.set(`${peer} ${request_id}`, id);
        named.set(id, request_id);
        return [{ ...sent, request_id }];
      }),
    ),
  );
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
const absent = (edit: MessageEdit<Send>) => (): GatewayFault =>
  fromOperators(
    member('send', (send, context, peer) => {
      const { agent_id: id = '' } = send;
      return id === '' || context.state.agents.has(id) ? undefined : edit(send, context, peer);
    }),
  );

const waitsForIt: MessageEdit<Send> = (send, context, peer) => {
  context.send({ started: { thread_id: send.thread_id ?? 'thread-1' } }, peer);
  return [];
};

const saysDone: MessageEdit<Send> = (send, context, peer) => {
  context.send({ started: { thread_id: send.thread_id ?? 'thread-1' } }, peer);
  context.send({ done: { full_response: '' } }, peer);
  context.close(0, '', peer);
  return [];
};

/** Edits the handling of a send to a busy agent. */
const busy = (edit: MessageEdit<Send>) => (): GatewayFault =>
  fromOperators(
    member('send', (send, context, peer) => (isBusy(send, context) ? edit(send, context, peer) : undefined)),
  );

const isBusy = (send: Send, context: FaultContext): boolean =>
  (agentOn(context, context.state.agents.get(send.agent_id ?? '') ?? '')?.requests.size ?? 0) > 0;

/** The interval at which a queue is checked (ms). */
const often = 100;

/** Holds a request back until the agent has no other. */
const queues: MessageEdit<Send> = (send, context, peer) => {
  const look = (then: FaultContext): void => {
    if (isBusy(send, then)) return then.later(often, look);
    then.tell({ send }, peer);
  };
  context.later(often, look);
  return [];
};

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
  'started-with-another-thread': () => {
    let n = 0;
    return toOperators(member('started', (started) => [{ ...started, thread_id: `thread-${++n}` }]));
  },
  'waits-for-the-absent': absent(waitsForIt),
  'done-for-the-absent': absent(saysDone),
  'ends-well-for-the-absent': absent((_, context, peer) => {
    context.close(0, '', peer);
    return [];
  }),
  'any-other-agent': absent((send) => [{ ...send, agent_id: '' }]),
  'one-request-at-a-time': busy(queues),
  'agent-is-busy': busy((_, context, peer) => {
    context.close(9, 'the agent is busy', peer);
    return [];
  }),
};
