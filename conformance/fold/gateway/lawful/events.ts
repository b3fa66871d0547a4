/** Lawful gateways that are unusual when they show an agent's events to operators. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { OperatorReply } from '../../../../src/fold/index.ts';
import { editCloses, kindOf, toOperators } from '../mutants/faults.ts';
import { odd } from '../mutants/strays.ts';
import type { FaultContext, GatewayFault, Output } from '../mutants/faults.ts';
import { documents, lawful, ownReply } from './lawful.ts';

/** Edits the replies to operators. */
const shows = (edit: (m: OperatorReply) => readonly OperatorReply[]) => (): GatewayFault => toOperators(edit);

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
  editCloses('operator', (close, context) => {
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

const { page, schema } = documents;
const face = `${page}, The operator`;
const sse = `${face}: a gateway need not have our events, and a client ignores names that it does not know`;

const replies: readonly LawfulPeer[] = [
  lawful('pings', "It shows an event `ping` between the agent's own.", sse, between(ownReply('ping', {}))),
  lawful(
    'keep-alive-messages',
    "It shows messages without a name between the agent's events.",
    sse,
    between(ownReply('message', 'keep-alive')),
  ),
  lawful(
    'status-events',
    'It shows an event `status` with a text of its own.',
    sse,
    between(ownReply('status', { text: 'working' })),
  ),
  lawful(
    'empty-texts',
    "It shows empty texts between the agent's events.",
    `${page}, Request: text is joined; an empty text adds nothing`,
    between({ text: { text: '' } }),
  ),
  lawful(
    'empty-text-for-unknown',
    'It shows an empty text for each event that it does not know.',
    `${page}, Request: text is joined; an empty text adds nothing`,
    odd(({ request_id = '' }) => [{ request_id, text: '' }]),
  ),
  lawful(
    'status-for-unknown',
    'It shows an event `status` for each event that it does not know.',
    sse,
    odd((r, context) => {
      const { operator = '' } = context.state.requests.get(r.request_id ?? '') ?? {};
      if (operator !== '') context.send(ownReply('status', { text: 'an unknown event' }), operator);
      return [];
    }),
  ),
  lawful(
    'empty-thinking',
    "It shows empty thinking between the agent's events.",
    `${page}, Request: an empty thinking adds nothing`,
    between({ thinking: { text: '' } }),
  ),
  lawful('texts-joined', 'It joins texts that adjoin.', `${face}: a gateway can join and split texts`, joins),
  lawful(
    'texts-split',
    'It splits texts in two.',
    `${face}: a gateway can join and split texts`,
    shows((m) => {
      const { text = '' } = m.text ?? {};
      if (text.length < 2) return [m];
      return [{ text: { text: text.slice(0, 1) } }, { text: { text: text.slice(1) } }];
    }),
  ),
  lawful(
    'two-ls',
    'It shows `cancelled` with two l.',
    `${page}, Decisions, 12: both spellings are in use`,
    shows((m) => [m.canceled === undefined ? m : ownReply('cancelled', m.canceled)]),
  ),
  lawful(
    'unknown-states-named',
    'It shows a state that it does not know as `unknown`.',
    `${schema}: no name is published for a state outside ToolState`,
    changed('tool_state', (data) => named(data, () => 'unknown')),
  ),
  lawful(
    'unknown-states-numbered',
    'It shows a state that it does not know as `state_42`.',
    `${schema}: no name is published for a state outside ToolState`,
    changed('tool_state', (data) => named(data, (state) => `state_${state}`)),
  ),
  lawful(
    'cancelled-states',
    'It shows the state of a cancelled tool with two l.',
    `${page}, Decisions, 12: both spellings are in use`,
    changed('tool_state', (data) => ({
      ...data,
      ...('state' in data && data.state === 'canceled' ? { state: 'cancelled' } : {}),
    })),
  ),
  lawful(
    'no-files',
    'It shows no files and no session events.',
    `${face}: file, session_init and session_orphaned are ours`,
    shows((m) =>
      m.file === undefined && m.session_init === undefined && m.session_orphaned === undefined ? [m] : [],
    ),
  ),
  lawful(
    'files-without-data',
    'It shows the names of files without their data.',
    `${face}: the event file is ours; a gateway need not have it`,
    changed('file', without('data')),
  ),
  lawful(
    'usage-without-zeros',
    'It shows no counts that are 0.',
    `${schema}: message TokenUsage; a count that is absent is 0`,
    changed('usage', (data) => Object.fromEntries(Object.entries(data).filter(([, n]) => n !== 0))),
  ),
  lawful(
    'usage-with-total',
    'It shows a total beside the counts.',
    `${page}, Connection: both sides ignore fields that they do not know`,
    changed('usage', (data) => ({ ...data, total_tokens: 7 })),
  ),
  lawful(
    'results-without-flag',
    'It shows is_error only if it is true.',
    `${schema}: message ToolResult; a flag that is absent is false`,
    changed('tool_result', (data) =>
      'is_error' in data && data.is_error === false ? without('is_error')(data) : data,
    ),
  ),
  lawful(
    'questions-without-request',
    'Its tool_approval has no request_id.',
    `${face}: a decision names the agent and the tool`,
    changed('tool_approval', without('request_id')),
  ),
  lawful(
    'started-is-short',
    'Its `started` has the thread_id alone.',
    `${face}: request_id and agent_id in started are ours`,
    changed('started', without('request_id', 'agent_id')),
  ),
  lawful(
    'errors-with-a-prefix',
    "It puts words of its own before an agent's error.",
    `${face}: error {error}; no text of it is fixed`,
    changed('error', (data) => ({ error: `the agent failed: ${'error' in data ? String(data.error) : ''}` })),
  ),
  lawful(
    'cancellations-with-a-prefix',
    "It puts words of its own before a cancellation's reason.",
    `${face}: canceled {reason}; no text of it is fixed`,
    changed('canceled', (data) => ({ reason: `canceled: ${'reason' in data ? String(data.reason) : ''}` })),
  ),
  lawful(
    'stays-open-after-the-end',
    "It keeps a requester's stream open for 200 ms after the end.",
    `${face}: a call ends after its terminal, at no fixed time`,
    lingers(200),
  ),
  lawful(
    'shows-late',
    'It shows every event half a second late, in order.',
    `${page}, How a gateway is judged: events are due within 10 s`,
    slow(500),
  ),
];

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

const whole = `${page}, Request: done.full_response is empty or the joined text`;

/** The lawful gateways of this theme. */
export const lawfulEvents: readonly LawfulPeer[] = [
  ...replies,
  lawful('done-without-texts', 'Its done has no full_response where texts came.', whole, fullResponse(false)),
  lawful('done-with-texts', 'Its done always has the joined texts.', whole, fullResponse(true)),
];
