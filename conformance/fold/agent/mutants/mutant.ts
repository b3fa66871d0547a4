/** How a mutant agent is made: the reference agent with one fault, in the words of an agent's stream. */
import type { RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
import {
  editIncoming as incoming,
  editOutgoing as outgoing,
  intercepted,
  peerOf,
} from '../../../../src/kit/suite/index.ts';
import type * as kit from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, serverCodec } from '../../../../src/fold/index.ts';
import type {
  AgentMessage,
  AgentOptions,
  AgentState,
  MessageResponse,
  SendMessage,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { targetOptions } from '../target.ts';

/** The kit's words for faults, of agents. */
export type FaultContext = kit.FaultContext<AgentState, ServerMessage, AgentMessage>;
export type AgentFault = kit.RoleFault<AgentState, ServerMessage, AgentMessage>;
export type Input = RoleInput<ServerMessage, never>;
export type Output = RoleOutput<AgentMessage>;
type IncomingFault = kit.InputFault<AgentState, ServerMessage, AgentMessage>;
type OutgoingFault = kit.OutputFault<AgentState, ServerMessage, AgentMessage>;

/** A fault in the gateway's messages: those that the agent receives instead of one. */
export const editIncoming: (edit: kit.MessageEdit<ServerMessage, FaultContext>) => IncomingFault = incoming;

/** A fault in the agent's messages: those that it sends instead of one. */
export const editOutgoing: (edit: kit.MessageEdit<AgentMessage, FaultContext>) => OutgoingFault = outgoing;

/** A fault in the agent's responses: those that it sends instead of one. */
export const editResponses = (
  edit: (response: MessageResponse, context: FaultContext) => readonly MessageResponse[],
): OutgoingFault =>
  editOutgoing((message, context) =>
    message.response === undefined
      ? [message]
      : edit(message.response, context).map((response) => ({ response })),
  );

/** A fault in the requests that the agent receives. */
export const editRequests =
  (edit: (message: SendMessage, context: FaultContext) => SendMessage) => (): AgentFault =>
    editIncoming((m, context) => [
      m.send_message === undefined ? m : { send_message: edit(m.send_message, context) },
    ]);

/** Ends the stream as an agent does that crashes; it comes back as after a loss. */
export const hangUp = (context: FaultContext): void => context.close(1, 'hung up');

/** No fault, for mutants whose fault is in their options. */
export const none = (): AgentFault => ({});

/**
 * Makes a mutant.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes the fault anew for each run
 * @param options the agent's options that differ from the target's
 *
 * @example
 * mutant('FOLD-A02', 'no-agent-id', 'It registers without an agent_id.', () =>
 *   editOutgoing((m) => [m.register === undefined ? m : { register: { ...m.register, agent_id: '' } }]),
 * );
 */
export const mutant = (
  breaks: string,
  id: string,
  title: string,
  fault: () => AgentFault,
  options: Partial<AgentOptions> = {},
): kit.Mutant => ({
  id,
  breaks,
  title,
  make: () => peerOf(intercepted(agent({ ...targetOptions, ...options }), fault), serverCodec, agentCodec),
});
