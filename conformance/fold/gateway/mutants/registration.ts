/** Gateways that violate FOLD-G01 to G04, G10 and G53 when they accept registrations. */
import { bothFaults } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, RegisterAgent, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, kindOf, toAgents } from './faults.ts';
import type { MessageEdit, GatewayFault, FaultContext } from './faults.ts';
import { isEnd, keepsIds } from './kept-ids.ts';
import type { GatewayFaults } from './mutant.ts';

type Welcome = NonNullable<ServerMessage['welcome']>;

/** Replaces the Welcome. */
const welcomes = (
  edit: (welcome: Welcome, context: FaultContext, peer: string) => readonly ServerMessage[],
): GatewayFault =>
  toAgents((m, context, peer) => (m.welcome === undefined ? [m] : edit(m.welcome, context, peer)));

/** Edits the fields of the Welcome. */
const welcomesWith = (change: (welcome: Welcome) => Partial<Welcome>) => (): GatewayFault =>
  welcomes((welcome) => [{ welcome: { ...welcome, ...change(welcome) } }]);

/** Holds the response headers back until the first message, as a server library does by default, or until a timer. */
const headersWait = (ms: number | undefined) => (): GatewayFault => {
  const held = new Set<string>();
  return {
    output(output, context) {
      if (!('peer' in output) || kindOf(context, output.peer) !== 'agent') return [output];
      const { peer } = output;
      const headers = { type: 'headers', peer, metadata: {} } as const;
      if (output.type !== 'headers') return held.delete(peer) ? [headers, output] : [output];
      held.add(peer);
      if (ms !== undefined)
        context.later(ms, (then) => {
          if (held.delete(peer)) then.put(headers);
        });
      return [];
    },
  };
};

/** The number of protocol features from which the set-up of an agent is slow. */
const many = 3;

const slowForMany: Parameters<typeof welcomes>[0] = (welcome, context, peer) => {
  if ((agentOn(context, peer)?.features.size ?? 0) < many) return [{ welcome }];
  context.later(6000, (then) => then.send({ welcome }, peer));
  return [];
};

/** Ignores the registers that do not fit. */
const welcomesLater = (ms: number): GatewayFault =>
  welcomes((welcome, context, peer) => {
    context.later(ms, (then) => then.send({ welcome }, peer));
    return [];
  });

const registersLater = (ms: number): GatewayFault =>
  fromAgents((m, context, peer) => {
    if (m.register === undefined) return [m];
    context.later(ms, (then) => then.tell(m, peer));
    return [];
  });

const onlyIf =
  (fits: (register: RegisterAgent) => boolean): MessageEdit<AgentMessage> =>
  (m) =>
    m.register === undefined || fits(m.register) ? [m] : [];

/** The time for which the mutant waits for a register (ms). */
const unasked = 100;

/** Sends Welcome to a stream on which no message has come. */
const welcomesUnasked = (): GatewayFault => {
  const waiting = new Set<string>();
  const welcomed = new Set<string>();
  return {
    output: (output) =>
      output.type === 'send' && 'welcome' in output.message && welcomed.has(output.peer) ? [] : [output],
    input(input, context) {
      if (!('peer' in input)) return [input];
      const { peer } = input;
      if (input.type !== 'opened') waiting.delete(peer);
      else if (kindOf(context, peer) === 'agent') {
        waiting.add(peer);
        context.later(unasked, (then) => {
          const welcome = {
            server_id: 'g',
            agent_id: `agent on ${peer}`,
            instance_id: `instance on ${peer}`,
          };
          if (!waiting.has(peer)) return;
          welcomed.add(peer);
          then.put({ type: 'send', peer, message: { welcome } });
        });
      }
      return [input];
    },
  };
};

/** A token that contains the agent_id. */
const tokenOf = ({ agent_id = '' }: Welcome): Partial<Welcome> => ({ mcp_token: `token of ${agent_id}` });

export const registrationFaults: GatewayFaults = {
  'headers-with-welcome': headersWait(undefined),
  'headers-late': headersWait(6000),
  'welcome-late': (): GatewayFault => welcomes(slowForMany),
  'nameless-unanswered': (): GatewayFault => fromAgents(onlyIf(({ name = '' }) => name !== '')),
  'welcome-twice': (): GatewayFault =>
    welcomes((welcome, { state }) => (state.agents.size < 2 ? [{ welcome }] : [{ welcome }, { welcome }])),
  'greets-before-welcome': (): GatewayFault => welcomes((welcome) => [{}, { welcome }]),
  'welcome-unasked': welcomesUnasked,
  'sends-before-slow-welcome': (): GatewayFault => bothFaults(registersLater(500), welcomesLater(30)),
  'sends-before-welcome': (): GatewayFault => welcomesLater(2),
  'id-of-another': (): GatewayFault =>
    welcomes((welcome, { state }) => {
      const [first = ''] = state.agents.keys();
      return [{ welcome: first === '' ? welcome : { ...welcome, agent_id: first } }];
    }),
  'welcome-without-id': welcomesWith(() => ({ agent_id: '' })),
  'instance-as-id': welcomesWith(({ instance_id = '' }) => ({ agent_id: instance_id })),
  'server-id-empty': welcomesWith(() => ({ server_id: '' })),
  'instance-id-empty': welcomesWith(() => ({ instance_id: '' })),
  'instance-of-the-process': welcomesWith(({ server_id = '' }) => ({ instance_id: `${server_id}-1` })),
  'instance-by-id': welcomesWith(({ agent_id = '' }) => ({ instance_id: `instance of ${agent_id}` })),
  'id-never-free': keepsIds(Infinity, isEnd),
  'id-free-after-a-minute': keepsIds(60_000, isEnd),
  'id-kept-after-half-close': keepsIds(Infinity, ({ type }) => type === 'half_close'),
  'id-kept-after-break': keepsIds(Infinity, ({ type }) => type === 'left'),
  'one-token': welcomesWith(() => ({ mcp_token: 'token' })),
  'token-by-id': welcomesWith(tokenOf),
};
