/** What the blocks of a message of a request hold, in the dialects whose messages are lists of blocks. */
import type { ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';

/** The contents of a message's blocks. */
export interface MessageParts {
  readonly text: string[];
  readonly thinking: Thinking[];
  readonly toolCalls: ToolCall[];
  readonly toolResults: ToolOutcome[];
  /** Whether there are other blocks, such as images. */
  others: boolean;
}

/** The parts of a message without blocks. */
export const noParts = (): MessageParts => ({
  text: [],
  thinking: [],
  toolCalls: [],
  toolResults: [],
  others: false,
});

/** The message with these parts; its texts are one a line. */
export const messageOf = (
  role: LlmMessage['role'],
  { text, thinking, toolCalls, toolResults, others }: MessageParts,
): LlmMessage => ({
  role,
  content: text.join('\n'),
  ...(thinking.length === 0 ? {} : { thinking }),
  ...(toolCalls.length === 0 ? {} : { toolCalls }),
  ...(toolResults.length === 0 ? {} : { toolResults }),
  ...(others ? { otherParts: true } : {}),
});
