/** Lawful gateways that are unusual when they accept or refuse agents, and when they stop. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { GatewayOptions, RegisterAgent, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, editCloses, fromAgents, kindOf, none, toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { isEnd, keepsIds } from '../mutants/kept-ids.ts';
import { documents, lawful } from './lawful.ts';

type Welcome = NonNullable<ServerMessage['welcome']>;

/** Edits the fields of the Welcome. */
const welcomes = (change: (welcome: Welcome) => Partial<Welcome>) => (): GatewayFault =>
  toAgents((m) => [m.welcome === undefined ? m : { welcome: { ...m.welcome, ...change(m.welcome) } }]);

/** Gives agents other ids than they ask for. */
const assigns = (name: (id: string) => string) => (): GatewayFault =>
  fromAgents((m, context, peer) => {
    const { agent_id: id = '' }: RegisterAgent = m.register ?? {};
    if (m.register === undefined || id === '' || agentOn(context, peer) !== undefined) return [m];
    return [{ register: { ...m.register, agent_id: name(id) } }];
  });

/** Sends a message to agents later. */
const late = (fits: (m: ServerMessage) => boolean, ms: number) => (): GatewayFault =>
  toAgents((m, context, peer) => {
    if (!fits(m)) return [m];
    context.later(ms, (then) => then.put({ type: 'send', peer, message: m }));
    return [];
  });

/** Handles the register of an agent later. */
const acceptsLate = (ms: number) => (): GatewayFault => {
  const seen = new Set<string>();
  return fromAgents((m, context, peer) => {
    if (m.register === undefined || seen.has(peer)) return [m];
    seen.add(peer);
    context.later(ms, (then) => then.tell(m, peer));
    return [];
  });
};

/** Refuses a register without an agent_id in another way. */
const emptyId = (code: number, reason: string) => (): GatewayFault =>
  fromAgents((m, context, peer) => {
    if (m.register === undefined || (m.register.agent_id ?? '') !== '' || agentOn(context, peer)) return [m];
    if (reason !== '') context.send({ registration_error: { reason } }, peer);
    context.close(code, 'an agent needs an id', peer);
    return [];
  });

/** Sends response headers a while after the opening. */
const headersLate = (ms: number) => (): GatewayFault => ({
  output(output, context) {
    if (output.type !== 'headers' || kindOf(context, output.peer) !== 'agent') return [output];
    context.later(ms, (then) => then.put(output));
    return [];
  },
});

/** Repeats an empty message after each of its own. */
const emptyMessages = (): GatewayFault => {
  const welcomed = new Set<string>();
  return toAgents((m, _, peer) => {
    if (m.welcome !== undefined) welcomed.add(peer);
    return welcomed.has(peer) && m.shutdown === undefined ? [m, {}] : [m];
  });
};

const option =
  (change: Partial<GatewayOptions>) =>
  (given: Partial<GatewayOptions>): Partial<GatewayOptions> => ({
    ...given,
    ...change,
  });

const time =
  (change: GatewayOptions['timeouts']) =>
  (given: Partial<GatewayOptions>): Partial<GatewayOptions> => ({
    ...given,
    timeouts: { ...given.timeouts, ...change },
  });

let serial = 0;

const { agents, enhancements, page, schema } = documents;
const assigned = `${agents}: message Welcome; an agent uses Welcome.agent_id afterwards, which the gateway may assign`;

/** The lawful gateways of this theme. */
export const lawfulRegistrations: readonly LawfulPeer[] = [
  lawful(
    'ids-with-a-prefix',
    'It gives agents ids with a prefix.',
    assigned,
    assigns((id) => (id.startsWith('gw/') ? id : `gw/${id}`)),
  ),
  lawful(
    'ids-with-a-domain',
    'It gives agents ids with the name of its domain.',
    assigned,
    assigns((id) => (id.includes('@') ? id : `${id}@home`)),
  ),
  lawful(
    'ids-in-capitals',
    'It writes ids of agents in capitals.',
    assigned,
    assigns((id) => id.toUpperCase()),
  ),
  lawful(
    'no-mcp',
    'Its Welcome has neither mcp_token nor mcp_endpoint.',
    `${agents}: message Welcome; a string that is absent is empty`,
    welcomes(() => ({ mcp_token: '', mcp_endpoint: '' })),
    { lacks: ['mcp'], unseen: { 'FOLD-G53': 'it gives no tokens' } },
  ),
  lawful(
    'no-principal',
    'Its Welcome has no principal_id.',
    `${agents}: message Welcome; without credentials there is no principal`,
    welcomes(() => ({ principal_id: '' })),
  ),
  lawful(
    'secrets',
    'Its Welcome has secrets.',
    `${agents}: message Welcome, field secrets`,
    welcomes(() => ({ secrets: { API_KEY: 'k-1', OTHER: '' } })),
  ),
  lawful(
    'tools-not-offered',
    'Its Welcome lists no tools, which agents may call by name.',
    `${schema}: message Welcome; available_tools may be empty`,
    welcomes(() => ({ available_tools: [] })),
  ),
  lawful(
    'instance-counts',
    'Its instance_ids are numbers that count connections.',
    `${agents}: message Welcome; an instance_id need only be unique`,
    welcomes(() => ({ instance_id: String(++serial) })),
  ),
  lawful(
    'welcome-after-3-s',
    'It takes 3 s to welcome an agent.',
    `${page}, How a gateway is judged: Welcome comes within 5 s`,
    acceptsLate(3000),
  ),
  lawful(
    'headers-after-2-s',
    'It takes 2 s to send response headers.',
    `${page}, How a gateway is judged: headers come within 5 s`,
    headersLate(2000),
  ),
  lawful(
    'id-free-after-3-s',
    'It frees the id of an agent 3 s after its stream has ended.',
    `${page}, The gateway side: an ID is free again within 5 s of its stream's end`,
    keepsIds(3000, isEnd),
  ),
  lawful(
    'duplicates-by-message',
    'It refuses an id in use by RegistrationError.',
    `${agents}: message RegistrationError`,
    none,
    { options: option({ duplicates: 'registration_error' }) },
  ),
  lawful(
    'no-suggestion',
    'Its RegistrationError suggests no id.',
    `${agents}: message RegistrationError; suggested_id may be empty`,
    () =>
      toAgents((m) => [
        m.registration_error === undefined
          ? m
          : { registration_error: { reason: m.registration_error.reason ?? '' } },
      ]),
    { options: option({ duplicates: 'registration_error' }) },
  ),
  lawful(
    'duplicates-in-own-words',
    'It refuses an id in use by ALREADY_EXISTS, in words of its own.',
    `${page}, Decisions, 10: the status is ALREADY_EXISTS; the words help one published client only`,
    () =>
      editCloses('agent', (close) => [
        close.status.code === 6 ? { ...close, status: { code: 6, message: 'choose another id' } } : close,
      ]),
  ),
  lawful(
    'empty-id-by-message',
    'It refuses a register without an agent_id by RegistrationError.',
    `${agents}: messages RegisterAgent and RegistrationError`,
    emptyId(0, 'an agent needs an id'),
  ),
  lawful(
    'empty-id-precondition',
    'It refuses a register without an agent_id by FAILED_PRECONDITION.',
    `${agents}: message RegisterAgent; no status is named for an empty agent_id`,
    emptyId(9, ''),
  ),
  lawful(
    'empty-messages',
    'It sends agents an empty message after each of its own.',
    `${enhancements}, Backward Compatibility: peers ignore messages that they do not know`,
    emptyMessages,
  ),
  lawful(
    'ids-with-odd-characters',
    'Its ids have spaces, slashes and letters outside ASCII.',
    `${schema}: ids are strings`,
    none,
    { options: (given) => ({ ...given, uuid: () => `nº ${++serial}/é ✓` }) },
  ),
  lawful(
    'shutdown-at-once',
    'It ends streams right after Shutdown.',
    `${agents}: message Shutdown; no grace is named for the gateway`,
    none,
    { options: time({ shutdown: 50 }) },
  ),
  lawful(
    'shutdown-without-reason',
    'Its Shutdown has no reason.',
    `${agents}: message Shutdown; a string that is absent is empty`,
    () => toAgents((m) => [m.shutdown === undefined ? m : { shutdown: {} }]),
  ),
  lawful(
    'requests-after-2-s',
    'It takes 2 s to hand a request to its agent.',
    `${page}, How a gateway is judged: a request reaches its agent within 10 s`,
    late((m) => m.send_message !== undefined, 2000),
  ),
  lawful(
    'gives-up-cancels-early',
    'It waits 2 s for the answer to a cancel.',
    `${enhancements}, 4. Request Cancellation, Timeout Behavior: the gateway chooses the timeout`,
    none,
    { options: time({ cancel: 2000 }) },
  ),
  lawful(
    'disconnects-the-unresponsive',
    'It ends the stream of an agent that does not answer a cancel.',
    `${enhancements}, 4. Request Cancellation, Timeout Behavior: it may disconnect the agent`,
    none,
    { options: option({ disconnect_unresponsive: true }) },
  ),
];
