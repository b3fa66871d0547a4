/** The members of Gemini's chunks and bodies that SDKs read. */
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

/** A chunk, or a whole body. */
export const geminiChunk: Shape = shapeOf({
  candidates: 'list?',
  'candidates[].index': 'number?',
  'candidates[].content': 'object?',
  'candidates[].content.role': 'string?',
  'candidates[].content.parts': 'list?',
  'candidates[].content.parts[]': 'object',
  'candidates[].content.parts[].text': 'string?',
  'candidates[].content.parts[].thought': 'boolean?',
  'candidates[].content.parts[].thoughtSignature': 'string?',
  'candidates[].content.parts[].functionCall': 'object?',
  'candidates[].finishReason': 'string?',
  promptFeedback: 'object?',
  'promptFeedback.blockReason': 'string?',
  usageMetadata: 'object?',
});
