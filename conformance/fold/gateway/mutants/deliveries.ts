/** Gateways that violate FOLD-G55 to G61: what operators give does not reach agents as it was given. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentListing, InjectContext, SendMessage, ServerMessage } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs, escapedTwice, withOtherLines, withoutControls } from '../../texts.ts';
import { toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { mutant } from './mutant.ts';

type Deliver<M> = (message: M, context: FaultContext, peer: string) => readonly M[];

/** Edits each InjectContext. */
const injections = (edit: Deliver<InjectContext>) => (): GatewayFault =>
  toAgents((m, context, peer): readonly ServerMessage[] =>
    m.inject_context === undefined
      ? [m]
      : edit(m.inject_context, context, peer).map((inject_context) => ({ inject_context })),
  );

/** Edits each SendMessage. */
const messages = (edit: Deliver<SendMessage>) => (): GatewayFault =>
  toAgents((m, context, peer): readonly ServerMessage[] =>
    m.send_message === undefined
      ? [m]
      : edit(m.send_message, context, peer).map((send_message) => ({ send_message })),
  );

/** The streams of all other agents. */
const others = ({ state }: FaultContext, peer: string): readonly string[] =>
  [...state.agents.values()].filter((other) => other !== peer);

/** Sends a message to the other agents as well, or in place of the named agent. */
const elsewhere =
  <M>(wrap: (message: M) => ServerMessage, alsoThere: boolean): Deliver<M> =>
  (message, context, peer) => {
    const rest = others(context, peer);
    for (const other of rest) context.send(wrap(message), other);
    return alsoThere || rest.length === 0 ? [message] : [];
  };

const injected = (inject_context: InjectContext): ServerMessage => ({ inject_context });
const sent = (send_message: SendMessage): ServerMessage => ({ send_message });

/** Mutants of FOLD-G55. */
const injectionMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G55',
    'injections-deferred',
    'It makes every injection DEFERRED.',
    injections((m) => [{ ...m, priority: 'INJECTION_PRIORITY_DEFERRED' }]),
  ),
  mutant(
    'FOLD-G55',
    'injections-without-priority',
    'It sends no priority.',
    injections(({ injection_id = '', content = '', source }) => [
      { injection_id, content, ...(source === undefined ? {} : { source }) },
    ]),
  ),
  mutant(
    'FOLD-G55',
    'injection-source-wrong',
    'It sends every injection with the source `gateway`.',
    injections((m) => [{ ...m, source: 'gateway' }]),
  ),
  mutant(
    'FOLD-G55',
    'injection-source-lost',
    'It sends no source.',
    injections(({ injection_id = '', content = '', priority }) => [
      { injection_id, content, ...(priority === undefined ? {} : { priority }) },
    ]),
  ),
  mutant(
    'FOLD-G55',
    'injection-lost',
    'It answers the operator, and sends the agent nothing.',
    injections(() => []),
  ),
  mutant(
    'FOLD-G55',
    'injection-changed',
    'It sends an injection in capitals.',
    injections((m) => [{ ...m, content: (m.content ?? '').toUpperCase() }]),
  ),
  mutant(
    'FOLD-G55',
    'injection-twice',
    'It sends each injection twice, under two ids.',
    injections((m) => [m, { ...m, injection_id: `${m.injection_id ?? ''} again` }]),
  ),
  mutant(
    'FOLD-G55',
    'injection-to-all',
    'It sends each injection to all agents.',
    injections(elsewhere(injected, true)),
  ),
  mutant(
    'FOLD-G55',
    'injection-to-another',
    'It sends each injection to the other agent.',
    injections(elsewhere(injected, false)),
  ),
];

/** Changes the content of each message or injection. */
const contents = (change: (text: string) => string) => ({
  messages: messages((m) => [{ ...m, content: change(m.content ?? '') }]),
  injections: injections((m) => [{ ...m, content: change(m.content ?? '') }]),
});

/** Mutants of FOLD-G55 and G58 that change texts which are not ASCII. */
const textMutants: readonly Mutant[] = [
  mutant('FOLD-G58', 'message-as-latin1', 'It reads UTF-8 as latin1.', contents(asLatin1).messages),
  mutant(
    'FOLD-G58',
    'message-cut-in-pairs',
    'It cuts a message between the halves of a surrogate pair.',
    contents(cutInPairs).messages,
  ),
  mutant(
    'FOLD-G58',
    'message-escaped-twice',
    'It sends a message with the escapes of JSON.',
    contents(escapedTwice).messages,
  ),
  mutant(
    'FOLD-G58',
    'message-without-controls',
    'It removes control characters of a message.',
    contents(withoutControls).messages,
  ),
  mutant(
    'FOLD-G55',
    'injection-as-latin1',
    'It reads the UTF-8 of an injection as latin1.',
    contents(asLatin1).injections,
  ),
  mutant(
    'FOLD-G55',
    'injection-with-other-lines',
    'It takes U+2028 in an injection for a line feed.',
    contents(withOtherLines).injections,
  ),
];

/** Mutants of FOLD-G56. */
const reason = (change: string | undefined) => (): GatewayFault =>
  toAgents((m) => {
    if (m.cancel_request === undefined) return [m];
    const { request_id = '' } = m.cancel_request;
    return [{ cancel_request: { request_id, ...(change === undefined ? {} : { reason: change }) } }];
  });

/** Tells the operator that its message was taken, and sends the agent nothing. */
const lost = (fits: (state: FaultContext['state']) => boolean) =>
  messages((m, { state }) => (fits(state) ? [] : [m]));

const sendMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G58',
    'message-lost',
    'It tells the operator that its message was taken, and loses it where two agents are connected.',
    lost(({ agents }) => agents.size > 1),
  ),
  mutant(
    'FOLD-G58',
    'message-in-capitals',
    'It sends the content in capitals.',
    messages((m) => [{ ...m, content: (m.content ?? '').toUpperCase() }]),
  ),
  mutant(
    'FOLD-G58',
    'message-twice',
    'It sends each message twice, under two ids.',
    messages((m) => [m, { ...m, request_id: `${m.request_id ?? ''} again` }]),
  ),
  mutant(
    'FOLD-G58',
    'message-to-all',
    'It sends each message to all agents.',
    messages(elsewhere(sent, true)),
  ),
  mutant(
    'FOLD-G58',
    'message-to-another',
    'It sends each message to the other agent.',
    messages(elsewhere(sent, false)),
  ),
  mutant(
    'FOLD-G59',
    'sender-lost',
    'It sends no sender.',
    messages((m) => [{ ...m, sender: '' }]),
  ),
  mutant(
    'FOLD-G59',
    'sender-of-the-gateway',
    'It names itself as the sender.',
    messages((m) => [{ ...m, sender: 'gateway' }]),
  ),
  mutant(
    'FOLD-G60',
    'attachments-lost',
    'It sends no attachments.',
    messages((m) => [{ ...m, attachments: [] }]),
  ),
  mutant(
    'FOLD-G60',
    'attachments-of-one-type',
    'It sends every attachment as application/octet-stream.',
    messages((m) => [
      {
        ...m,
        ...(m.attachments === undefined
          ? {}
          : {
              attachments: m.attachments.map((file) => ({ ...file, mime_type: 'application/octet-stream' })),
            }),
      },
    ]),
  ),
  mutant(
    'FOLD-G60',
    'first-attachment-only',
    'It sends the first attachment only.',
    messages((m) => [
      { ...m, ...(m.attachments === undefined ? {} : { attachments: m.attachments.slice(0, 1) }) },
    ]),
  ),
];

/** Edits the list of agents. */
const lists = (edit: (agents: readonly AgentListing[]) => readonly AgentListing[]): GatewayFault =>
  toOperators((m) => [m.agents === undefined ? m : { agents: edit(m.agents) }]);

/** Lists every agent that was ever listed. */
const keepsAll = (): GatewayFault => {
  const known = new Map<string, AgentListing>();
  return lists((agents) => {
    for (const agent of agents) known.set(agent.id, agent);
    return [...known.values()];
  });
};

/** Mutants of this theme. */
export const deliveryMutants: readonly Mutant[] = [
  ...injectionMutants,
  mutant('FOLD-G56', 'cancel-reason-lost', 'Its CancelRequest has no reason.', reason(undefined)),
  mutant(
    'FOLD-G56',
    'cancel-reason-own',
    'Its CancelRequest always has the reason `cancelled`.',
    reason('cancelled'),
  ),
  ...sendMutants,
  ...textMutants,
  mutant('FOLD-G61', 'nobody-listed', 'It lists no agents.', () => lists(() => [])),
  mutant('FOLD-G61', 'first-agent-listed', 'It lists one agent.', () =>
    lists((agents) => agents.slice(0, 1)),
  ),
  mutant('FOLD-G61', 'the-gone-are-listed', 'It lists agents that have left.', keepsAll),
];
