/**
 * Bedrock's rules for a conversation, in its words: the user begins, roles alternate, each call has one result in the message
 * after it, and a conversation with calls names its tools.
 */
import type { LlmMessage } from '../../messages.ts';
import type { BodyReader } from '../shared/body-reader.ts';

const roles =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.';
const userFirst =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.';
const noTools = 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';

/** Refuses the first message that breaks a rule. */
export function checkConversation(
  reader: BodyReader,
  messages: readonly LlmMessage[],
  hasTools: boolean,
): void {
  const refuse = (path: string, message: string): void => reader.refuse(path, '', { message });
  if (messages.length === 0) refuse('messages', userFirst);
  if (messages[0]?.role === 'assistant') refuse('messages[0]', userFirst);
  for (const [i, message] of messages.entries()) {
    const before = messages[i - 1];
    const path = `messages[${i}]`;
    if (before?.role === message.role) refuse(path, roles);
    const { toolCalls = [], toolResults = [] } = message;
    if (!hasTools && toolCalls.length + toolResults.length > 0) refuse(path, noTools);
    const fault =
      resultFault(before, message, i) ?? (i === messages.length - 1 ? lastFault(message, i) : undefined);
    if (fault !== undefined) refuse(path, fault);
  }
}

/** The fault of a message's results, by the calls of the message before it. */
function resultFault(
  before: LlmMessage | undefined,
  { toolResults = [] }: LlmMessage,
  i: number,
): string | undefined {
  const called = before?.toolCalls ?? [];
  const answered = new Set(toolResults.map(({ id }) => id));
  const missing = called.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
  if (missing.length > 0) return expectedResults(i, missing);
  const isStray = toolResults.some(({ id }) => !called.some((call) => call.id === id));
  return isStray || toolResults.length > called.length
    ? `The number of toolResult blocks at messages.${i}.content exceeds the number of toolUse blocks of previous turn.`
    : undefined;
}

/** A conversation does not end with calls. */
const lastFault = ({ toolCalls = [] }: LlmMessage, i: number): string | undefined =>
  toolCalls.length === 0
    ? undefined
    : expectedResults(
        i + 1,
        toolCalls.map(({ id }) => id),
      );

const expectedResults = (i: number, ids: readonly string[]): string =>
  `Expected toolResult blocks at messages.${i}.content for the following Ids: ${ids.join(', ')}`;
