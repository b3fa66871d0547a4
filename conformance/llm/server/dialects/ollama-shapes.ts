/** The members of Ollama's lines and bodies that SDKs read. */
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

/** A line, or a whole body. */
export const ollamaLine: Shape = shapeOf({
  message: 'object',
  'message.role': 'string?',
  'message.content': 'string?',
  'message.thinking': 'string?',
  'message.tool_calls': 'list?',
  'message.tool_calls[].id': 'string?',
  'message.tool_calls[].function': 'object',
  done: 'boolean?',
  done_reason: 'string?',
});
