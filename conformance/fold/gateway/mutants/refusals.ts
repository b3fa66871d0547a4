/** Gateways that violate FOLD-G05 to G09 when they refuse registrations. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, GatewayOptions, RegisterAgent } from '../../../../src/fold/index.ts';
import { agentOn, onClose, fromAgents, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, FaultContext, MessageEdit, Output } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type Act = MessageEdit<AgentMessage>;

/** Edits the handling of a first message that is not register. */
const otherFirst = (act: Act) => (): GatewayFault =>
  fromAgents((m, context, peer) =>
    m.register !== undefined || agentOn(context, peer) !== undefined ? undefined : act(m, context, peer),
  );

/** Edits the handling of a first register whose agent_id fits. */
const firstRegister = (
  fits: (id: string, context: FaultContext) => boolean,
  edit: MessageEdit<RegisterAgent>,
): GatewayFault =>
  fromAgents(
    member('register', (register, context: FaultContext, peer) =>
      agentOn(context, peer) === undefined && fits(register.agent_id ?? '', context)
        ? edit(register, context, peer)
        : undefined,
    ),
  );

const emptyId = (edit: MessageEdit<RegisterAgent>) => (): GatewayFault =>
  firstRegister((id) => id === '', edit);
const takenId = (edit: MessageEdit<RegisterAgent>) => (): GatewayFault =>
  firstRegister((id, { state }) => state.agents.has(id), edit);

/** Edits the handling of a second register. */
const secondRegister = (act: MessageEdit<RegisterAgent>) => (): GatewayFault =>
  fromAgents(
    member('register', (register, context, peer) =>
      agentOn(context, peer) === undefined ? undefined : act(register, context, peer),
    ),
  );

/** Ends streams with another status, if the status message fits. */
const endsWith = (says: RegExp, code: number) => (): GatewayFault =>
  onClose('agent', (close) =>
    says.test(close.status.message) ? [{ ...close, status: { ...close.status, code } }] : [close],
  );

const nothing = (): readonly [] => [];

const newestWins: MessageEdit<RegisterAgent> = (register, context, peer) => {
  const first = context.state.agents.get(register.agent_id ?? '');
  if (first !== undefined) context.close(14, 'replaced by a newer connection', first);
  // The role receives it after the loss of the first agent.
  context.tell({ register }, peer);
  return [];
};

const forgetsTheFirst: MessageEdit<RegisterAgent> = ({ agent_id = '' }, { state }) =>
  void state.agents.delete(agent_id);

/** Cleans up the refused stream together with the registration of the id that it asked for. */
const cleansUpTooMuch = (): GatewayFault =>
  onClose('agent', (close, { state }) => {
    const [, id = ''] = /^agent (.*) already registered$/.exec(close.status.message) ?? [];
    state.agents.delete(id);
  });

/** Edits the end of the stream after a RegistrationError. */
const afterError =
  (instead: (close: Output, context: FaultContext) => readonly Output[]) => (): GatewayFault => {
    const refused = new Set<string>();
    return {
      output(output, context) {
        if (output.type === 'send' && 'registration_error' in output.message) refused.add(output.peer);
        return output.type === 'close' && refused.has(output.peer) ? instead(output, context) : [output];
      },
    };
  };

/** If it refuses by RegistrationError, continues under the suggested id. */
const helpsItself = ({ duplicates }: Partial<GatewayOptions>): GatewayFault =>
  duplicates !== 'registration_error'
    ? {}
    : takenId((register, context, peer) => {
        const id = register.agent_id ?? '';
        const suggested_id = `${id}-2`;
        context.send(
          { registration_error: { reason: `agent ${id} already registered`, suggested_id } },
          peer,
        );
        return [{ ...register, agent_id: suggested_id }];
      })();

const welcomesAgain: MessageEdit<RegisterAgent> = (_, context, peer) => {
  const { listing, token = '' } = agentOn(context, peer) ?? {};
  if (listing === undefined) return [];
  const { id: agent_id, instance_id } = listing;
  context.send(
    { welcome: { server_id: 'wireproof-gateway', agent_id, instance_id, mcp_token: token } },
    peer,
  );
  return [];
};

/** Uses the agent_id of the last register. */
const renames: MessageEdit<RegisterAgent> = ({ agent_id: id = '' }, context, peer) => {
  const agent = agentOn(context, peer);
  if (agent?.listing === undefined) return [];
  context.state.agents.delete(agent.listing.id);
  context.state.agents.set(id, peer);
  agent.listing = { ...agent.listing, id };
  return [];
};

const refusesAgain: MessageEdit<RegisterAgent> = ({ agent_id: id = '' }, context, peer) => {
  context.send({ registration_error: { reason: `agent ${id} is registered already` } }, peer);
  return [];
};

const ends =
  (code: number, message: string): MessageEdit<RegisterAgent> =>
  (_, context, peer) => {
    context.close(code, message, peer);
    return [];
  };

/** Lists agents by the id of their last register. */
const listsSecond = (): GatewayFault => {
  const ids = new Map<string, string>();
  return allFaults(
    secondRegister(({ agent_id = '' }, context, peer) => {
      ids.set(agentOn(context, peer)?.listing?.id ?? '', agent_id);
      return [];
    })(),
    toOperators(
      member('agents', (agents) => [agents.map((one) => ({ ...one, id: ids.get(one.id) ?? one.id }))]),
    ),
  );
};

export const refusalFaults: GatewayFaults = {
  'waits-for-register': otherFirst(nothing),
  'welcomes-anyone': otherFirst((m, _, peer) => [{ register: { agent_id: `agent on ${peer}` } }, m]),
  'first-message-precondition': endsWith(/^the first message must be register$/, 9),
  'first-message-ok': endsWith(/^the first message must be register$/, 0),
  'gives-an-id': emptyId((register, _, peer) => [{ ...register, agent_id: `agent on ${peer}` }]),
  'empty-id-unanswered': emptyId(nothing),
  'empty-id-ok': endsWith(/^agent_id is required$/, 0),
  'newest-wins': takenId(newestWins),
  'both-welcomed': takenId(forgetsTheFirst),
  'cleans-up-too-much': cleansUpTooMuch,
  'duplicate-unanswered': takenId(nothing),
  'duplicate-unavailable': endsWith(/ already registered$/, 14),
  'no-reason': () => toAgents(member('registration_error', (error) => [{ ...error, reason: '' }])),
  'stays-open': afterError(() => []),
  'helps-itself': helpsItself,
  'welcomes-again': secondRegister(welcomesAgain),
  'second-register-closes': secondRegister(ends(3, 'this stream is registered already')),
  renames: secondRegister(renames),
  'second-id-as-well': secondRegister(({ agent_id = '' }, context, peer) => {
    context.state.agents.set(agent_id, peer);
    return [];
  }),
  'second-id-listed': listsSecond,
  'second-register-error': secondRegister(refusesAgain),
};
