/** What the oddities of lawful agents share. */
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import type { MessageResponse, SendMessage } from '../../../../src/fold/index.ts';
import { editRequests, editResponses } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext } from '../mutants/mutant.ts';

/** Steps of a directive, which the agent takes for a message. */
type Steps = (content: string, message: SendMessage) => readonly object[];

/** Takes these steps for each message in plain words. */
export const plainly = (steps: Steps): (() => AgentFault) =>
  editRequests((message) => {
    const { content = '' } = message;
    const parsed = parseDirective(content);
    return parsed.ok && parsed.value === undefined
      ? { ...message, content: directive(steps(content, message)) }
      : message;
  });

/** Takes these steps for every message: a directive is only words for this agent. */
export const always = (steps: Steps): (() => AgentFault) =>
  editRequests((message) => ({ ...message, content: directive(steps(message.content ?? '', message)) }));

/** Replaces responses. */
export const responses =
  (edit: (response: MessageResponse, context: FaultContext) => readonly MessageResponse[]) =>
  (): AgentFault =>
    editResponses(edit);
