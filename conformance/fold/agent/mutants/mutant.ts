/** Makes mutant agents: the reference agent with one fault in its messages. */
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

/** The state and the actions of a fault in an agent. */
export type FaultContext = kit.FaultContext<AgentState, ServerMessage, AgentMessage>;
/** A fault in an agent. */
export type AgentFault = kit.RoleFault<AgentState, ServerMessage, AgentMessage>;
/** An input of an agent. */
export type Input = RoleInput<ServerMessage, never>;
/** An output of an agent. */
export type Output = RoleOutput<AgentMessage>;
type IncomingFault = kit.InputFault<AgentState, ServerMessage, AgentMessage>;
type OutgoingFault = kit.OutputFault<AgentState, ServerMessage, AgentMessage>;

/** A fault in the gateway's messages. The edit gives the messages that replace a message. */
export const editIncoming: (edit: kit.MessageEdit<ServerMessage, FaultContext>) => IncomingFault = incoming;

/** A fault in the agent's messages. The edit gives the messages that replace a message. */
export const editOutgoing: (edit: kit.MessageEdit<AgentMessage, FaultContext>) => OutgoingFault = outgoing;

/** A fault in the agent's responses. The edit gives the responses that replace a response. */
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

/** Ends the stream like a crash. The agent comes back as after a loss. */
export const hangUp = (context: FaultContext): void => context.close(1, 'hung up');

/** The fault of mutants that are wrong by their options. */
export const none = (): AgentFault => ({});

/**
 * Makes a mutant.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes a new fault for each run
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
