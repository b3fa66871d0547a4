/** Lawful gateways that are unusual when they accept or refuse agents, and when they stop. */
import { member, onOutput } from '../../../../src/kit/suite/index.ts';
import type { GatewayOptions, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, onClose, fromAgents, kindOf, none, toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { isEnd, keepsIds } from '../mutants/kept-ids.ts';
import type { GatewayFaults } from '../mutants/mutant.ts';
import { late } from './lawful.ts';

type Welcome = NonNullable<ServerMessage['welcome']>;

/** Edits the fields of the Welcome. */
const welcomes = (change: (welcome: Welcome) => Partial<Welcome>) => (): GatewayFault =>
  toAgents(member('welcome', (welcome) => [{ ...welcome, ...change(welcome) }]));

/** Gives agents other ids than they ask for. */
const assigns = (name: (id: string) => string) => (): GatewayFault =>
  fromAgents(
    member('register', (register, context, peer) => {
      const { agent_id: id = '' } = register;
      if (id === '' || agentOn(context, peer) !== undefined) return;
      return [{ ...register, agent_id: name(id) }];
    }),
  );

/** Handles the register of an agent later. */
const acceptsLate = (ms: number) => (): GatewayFault => {
  const seen = new Set<string>();
  return fromAgents(
    member('register', (register, context, peer) => {
      if (seen.has(peer)) return;
      seen.add(peer);
      context.later(ms, (then) => then.tell({ register }, peer));
      return [];
    }),
  );
};

/** Refuses a register without an agent_id in another way. */
const emptyId = (code: number, reason: string) => (): GatewayFault =>
  fromAgents(
    member('register', ({ agent_id = '' }, context, peer) => {
      if (agent_id !== '' || agentOn(context, peer)) return;
      if (reason !== '') context.send({ registration_error: { reason } }, peer);
      context.close(code, 'an agent needs an id', peer);
      return [];
    }),
  );

/** Sends response headers a while after the opening. */
const headersLate = (ms: number) => (): GatewayFault =>
  onOutput('headers', (headers, context) => {
    if (kindOf(context, headers.peer) !== 'agent') return;
    context.later(ms, (then) => then.put(headers));
    return [];
  });

/** Repeats an empty message after each of its own. */
const emptyMessages = (): GatewayFault => {
  const welcomed = new Set<string>();
  return toAgents((m, _, peer) => {
    if (m.welcome !== undefined) welcomed.add(peer);
    return welcomed.has(peer) && m.shutdown === undefined ? [m, {}] : undefined;
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

export const lawfulRegistrations: GatewayFaults = {
  'ids-with-a-prefix': assigns((id) => (id.startsWith('gw/') ? id : `gw/${id}`)),
  'ids-with-a-domain': assigns((id) => (id.includes('@') ? id : `${id}@home`)),
  'ids-in-capitals': assigns((id) => id.toUpperCase()),
  'no-mcp': welcomes(() => ({ mcp_token: '', mcp_endpoint: '' })),
  'no-principal': welcomes(() => ({ principal_id: '' })),
  secrets: welcomes(() => ({ secrets: { API_KEY: 'k-1', OTHER: '' } })),
  'tools-not-offered': welcomes(() => ({ available_tools: [] })),
  'instance-counts': welcomes(() => ({ instance_id: String(++serial) })),
  'welcome-after-3-s': acceptsLate(3000),
  'headers-after-2-s': headersLate(2000),
  'id-free-after-3-s': keepsIds(3000, isEnd),
  'duplicates-by-message': { fault: none, options: option({ duplicates: 'registration_error' }) },
  'no-suggestion': {
    fault: () => toAgents(member('registration_error', ({ reason = '' }) => [{ reason }])),
    options: option({ duplicates: 'registration_error' }),
  },
  'duplicates-in-own-words': () =>
    onClose('agent', (close) => [
      close.status.code === 6 ? { ...close, status: { code: 6, message: 'choose another id' } } : close,
    ]),
  'empty-id-by-message': emptyId(0, 'an agent needs an id'),
  'empty-id-precondition': emptyId(9, ''),
  'empty-messages': emptyMessages,
  'ids-with-odd-characters': {
    fault: none,
    options: (given) => ({ ...given, uuid: () => `nº ${++serial}/é ✓` }),
  },
  'shutdown-at-once': { fault: none, options: time({ shutdown: 50 }) },
  'shutdown-without-reason': () => toAgents(member('shutdown', () => [{}])),
  'requests-after-2-s': late('send_message', 2000),
  'gives-up-cancels-early': { fault: none, options: time({ cancel: 2000 }) },
  'disconnects-the-unresponsive': { fault: none, options: option({ disconnect_unresponsive: true }) },
};
