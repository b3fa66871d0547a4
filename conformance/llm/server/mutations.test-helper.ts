/** Mutations of streams, and the reaction of the providers' SDKs to each. SERVER-MUTATIONS.md shows them. */

/** The reaction of an SDK. */
type Reaction = readonly [sdk: string, reaction: string];

const handsOn = 'hands it on as it is';
const openai = 'openai';
const anthropic = '@anthropic-ai/sdk';
const ollama = 'ollama';

/**
 * Mutants by id, with the reaction of the SDK of their dialect. A script sent each mutated stream to the SDK's streaming
 * helper. A reaction of `-` was not tried.
 */
export const mutations: { readonly [mutant: string]: Reaction } = {
  'anthropic-call-without-id': [anthropic, 'the call has no id, so its result cannot be sent'],
  'anthropic-one-id': [anthropic, 'two calls with one id; results cannot be told apart'],
  'anthropic-empty-name': [anthropic, handsOn],
  'anthropic-end-beside-calls': [anthropic, 'the message has the call, and end_turn'],
  'anthropic-strange-word': [anthropic, handsOn],
  'anthropic-zero-output': [anthropic, 'usage.output_tokens is 0'],
  'anthropic-tool-without-call': ['-', '-'],
  'anthropic-limit-as-end': ['-', '-'],
  'openai-chat-no-id': [openai, 'the helper invents an id'],
  'openai-chat-one-id': [openai, 'two calls with one id; results cannot be told apart'],
  'openai-chat-no-name': ['-', '-'],
  'openai-chat-end-beside-calls': [openai, 'the message has the call, and stop'],
  'openai-chat-strange-word': [openai, handsOn],
  'openai-chat-chunk-without-id': [openai, 'accepts the stream; the answer has no id'],
  'openai-chat-chunk-without-object': [openai, 'accepts the stream'],
  'openai-chat-chunk-without-model': [openai, 'accepts the stream'],
  'openai-chat-no-done': [openai, 'accepts the stream'],
  'openai-chat-zero-output': [openai, 'usage.completion_tokens is 0'],
  'openai-responses-call-without-id': ['-', '-'],
  'openai-responses-one-id': ['-', '-'],
  'openai-responses-empty-name': ['-', '-'],
  'openai-responses-no-created': [openai, "throws: expected 'response.created' event"],
  'openai-responses-empty-output': [openai, 'the final response has no text and no items'],
  'openai-responses-still-in-progress': [openai, 'the final response has status in_progress'],
  'openai-responses-other-item-id': [openai, 'accepts the stream; it reads output_index'],
  'openai-responses-zero-output': ['-', '-'],
  'ollama-empty-name': [ollama, handsOn],
  'ollama-one-id': ['-', '-'],
  'ollama-strange-word': [ollama, handsOn],
  'ollama-zero-output': [ollama, 'eval_count is 0'],
  'lmstudio-one-id': ['-', '-'],
  'lmstudio-empty-name': ['-', '-'],
  'lmstudio-end-beside-calls': ['-', '-'],
  'lmstudio-strange-stop-reason': ['-', '-'],
  'lmstudio-zero-output': ['-', '-'],
};
