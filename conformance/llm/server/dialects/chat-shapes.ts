/** The members of OpenAI Chat that SDKs read. */
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

const ofMessage = (message: string) =>
  ({
    [`${message}.role`]: 'string?',
    [`${message}.refusal`]: 'string?',
    [`${message}.reasoning_content`]: 'string?',
    [`${message}.reasoning`]: 'string?',
    [`${message}.function_call`]: 'object?',
    [`${message}.function_call.arguments`]: 'string?',
    [`${message}.tool_calls`]: 'list?',
    [`${message}.tool_calls[].id`]: 'string?',
    [`${message}.tool_calls[].type`]: 'string?',
    [`${message}.tool_calls[].function`]: 'object?',
    [`${message}.tool_calls[].function.name`]: 'string?',
    [`${message}.tool_calls[].function.arguments`]: 'string?',
    [`${message}.tool_calls[].custom`]: 'object?',
    [`${message}.tool_calls[].custom.name`]: 'string?',
    [`${message}.tool_calls[].custom.input`]: 'string?',
    'choices[].finish_reason': 'string?',
    'choices[].logprobs': 'object?',
  }) as const;

/** Where a chunk or a body has usage. */
const ofUsage = {
  id: 'string?',
  model: 'string?',
  created: 'number?',
  usage: 'object?',
  'usage.total_tokens': 'number?',
  'usage.prompt_tokens_details': 'object?',
  'usage.prompt_tokens_details.cached_tokens': 'number?',
  'usage.completion_tokens_details': 'object?',
  'usage.completion_tokens_details.reasoning_tokens': 'number?',
} as const;

/** The members of a chunk. */
export const chatChunk: Shape = shapeOf({
  'choices[].index': 'number',
  'choices[].delta': 'object?',
  ...ofMessage('choices[].delta'),
  ...ofUsage,
});

/** The members of a whole completion. */
export const chatBody: Shape = shapeOf({
  choices: 'list',
  'choices[].index': 'number',
  'choices[].message': 'object',
  ...ofMessage('choices[].message'),
  ...ofUsage,
});
