/** Gateways that violate FOLD-G01 to G04, G10 and G53 when they accept registrations. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, RegisterAgent, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, both, fromAgents, kindOf, toAgents } from './faults.ts';
import type { MessageEdit, GatewayFault, FaultContext } from './faults.ts';
import { isEnd, keepsIds } from './kept-ids.ts';
import { mutant } from './mutant.ts';

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

/** Mutants of this theme. */
export const registrationMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G01',
    'headers-with-welcome',
    'It sends response headers only with its first message.',
    headersWait(undefined),
  ),
  mutant(
    'FOLD-G01',
    'headers-late',
    'It sends response headers 6 s late, unless it has a message before.',
    headersWait(6000),
  ),
  mutant(
    'FOLD-G02',
    'welcome-late',
    'It welcomes an agent with three protocol features or more 6 s late.',
    (): GatewayFault => welcomes(slowForMany),
  ),
  mutant('FOLD-G02', 'nameless-unanswered', 'It never answers a register without a name.', (): GatewayFault =>
    fromAgents(onlyIf(({ name = '' }) => name !== '')),
  ),
  mutant(
    'FOLD-G02',
    'welcome-twice',
    'It sends Welcome twice while another agent is connected.',
    (): GatewayFault =>
      welcomes((welcome, { state }) => (state.agents.size < 2 ? [{ welcome }] : [{ welcome }, { welcome }])),
  ),
  mutant(
    'FOLD-G02',
    'greets-before-welcome',
    'It sends an empty message before each Welcome.',
    (): GatewayFault => welcomes((welcome) => [{}, { welcome }]),
  ),
  mutant(
    'FOLD-G02',
    'welcome-unasked',
    'It sends Welcome to an agent that is slow to register.',
    welcomesUnasked,
  ),
  mutant(
    'FOLD-G02',
    'sends-before-slow-welcome',
    'It takes half a second for a register, and takes messages for the agent 30 ms before its Welcome.',
    (): GatewayFault => both(registersLater(500), welcomesLater(30)),
  ),
  mutant(
    'FOLD-G02',
    'sends-before-welcome',
    'It takes messages for an agent whose Welcome it has not sent yet.',
    (): GatewayFault => welcomesLater(2),
  ),
  mutant(
    'FOLD-G03',
    'id-of-another',
    'Its Welcome has the agent_id of another connected agent.',
    (): GatewayFault =>
      welcomes((welcome, { state }) => {
        const [first = ''] = state.agents.keys();
        return [{ welcome: first === '' ? welcome : { ...welcome, agent_id: first } }];
      }),
  ),
  mutant(
    'FOLD-G03',
    'welcome-without-id',
    'Its Welcome has no agent_id.',
    welcomesWith(() => ({ agent_id: '' })),
  ),
  mutant(
    'FOLD-G03',
    'instance-as-id',
    'Its Welcome has the instance_id as agent_id, and the agent goes by the one it asked for.',
    welcomesWith(({ instance_id = '' }) => ({ agent_id: instance_id })),
  ),
  mutant(
    'FOLD-G04',
    'server-id-empty',
    'Its Welcome has no server_id.',
    welcomesWith(() => ({ server_id: '' })),
  ),
  mutant(
    'FOLD-G04',
    'instance-id-empty',
    'Its Welcome has no instance_id.',
    welcomesWith(() => ({ instance_id: '' })),
  ),
  mutant(
    'FOLD-G04',
    'instance-of-the-process',
    'It gives all agents the instance_id of its own process.',
    welcomesWith(({ server_id = '' }) => ({ instance_id: `${server_id}-1` })),
  ),
  mutant(
    'FOLD-G04',
    'instance-by-id',
    'It gives an agent that comes back the instance_id it had.',
    welcomesWith(({ agent_id = '' }) => ({ instance_id: `instance of ${agent_id}` })),
  ),
  mutant(
    'FOLD-G10',
    'id-never-free',
    'It refuses the id of an agent that was connected before.',
    keepsIds(Infinity, isEnd),
  ),
  mutant(
    'FOLD-G10',
    'id-free-after-a-minute',
    'It keeps the id of an agent that has left for a minute.',
    keepsIds(60_000, isEnd),
  ),
  mutant(
    'FOLD-G10',
    'id-kept-after-half-close',
    'It frees no id when the agent closes its stream in good order.',
    keepsIds(Infinity, ({ type }) => type === 'half_close'),
  ),
  mutant(
    'FOLD-G10',
    'id-kept-after-break',
    'It frees an id only when the agent closes its stream in good order.',
    keepsIds(Infinity, ({ type }) => type === 'left'),
  ),
  mutant(
    'FOLD-G53',
    'one-token',
    'It gives all agents one mcp_token.',
    welcomesWith(() => ({ mcp_token: 'token' })),
  ),
  mutant(
    'FOLD-G53',
    'token-by-id',
    'It gives an agent that comes back the mcp_token it had.',
    welcomesWith(tokenOf),
  ),
];
