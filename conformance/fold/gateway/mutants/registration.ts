/** Gateways that violate FOLD-G01 to G04, G10 and G53 when they accept registrations. */
import { allFaults, member, receiveLate, sendLate } from '../../../../src/kit/suite/index.ts';
import type { ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, kindOf, toAgents } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import { isEnd, keepsIds } from './kept-ids.ts';
import type { GatewayFaults } from './mutant.ts';

type Welcome = NonNullable<ServerMessage['welcome']>;

/** Edits the fields of the Welcome. */
const welcomesWith = (change: (welcome: Welcome) => Partial<Welcome>) => (): GatewayFault =>
  toAgents(member('welcome', (welcome) => [{ ...welcome, ...change(welcome) }]));

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

const slowForMany = (): GatewayFault =>
  toAgents(
    member('welcome', (welcome, context, peer) => {
      if ((agentOn(context, peer)?.features.size ?? 0) < many) return;
      context.later(6000, (then) => then.send({ welcome }, peer));
      return [];
    }),
  );

const welcomesLater = (ms: number): GatewayFault => toAgents(sendLate(ms, (m) => 'welcome' in m));

const registersLater = (ms: number): GatewayFault => fromAgents(receiveLate(ms, (m) => 'register' in m));

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
  'welcome-late': slowForMany,
  'nameless-unanswered': () =>
    fromAgents(member('register', ({ name = '' }) => (name === '' ? [] : undefined))),
  'welcome-twice': () =>
    toAgents(member('welcome', (w, { state }) => (state.agents.size < 2 ? undefined : [w, w]))),
  'greets-before-welcome': () => toAgents((m) => (m.welcome === undefined ? undefined : [{}, m])),
  'welcome-unasked': welcomesUnasked,
  'sends-before-slow-welcome': () => allFaults(registersLater(500), welcomesLater(30)),
  'sends-before-welcome': () => welcomesLater(2),
  'id-of-another': () =>
    toAgents(
      member('welcome', (welcome, { state }) => {
        const [first = welcome.agent_id ?? ''] = state.agents.keys();
        return [{ ...welcome, agent_id: first }];
      }),
    ),
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
