/** The response object that `response.created`, `.in_progress` and the terminal events carry, and whole answers are. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ProviderError, RenderContext } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { writeTool } from '../openai/tools.ts';
import { responsesUsage, writeUsage } from '../openai/usage.ts';
import type { Ending } from './status.ts';

/** The default error of a failed response. */
const failure: ProviderError = { type: 'server', message: 'The model failed to generate a response.' };

/** A response object from its beginning to its end. */
export class ResponseObject {
  readonly #context: RenderContext;
  readonly #head: JsonObject;
  readonly #rest: JsonObject;

  constructor(context: RenderContext) {
    this.#context = context;
    const { request, now, id } = context;
    this.#head = { id: id('resp_'), object: 'response', created_at: Math.floor(now / 1000) };
    this.#rest = {
      background: false,
      instructions: request.system ?? null,
      max_output_tokens: request.maxTokens ?? null,
      max_tool_calls: null,
      model: request.model,
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: true,
      temperature: 1,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      tool_choice: 'auto',
      tools: request.tools.map((tool) => writeTool(tool, 'flat')),
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      user: null,
      metadata: {},
    };
  }

  /** The object while items are coming. */
  inProgress(): JsonObject {
    return this.#with('in_progress', { output: [], usage: null });
  }

  /** The object at its end, with all items. */
  ended({ status, reason }: Ending, output: readonly JsonObject[]): JsonObject {
    const { end } = this.#context;
    return this.#with(status, {
      ...(status === 'completed' ? { completed_at: this.#head['created_at'] ?? null } : {}),
      output,
      usage: writeUsage(end.usage, responsesUsage),
      ...(reason === undefined ? {} : { incomplete_details: { reason } }),
      ...(status === 'failed' ? { error: codeAndMessage(end.error ?? failure) } : {}),
    });
  }

  #with(status: string, more: { readonly [field: string]: Json }): JsonObject {
    return {
      ...this.#head,
      status,
      error: null,
      completed_at: null,
      incomplete_details: null,
      ...this.#rest,
      ...more,
    };
  }
}

/** An error as a failed response has it. It has no type, so the type replaces a missing code. */
export function codeAndMessage(error: ProviderError): { readonly code: string; readonly message: string } {
  const { code, type, message } = errorObject(error);
  return { code: code ?? type, message };
}
