/** Makes mutant agents: the reference agent with one fault in its messages. */
import type { RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
import { intercepted, member, onReceive, onSend, peerOf } from '../../../../src/kit/suite/index.ts';
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
export type AgentFault = kit.RoleFault<AgentState, ServerMessage, AgentMessage>;
/** An input of an agent. */
export type Input = RoleInput<ServerMessage, never>;
export type Output = RoleOutput<AgentMessage>;

/** A fault in the agent's responses. */
export const onResponse = (edit: kit.MessageEdit<MessageResponse, FaultContext>): AgentFault =>
  onSend(member('response', edit));

/** A fault in the requests that the agent receives. */
export const onRequest = (edit: kit.MessageEdit<SendMessage, FaultContext>): AgentFault =>
  onReceive(member('send_message', edit));

/** Ends the stream like a crash. The agent comes back as after a loss. */
export const hangUp = (context: FaultContext): void => context.close(1, 'hung up');

/** A fault that is made for each run, and options of the agent that differ from the target's. */
export interface OptionedFault {
  readonly fault?: () => AgentFault;
  readonly options?: Partial<AgentOptions>;
}

/** Faults by the ids of their mutants. */
export type AgentFaults = kit.Faults<(() => AgentFault) | OptionedFault>;

/** Makes the reference agent with a fault. */
export function agentWith(given: (() => AgentFault) | OptionedFault): kit.Mutant['make'] {
  const { fault = () => ({}), options = {} } = typeof given === 'function' ? { fault: given } : given;
  return () => peerOf(intercepted(agent({ ...targetOptions, ...options }), fault), serverCodec, agentCodec);
}
