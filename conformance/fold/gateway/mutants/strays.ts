/** Gateways that show or mind what agents say beside the matter: FOLD-G21 to G24, G37 and G41. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { eventOf, operatorTerminals } from '../../../../src/fold/index.ts';
import type { MessageResponse, OperatorReply } from '../../../../src/fold/index.ts';
import { agentsSay, answers, both, closes, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { wrong } from './mutant.ts';

/** How long an operator's stream is left open that should have ended (ms). */
const lingering = 400;

type IsEnd = (reply: OperatorReply, byAgent: boolean) => boolean;

const byDone: IsEnd = ({ done, error }, byAgent) => byAgent && (done !== undefined || error !== undefined);
const byCancelled: IsEnd = ({ canceled }, byAgent) => byAgent && canceled !== undefined;
const byGateway: IsEnd = (_, byAgent) => !byAgent;

/** Remembers which requests ended so, and whose they were. */
function endings(isEnd: IsEnd): { readonly ended: Map<string, string>; readonly fault: GatewayFault } {
  const asked = new Map<string, string>();
  const ended = new Map<string, string>();
  let said = '';
  const heard = answers((r) => {
    said = r.request_id ?? '';
    return [r];
  });
  const told = toOperators((m, _, peer) => {
    if (m.started !== undefined) asked.set(peer, m.started.request_id ?? '');
    const request = asked.get(peer);
    const isTerminal = Object.keys(m).some((name) => operatorTerminals.has(name));
    if (request !== undefined && isTerminal && isEnd(m, said === request)) ended.set(request, peer);
    return [m];
  });
  const fault: GatewayFault = {
    input(input, hand) {
      said = '';
      return heard.input(input, hand);
    },
    output: told.output,
  };
  return { ended, fault };
}

/** What its agent still says of a request that ended so is shown to its requester. */
const showsLate = (isEnd: IsEnd) => (): GatewayFault => {
  const { ended, fault } = endings(isEnd);
  const shown = answers((r, hand) => {
    const operator = ended.get(r.request_id ?? '');
    if (operator !== undefined && r.text !== undefined) hand.send(operator, { text: { text: r.text } });
    return [r];
  });
  const waits = closes('operator', (close, hand) => {
    if (![...ended.values()].includes(close.peer)) return [close];
    hand.later(lingering, (then) => then.put(close));
    return [];
  });
  return both(shown, both(fault, waits));
};

/** An agent that still says something of a request that ended so loses its stream. */
const closesLate = (isEnd: IsEnd) => (): GatewayFault => {
  const { ended, fault } = endings(isEnd);
  const closed = answers((r, hand, peer) => {
    if (!ended.has(r.request_id ?? '')) return [r];
    hand.close(peer, 3, 'this request has ended');
    return [];
  });
  return both(closed, fault);
};

/** An end is shown as one, and the request goes on until the next. */
const noEnd = (name: 'error' | 'cancelled') => (): GatewayFault =>
  answers((r, hand) => {
    const { operator = '' } = hand.gateway.requests.get(r.request_id ?? '') ?? {};
    if (r[name] === undefined || operator === '') return [r];
    if (r.error !== undefined) hand.send(operator, { error: { error: r.error } });
    else hand.send(operator, { canceled: { reason: r.cancelled?.reason ?? '' } });
    return [];
  });

type Answer = (r: MessageResponse, hand: FaultContext, peer: string) => readonly MessageResponse[];

/** What becomes of a response for a request that never was. */
const unknown = (act: Answer) => (): GatewayFault =>
  answers((r, hand, peer) => {
    const { request_id = '' } = r;
    const { requests, finished } = hand.gateway;
    return requests.has(request_id) || finished.has(request_id) ? [r] : act(r, hand, peer);
  });

/** It is taken for one of the only request that the agent has. */
const forTheOnlyOne: Answer = (r, hand, peer) => {
  const { requests = new Set<string>() } = hand.agentOn(peer) ?? {};
  const [only] = requests;
  return requests.size === 1 && only !== undefined ? [{ ...r, request_id: only }] : [r];
};

/** What becomes of a response for another agent's request. */
const foreign = (act: Answer) => (): GatewayFault =>
  answers((r, hand, peer) => {
    const request = hand.gateway.requests.get(r.request_id ?? '');
    return request === undefined || request.agent === peer ? [r] : act(r, hand, peer);
  });

/** It is taken for one of the agent's whose request it is. */
const asIfItsOwn: Answer = (r, hand) => {
  const { agent = '' } = hand.gateway.requests.get(r.request_id ?? '') ?? {};
  hand.tell({ type: 'message', peer: agent, message: { response: r } });
  return [];
};

const only =
  (fits: (r: MessageResponse) => boolean, act: Answer): Answer =>
  (r, hand, peer) =>
    fits(r) ? act(r, hand, peer) : [r];

const isEnd = ({ done }: MessageResponse): boolean => done !== undefined;

const hangsUp =
  (message: string): Answer =>
  (_, hand, peer) => {
    hand.close(peer, 3, message);
    return [];
  };

/** What becomes of a response without an event that the schema knows. */
const odd = (act: Answer) => (): GatewayFault =>
  answers((r, hand, peer) => (eventOf(r) === undefined ? act(r, hand, peer) : [r]));

const closesOnNothing = (): GatewayFault =>
  agentsSay((m, hand, peer) => {
    if (Object.keys(m).length > 0 || hand.agentOn(peer) === undefined) return [m];
    hand.close(peer, 3, 'expected a payload');
    return [];
  });

/** Mutants of FOLD-G21 to G24. */
export const strayMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G21',
    'shows-after-the-end',
    'It shows what an agent says after its done or error.',
    showsLate(byDone),
  ),
  wrong(
    'FOLD-G21',
    'closes-after-the-end',
    'It ends the stream of an agent that goes on after its done or error.',
    closesLate(byDone),
  ),
  wrong('FOLD-G21', 'error-is-no-end', 'It goes on after an error until there is a done.', noEnd('error')),
  wrong(
    'FOLD-G22',
    'closes-on-unknown-request',
    'It ends the stream at a response for a request that never was.',
    unknown(hangsUp('unknown request')),
  ),
  wrong(
    'FOLD-G22',
    'unknown-for-the-only-one',
    'It takes a response for a request that never was for one of the only request that runs.',
    unknown(only((r) => r.text !== undefined, forTheOnlyOne)),
  ),
  wrong(
    'FOLD-G22',
    'unknown-ends-the-only-one',
    'It takes a done for a request that never was for that of the only request that runs.',
    unknown(only(isEnd, forTheOnlyOne)),
  ),
  wrong(
    'FOLD-G23',
    'shows-foreign-text',
    "It shows text that an agent says of another agent's request.",
    foreign(only((r) => r.text !== undefined, asIfItsOwn)),
  ),
  wrong(
    'FOLD-G23',
    'foreign-end',
    "It ends a request by another agent's done.",
    foreign(only(isEnd, asIfItsOwn)),
  ),
  wrong(
    'FOLD-G23',
    'closes-on-foreign-request',
    "It ends the stream of an agent that answers another's request.",
    foreign(hangsUp('not your request')),
  ),
  wrong(
    'FOLD-G24',
    'closes-on-nothing',
    'It ends the stream at a message without a payload that it knows.',
    closesOnNothing,
  ),
  wrong(
    'FOLD-G24',
    'unknown-event-fails',
    'It ends a request in error at an event that it does not know.',
    odd(({ request_id = '' }) => [{ request_id, error: 'unknown event' }]),
  ),
  wrong(
    'FOLD-G24',
    'unknown-event-as-text',
    'It shows an event that it does not know as text.',
    odd(({ request_id = '' }) => [{ request_id, text: '[unsupported event]' }]),
  ),
  wrong(
    'FOLD-G24',
    'unknown-event-ends',
    'It takes an event that it does not know for done.',
    odd(({ request_id = '' }) => [{ request_id, done: {} }]),
  ),
  wrong(
    'FOLD-G24',
    'closes-on-unknown-event',
    'It ends the stream at an event that it does not know.',
    odd(hangsUp('unknown event')),
  ),
];

/** Mutants of FOLD-G37 and G41, as far as it is about what comes late. */
export const lateMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G37',
    'shows-after-cancelled',
    'It shows what an agent says after cancelled.',
    showsLate(byCancelled),
  ),
  wrong(
    'FOLD-G37',
    'closes-after-cancelled',
    'It ends the stream of an agent that goes on after cancelled.',
    closesLate(byCancelled),
  ),
  wrong(
    'FOLD-G37',
    'cancelled-is-no-end',
    'It goes on after cancelled until there is a done.',
    noEnd('cancelled'),
  ),
  wrong(
    'FOLD-G41',
    'shows-after-giving-up',
    'It shows what an agent says of a request that the gateway has given up.',
    showsLate(byGateway),
  ),
];
