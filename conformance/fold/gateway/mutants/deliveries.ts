/** Gateways that violate FOLD-G55 to G61: what operators give does not reach agents as it was given. */
import type { AgentListing, InjectContext, SendMessage, ServerMessage } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs, escapedTwice, withOtherLines, withoutControls } from '../../texts.ts';
import { toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

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

/** Mutants of FOLD-G55 and G58 that change texts which are not ASCII. */
const textFaults: GatewayFaults = {
  'message-as-latin1': contents(asLatin1).messages,
  'message-cut-in-pairs': contents(cutInPairs).messages,
  'message-escaped-twice': contents(escapedTwice).messages,
  'message-without-controls': contents(withoutControls).messages,
  'injection-as-latin1': contents(asLatin1).injections,
  'injection-with-other-lines': contents(withOtherLines).injections,
};

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

const sendFaults: GatewayFaults = {
  'message-lost': lost(({ agents }) => agents.size > 1),
  'message-in-capitals': messages((m) => [{ ...m, content: (m.content ?? '').toUpperCase() }]),
  'message-twice': messages((m) => [m, { ...m, request_id: `${m.request_id ?? ''} again` }]),
  'message-to-all': messages(elsewhere(sent, true)),
  'message-to-another': messages(elsewhere(sent, false)),
  'sender-lost': messages((m) => [{ ...m, sender: '' }]),
  'sender-of-the-gateway': messages((m) => [{ ...m, sender: 'gateway' }]),
  'attachments-lost': messages((m) => [{ ...m, attachments: [] }]),
  'attachments-of-one-type': messages((m) => [
    {
      ...m,
      ...(m.attachments === undefined
        ? {}
        : {
            attachments: m.attachments.map((file) => ({ ...file, mime_type: 'application/octet-stream' })),
          }),
    },
  ]),
  'first-attachment-only': messages((m) => [
    { ...m, ...(m.attachments === undefined ? {} : { attachments: m.attachments.slice(0, 1) }) },
  ]),
};

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
