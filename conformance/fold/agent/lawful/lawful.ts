/** What the oddities of lawful agents share. */
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import type { MessageResponse, SendMessage } from '../../../../src/fold/index.ts';
import type { MessageEdit } from '../../../../src/kit/suite/index.ts';
import { onRequest, onResponse } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext } from '../mutants/mutant.ts';

/** Steps of a directive, which the agent takes for a message. */
type Steps = (content: string, message: SendMessage) => readonly object[];

/** Takes these steps for each message in plain words. */
export const plainly = (steps: Steps) => (): AgentFault =>
  onRequest((message) => {
    const { content = '' } = message;
    const parsed = parseDirective(content);
    return parsed.ok && parsed.value === undefined
      ? [{ ...message, content: directive(steps(content, message)) }]
      : undefined;
  });

/** Takes these steps for every message: a directive is only words for this agent. */
export const always = (steps: Steps) => (): AgentFault =>
  onRequest((message) => [{ ...message, content: directive(steps(message.content ?? '', message)) }]);

/** Takes all messages for one thread. */
export const inOneThread = (): AgentFault => onRequest((message) => [{ ...message, thread_id: 'all' }]);

/** Replaces responses. */
export const responses = (edit: MessageEdit<MessageResponse, FaultContext>) => (): AgentFault =>
  onResponse(edit);
