/** Makes mutant agents: the reference agent with a replaced part, or with one fault in its messages. */
import type { AgentMessage, MessageResponse } from '../../../../src/fold/index.ts';
import { member, onSend } from '../../../../src/kit/suite/index.ts';
import type { Faults, MessageEdit, Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentOut, AgentParts } from '../../../../src/agent/index.ts';
import { wholeAgentPeer } from '../target.ts';
import type { AgentFault } from '../target.ts';

/** How a mutant differs from the reference. */
export interface MutantFault {
  readonly parts?: AgentParts;
  readonly fault?: AgentFault;
}

/** Faults by the ids of their mutants. Each is made for each run. */
export type WholeAgentFaults = Faults<() => MutantFault>;

/** Makes the reference agent with a fault. */
export const wholeAgentWith =
  (wrong: () => MutantFault): Mutant['make'] =>
  (options) =>
  (world) => {
    const { parts, fault } = wrong();
    return wholeAgentPeer(parts, options, fault)(world);
  };

/** The message to the gateway; undefined for bytes to the model. */
export const foldMessage = (message: AgentOut): AgentMessage | undefined =>
  'chunk' in message ? undefined : message;

/** A fault in the responses to the gateway. */
export const onResponse = (edit: MessageEdit<MessageResponse, unknown>): AgentFault =>
  onSend(member('response', edit));
