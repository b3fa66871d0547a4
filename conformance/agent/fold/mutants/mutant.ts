/** Makes mutant agents: the reference agent with a replaced part, or with one fault in its messages. */
import type { AgentMessage, MessageResponse } from '../../../../src/fold/index.ts';
import { editOutgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentOut, AgentParts } from '../../../../src/agent/index.ts';
import { wholeAgentPeer } from '../target.ts';
import type { AgentFault } from '../target.ts';

/** How a mutant differs from the reference. */
export interface MutantFault {
  readonly parts?: AgentParts;
  readonly fault?: AgentFault;
}

/** Makes a mutant. `breaks`: the requirement that it breaks; `wrong` makes its fault anew for each run. */
export const mutant = (breaks: string, id: string, title: string, wrong: () => MutantFault): Mutant => ({
  id,
  breaks,
  title,
  make: (options) => (world) => {
    const { parts, fault } = wrong();
    return wholeAgentPeer(parts, options, fault)(world);
  },
});

/** The message to the gateway; undefined for bytes to the model. */
export const foldMessage = (message: AgentOut): AgentMessage | undefined =>
  'chunk' in message ? undefined : message;

/** A fault in the responses to the gateway. The edit gives the responses that replace a response. */
export const editResponses = (edit: (response: MessageResponse) => readonly MessageResponse[]): AgentFault =>
  editOutgoing((message: AgentOut) => {
    const response = foldMessage(message)?.response;
    return response === undefined ? [message] : edit(response).map((one) => ({ response: one }));
  });
