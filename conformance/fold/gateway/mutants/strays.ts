/** Gateways that do not ignore stray responses of agents: FOLD-G21 to G24, G37 and G41. */
import { allFaults } from '../../../../src/kit/suite/index.ts';
import { eventOf, operatorTerminals } from '../../../../src/fold/index.ts';
import type { MessageResponse, OperatorReply } from '../../../../src/fold/index.ts';
import { agentOn, onClose, onResponse, fromAgents, toOperators } from './faults.ts';
import type { GatewayFault, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** How long the mutant keeps an operator's stream open after its end (ms). */
const lingering = 400;

type IsEnd = (reply: OperatorReply, byAgent: boolean) => boolean;

const byDone: IsEnd = ({ done, error }, byAgent) => byAgent && (done !== undefined || error !== undefined);
const byCancelled: IsEnd = ({ canceled }, byAgent) => byAgent && canceled !== undefined;
const byGateway: IsEnd = (_, byAgent) => !byAgent;

/** Remembers the requests with such an end, and their operators' streams. */
function endings(isEnd: IsEnd): { readonly ended: Map<string, string>; readonly fault: GatewayFault } {
  const asked = new Map<string, string>();
  const ended = new Map<string, string>();
  let said = '';
  const heard = onResponse((r) => void (said = r.request_id ?? ''));
  const told = toOperators((m, _, peer) => {
    if (m.started !== undefined) asked.set(peer, m.started.request_id ?? '');
    const request = asked.get(peer);
    const isTerminal = Object.keys(m).some((name) => operatorTerminals.has(name));
    if (request !== undefined && isTerminal && isEnd(m, said === request)) ended.set(request, peer);
  });
  const fault: GatewayFault = {
    input(input, context) {
      said = '';
      return heard.input(input, context);
    },
    output: told.output,
  };
  return { ended, fault };
}

/** Shows late responses for a request with such an end to its requester. */
const showsLate = (isEnd: IsEnd) => (): GatewayFault => {
  const { ended, fault } = endings(isEnd);
  const shown = onResponse((r, context) => {
    const operator = ended.get(r.request_id ?? '');
    if (operator !== undefined && r.text !== undefined) context.send({ text: { text: r.text } }, operator);
  });
  const waits = onClose('operator', (close, context) => {
    if (![...ended.values()].includes(close.peer)) return [close];
    context.later(lingering, (then) => then.put(close));
    return [];
  });
  return allFaults(shown, fault, waits);
};

/** Ends the stream of an agent that sends a late response for a request with such an end. */
const closesLate = (isEnd: IsEnd) => (): GatewayFault => {
  const { ended, fault } = endings(isEnd);
  const closed = onResponse((r, context, peer) => {
    if (!ended.has(r.request_id ?? '')) return [r];
    context.close(3, 'this request has ended', peer);
    return [];
  });
  return allFaults(closed, fault);
};

/** Shows an end, and continues the request until the next end. */
const noEnd = (name: 'error' | 'cancelled') => (): GatewayFault =>
  onResponse((r, context) => {
    const { operator = '' } = context.state.requests.get(r.request_id ?? '') ?? {};
    if (r[name] === undefined || operator === '') return [r];
    if (r.error !== undefined) context.send({ error: { error: r.error } }, operator);
    else context.send({ canceled: { reason: r.cancelled?.reason ?? '' } }, operator);
    return [];
  });

type Answer = MessageEdit<MessageResponse>;

/** Edits the handling of a response for an unknown request. */
const unknown = (act: Answer) => (): GatewayFault =>
  onResponse((r, context, peer) => {
    const { request_id = '' } = r;
    const { requests, finished } = context.state;
    return requests.has(request_id) || finished.has(request_id) ? [r] : act(r, context, peer);
  });

/** Assigns the response to the only request of the agent. */
const forTheOnlyOne: Answer = (r, context, peer) => {
  const { requests = new Set<string>() } = agentOn(context, peer) ?? {};
  const [only] = requests;
  return requests.size === 1 && only !== undefined ? [{ ...r, request_id: only }] : [r];
};

/** Edits the handling of a response for another agent's request. */
const foreign = (act: Answer) => (): GatewayFault =>
  onResponse((r, context, peer) => {
    const request = context.state.requests.get(r.request_id ?? '');
    return request === undefined || request.agent === peer ? [r] : act(r, context, peer);
  });

/** Assigns the response to the agent that has the request. */
const asIfItsOwn: Answer = (r, context) => {
  const { agent = '' } = context.state.requests.get(r.request_id ?? '') ?? {};
  context.tell({ response: r }, agent);
  return [];
};

const only =
  (fits: (r: MessageResponse) => boolean, act: Answer): Answer =>
  (r, context, peer) =>
    fits(r) ? act(r, context, peer) : undefined;

const isEnd = ({ done }: MessageResponse): boolean => done !== undefined;

const hangsUp =
  (message: string): Answer =>
  (_, context, peer) => {
    context.close(3, message, peer);
    return [];
  };

/** Edits the handling of a response without a known event. */
export const odd = (act: Answer) => (): GatewayFault =>
  onResponse((r, context, peer) => (eventOf(r) === undefined ? act(r, context, peer) : [r]));

const closesOnNothing = (): GatewayFault =>
  fromAgents((m, context, peer) => {
    if (Object.keys(m).length > 0 || agentOn(context, peer) === undefined) return [m];
    context.close(3, 'expected a payload', peer);
    return [];
  });

export const strayFaults: GatewayFaults = {
  'shows-after-the-end': showsLate(byDone),
  'closes-after-the-end': closesLate(byDone),
  'error-is-no-end': noEnd('error'),
  'closes-on-unknown-request': unknown(hangsUp('unknown request')),
  'unknown-for-the-only-one': unknown(only((r) => r.text !== undefined, forTheOnlyOne)),
  'unknown-ends-the-only-one': unknown(only(isEnd, forTheOnlyOne)),
  'shows-foreign-text': foreign(only((r) => r.text !== undefined, asIfItsOwn)),
  'foreign-end': foreign(only(isEnd, asIfItsOwn)),
  'closes-on-foreign-request': foreign(hangsUp('not your request')),
  'closes-on-nothing': closesOnNothing,
  'unknown-event-fails': odd(({ request_id = '' }) => [{ request_id, error: 'unknown event' }]),
  'unknown-event-fails-late': odd(({ request_id = '' }, context, peer) => {
    context.later(600, (then) => then.tell({ response: { request_id, error: 'unknown event' } }, peer));
    return [];
  }),
  'unknown-event-as-text': odd(({ request_id = '' }) => [{ request_id, text: '[unsupported event]' }]),
  'unknown-event-ends': odd(({ request_id = '' }) => [{ request_id, done: {} }]),
  'closes-on-unknown-event': odd(hangsUp('unknown event')),
};

export const lateFaults: GatewayFaults = {
  'shows-after-cancelled': showsLate(byCancelled),
  'closes-after-cancelled': closesLate(byCancelled),
  'cancelled-is-no-end': noEnd('cancelled'),
  'shows-after-giving-up': showsLate(byGateway),
};
