/** Lawful gateways that are unusual when they show an agent's events to operators. */
import { member } from '../../../../src/kit/suite/index.ts';
import type { OperatorReply } from '../../../../src/fold/index.ts';
import { onClose, kindOf, toOperators } from '../mutants/faults.ts';
import { odd } from '../mutants/strays.ts';
import type { FaultContext, GatewayFault, MessageEdit, Output } from '../mutants/faults.ts';
import { ownReply } from './lawful.ts';
import type { GatewayFaults } from '../mutants/mutant.ts';

const shows = (edit: MessageEdit<OperatorReply>) => (): GatewayFault => toOperators(edit);

/** Edits the data of replies of one name. */
const changed = (name: string, change: (data: object) => object): (() => GatewayFault) =>
  shows((m) => {
    const data: unknown = Object.entries(m).find(([key]) => key === name)?.[1];
    return [typeof data === 'object' && data !== null ? ownReply(name, change(data)) : m];
  });

const without =
  (...names: readonly string[]) =>
  (data: object): object =>
    Object.fromEntries(Object.entries(data).filter(([key]) => !names.includes(key)));

/** Adds a reply before each event of a request. */
const between = (own: OperatorReply): (() => GatewayFault) =>
  shows((m) => (m.text === undefined && m.done === undefined && m.tool_use === undefined ? [m] : [own, m]));

/** The longest time for which texts are held back (ms). */
const joinedWithin = 20;

/** Joins adjoining texts. */
const joins = (): GatewayFault => {
  const held = new Map<string, string>();
  const take = (peer: string): readonly OperatorReply[] => {
    const text = held.get(peer);
    held.delete(peer);
    return text === undefined ? [] : [{ text: { text } }];
  };
  const later = (context: FaultContext, peer: string): void =>
    context.later(joinedWithin, (then) => {
      for (const message of take(peer)) then.put({ type: 'send', peer, message });
    });
  return toOperators((m, context, peer) => {
    if (m.text === undefined) return [...take(peer), m];
    const before = held.get(peer);
    held.set(peer, (before ?? '') + m.text.text);
    if (before === undefined) later(context, peer);
    return [];
  });
};

/** Keeps operators' streams open for a while after the end. */
const lingers = (ms: number) => (): GatewayFault =>
  onClose('operator', (close, context) => {
    context.later(ms, (then) => then.put(close));
    return [];
  });

/** Shows everything later, in order. */
const slow = (ms: number) => (): GatewayFault => {
  const queues = new Map<string, Output[]>();
  const hold = (peer: string, output: Output, context: FaultContext): readonly Output[] => {
    const queue = queues.get(peer) ?? [];
    queues.set(peer, queue);
    queue.push(output);
    context.later(ms, (then) => {
      const next = queue.shift();
      if (next !== undefined) then.put(next);
    });
    return [];
  };
  return {
    output(output, context) {
      const isOperators = 'peer' in output && kindOf(context, output.peer) === 'operator';
      return isOperators && (output.type === 'send' || output.type === 'close')
        ? hold(output.peer, output, context)
        : [output];
    },
  };
};

const replies: GatewayFaults = {
  pings: between(ownReply('ping', {})),
  'keep-alive-messages': between(ownReply('message', 'keep-alive')),
  'status-events': between(ownReply('status', { text: 'working' })),
  'empty-texts': between({ text: { text: '' } }),
  'empty-text-for-unknown': odd(({ request_id = '' }) => [{ request_id, text: '' }]),
  'status-for-unknown': odd((r, context) => {
    const { operator = '' } = context.state.requests.get(r.request_id ?? '') ?? {};
    if (operator !== '') context.send(ownReply('status', { text: 'an unknown event' }), operator);
    return [];
  }),
  'empty-thinking': between({ thinking: { text: '' } }),
  'texts-joined': joins,
  'texts-split': shows(
    member('text', ({ text }) =>
      text.length < 2 ? undefined : [{ text: text.slice(0, 1) }, { text: text.slice(1) }],
    ),
  ),
  'two-ls': shows((m) => [m.canceled === undefined ? m : ownReply('cancelled', m.canceled)]),
  'unknown-states-named': changed('tool_state', (data) => named(data, () => 'unknown')),
  'unknown-states-numbered': changed('tool_state', (data) => named(data, (state) => `state_${state}`)),
  'cancelled-states': changed('tool_state', (data) => ({
    ...data,
    ...('state' in data && data.state === 'canceled' ? { state: 'cancelled' } : {}),
  })),
  'no-files': shows((m) =>
    m.file === undefined && m.session_init === undefined && m.session_orphaned === undefined ? [m] : [],
  ),
  'files-without-data': changed('file', without('data')),
  'usage-without-zeros': changed('usage', (data) =>
    Object.fromEntries(Object.entries(data).filter(([, n]) => n !== 0)),
  ),
  'usage-with-total': changed('usage', (data) => ({ ...data, total_tokens: 7 })),
  'results-without-flag': changed('tool_result', (data) =>
    'is_error' in data && data.is_error === false ? without('is_error')(data) : data,
  ),
  'questions-without-request': changed('tool_approval', without('request_id')),
  'started-is-short': changed('started', without('request_id', 'agent_id')),
  'errors-with-a-prefix': changed('error', (data) => ({
    error: `the agent failed: ${'error' in data ? String(data.error) : ''}`,
  })),
  'cancellations-with-a-prefix': changed('canceled', (data) => ({
    reason: `canceled: ${'reason' in data ? String(data.reason) : ''}`,
  })),
  'stays-open-after-the-end': lingers(200),
  'shows-late': slow(500),
};

/** The states of which the name is a number get another name. */
const named = (data: object, name: (state: string) => string): object => {
  const state = 'state' in data ? String(data.state) : '';
  return /^\d+$/.test(state) ? { ...data, state: name(state) } : data;
};

/** Shows done with the joined texts, or with nothing where texts were shown. */
const fullResponse = (always: boolean) => (): GatewayFault => {
  const texts = new Map<string, string>();
  return toOperators((m, _, peer) => {
    if (m.text !== undefined) texts.set(peer, (texts.get(peer) ?? '') + m.text.text);
    const joined = texts.get(peer) ?? '';
    return [m.done === undefined || joined === '' ? m : { done: { full_response: always ? joined : '' } }];
  });
};

export const lawfulEvents: GatewayFaults = {
  ...replies,
  'done-without-texts': fullResponse(false),
  'done-with-texts': fullResponse(true),
};
