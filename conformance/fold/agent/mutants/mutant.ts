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

/** A fault that is made for each run, and options of the agent that differ from the target's. */
export interface OptionedFault {
  readonly fault?: () => AgentFault;
  readonly options?: Partial<AgentOptions>;
}

/** Faults by the ids of their mutants. */
export type AgentFaults = kit.Faults<(() => AgentFault) | OptionedFault>;

const none = (): AgentFault => ({});

/** Makes the reference agent with a fault. */
export function agentWith(given: (() => AgentFault) | OptionedFault): kit.Mutant['make'] {
  const { fault = none, options = {} } = typeof given === 'function' ? { fault: given } : given;
  return () => peerOf(intercepted(agent({ ...targetOptions, ...options }), fault), serverCodec, agentCodec);
}
