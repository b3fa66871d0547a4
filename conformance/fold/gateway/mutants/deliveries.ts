/** Gateways that violate FOLD-G55 to G61: what operators give does not reach agents as it was given. */
import { member } from '../../../../src/kit/suite/index.ts';
import type { AgentListing, InjectContext, SendMessage, ServerMessage } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs, escapedTwice, withOtherLines, withoutControls } from '../../texts.ts';
import { toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

const injections = (edit: MessageEdit<InjectContext>) => (): GatewayFault =>
  toAgents(member('inject_context', edit));

const messages = (edit: MessageEdit<SendMessage>) => (): GatewayFault =>
  toAgents(member('send_message', edit));

/** The streams of all other agents. */
const others = ({ state }: FaultContext, peer: string): readonly string[] =>
  [...state.agents.values()].filter((other) => other !== peer);

/** Sends a message to the other agents as well, or in place of the named agent. */
const elsewhere =
  <M>(wrap: (message: M) => ServerMessage, alsoThere: boolean): MessageEdit<M> =>
  (message, context, peer) => {
    const rest = others(context, peer);
    for (const other of rest) context.send(wrap(message), other);
    return alsoThere || rest.length === 0 ? undefined : [];
  };

const injected = (inject_context: InjectContext): ServerMessage => ({ inject_context });
const sent = (send_message: SendMessage): ServerMessage => ({ send_message });

const injectionFaults: GatewayFaults = {
  'injections-deferred': injections((m) => [{ ...m, priority: 'INJECTION_PRIORITY_DEFERRED' }]),
  'injections-without-priority': injections(({ injection_id = '', content = '', source }) => [
    { injection_id, content, ...(source === undefined ? {} : { source }) },
  ]),
  'injection-source-wrong': injections((m) => [{ ...m, source: 'gateway' }]),
  'injection-source-lost': injections(({ injection_id = '', content = '', priority }) => [
    { injection_id, content, ...(priority === undefined ? {} : { priority }) },
  ]),
  'injection-lost': injections(() => []),
  'injection-changed': injections((m) => [{ ...m, content: (m.content ?? '').toUpperCase() }]),
  'injection-twice': injections((m) => [m, { ...m, injection_id: `${m.injection_id ?? ''} again` }]),
  'injection-to-all': injections(elsewhere(injected, true)),
  'injection-to-another': injections(elsewhere(injected, false)),
};

/** Changes the content of each message or injection. */
const contents = (change: (text: string) => string) => ({
  messages: messages((m) => [{ ...m, content: change(m.content ?? '') }]),
  injections: injections((m) => [{ ...m, content: change(m.content ?? '') }]),
});

const textFaults: GatewayFaults = {
  'message-as-latin1': contents(asLatin1).messages,
  'message-cut-in-pairs': contents(cutInPairs).messages,
  'message-escaped-twice': contents(escapedTwice).messages,
  'message-without-controls': contents(withoutControls).messages,
  'injection-as-latin1': contents(asLatin1).injections,
  'injection-with-other-lines': contents(withOtherLines).injections,
};

const reason = (change: string | undefined) => (): GatewayFault =>
  toAgents(
    member('cancel_request', ({ request_id = '' }) => [
      { request_id, ...(change === undefined ? {} : { reason: change }) },
    ]),
  );

/** Tells the operator that its message was taken, and sends the agent nothing. */
const lost = (fits: (state: FaultContext['state']) => boolean) =>
  messages((_, { state }) => (fits(state) ? [] : undefined));

const sendFaults: GatewayFaults = {
  'message-lost': lost(({ agents }) => agents.size > 1),
  'message-in-capitals': messages((m) => [{ ...m, content: (m.content ?? '').toUpperCase() }]),
  'message-twice': messages((m) => [m, { ...m, request_id: `${m.request_id ?? ''} again` }]),
  'message-to-all': messages(elsewhere(sent, true)),
  'message-to-another': messages(elsewhere(sent, false)),
  'sender-lost': messages((m) => [{ ...m, sender: '' }]),
  'sender-of-the-gateway': messages((m) => [{ ...m, sender: 'gateway' }]),
  'attachments-lost': messages((m) => [{ ...m, attachments: [] }]),
  'attachments-of-one-type': messages(
    ({ attachments: files, ...m }) =>
      files && [
        { ...m, attachments: files.map((file) => ({ ...file, mime_type: 'application/octet-stream' })) },
      ],
  ),
  'first-attachment-only': messages(
    ({ attachments: files, ...m }) => files && [{ ...m, attachments: files.slice(0, 1) }],
  ),
};

const lists = (edit: (agents: readonly AgentListing[]) => readonly AgentListing[]): GatewayFault =>
  toOperators(member('agents', (agents) => [edit(agents)]));

/** Lists every agent that was ever listed. */
const keepsAll = (): GatewayFault => {
  const known = new Map<string, AgentListing>();
  return lists((agents) => {
    for (const agent of agents) known.set(agent.id, agent);
    return [...known.values()];
  });
};

export const deliveryFaults: GatewayFaults = {
  ...injectionFaults,
  'cancel-reason-lost': reason(undefined),
  'cancel-reason-own': reason('cancelled'),
  ...sendFaults,
  ...textFaults,
  'nobody-listed': () => lists(() => []),
  'first-agent-listed': () => lists((agents) => agents.slice(0, 1)),
  'the-gone-are-listed': keepsAll,
};
