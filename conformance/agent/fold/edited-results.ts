/** Changes the results of tools in the model requests of the reference, for mutants and lawful agents. */
import type { LlmRequest } from '../../../src/llm/index.ts';

/** A model request whose results of tools are edited. */
export const withResults =
  (edit: (content: string) => string) =>
  (request: LlmRequest): LlmRequest => ({
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      ...(message.toolResults && {
        toolResults: message.toolResults.map((one) => ({ ...one, content: edit(one.content) })),
      }),
    })),
  });
