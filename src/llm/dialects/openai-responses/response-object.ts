/** The response object that `response.created`, `.in_progress` and the terminal events carry, and whole answers are. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ProviderError, RenderContext } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { writeTool } from '../openai/tools.ts';
import { responsesUsage, writeUsage } from '../openai/usage.ts';
import type { Ending } from './status.ts';

/** The default error of a failed response. */
const failure: ProviderError = { type: 'server', message: 'The model failed to generate a response.' };

/** The members of a response object that change from its beginning to its end. */
interface ResponseState {
  readonly status: string;
  readonly output: readonly JsonObject[];
  readonly usage: Json;
  readonly error?: Json;
  readonly completedAt?: number;
  readonly incomplete?: Json;
}

/** A response object from its beginning to its end. */
export class ResponseObject {
  readonly #context: RenderContext;
  readonly #id: string;
  readonly #createdAt: number;
  readonly #tools: readonly JsonObject[];

  constructor(context: RenderContext) {
    this.#context = context;
    const { request, now, id } = context;
    this.#id = id('resp_');
    this.#createdAt = Math.floor(now / 1000);
    this.#tools = request.tools.map((tool) => writeTool(tool, 'flat'));
  }

  /** The object while items are coming. */
  inProgress(): JsonObject {
    return this.#object({ status: 'in_progress', output: [], usage: null });
  }

  /** The object at its end, with all items. */
  ended({ status, reason }: Ending, output: readonly JsonObject[]): JsonObject {
    const { end } = this.#context;
    return this.#object({
      status,
      output,
      usage: writeUsage(end.usage, responsesUsage),
      ...(status === 'completed' ? { completedAt: this.#createdAt } : {}),
      ...(reason === undefined ? {} : { incomplete: { reason } }),
      ...(status === 'failed' ? { error: codeAndMessage(end.error ?? failure) } : {}),
    });
  }

  /** One literal: joined of parts, the object would take three times as long. */
  #object({
    status,
    output,
    usage,
    error = null,
    completedAt,
    incomplete = null,
  }: ResponseState): JsonObject {
    const { request } = this.#context;
    return {
      id: this.#id,
      object: 'response',
      created_at: this.#createdAt,
      status,
      error,
      completed_at: completedAt ?? null,
      incomplete_details: incomplete,
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
      tools: this.#tools,
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      user: null,
      metadata: {},
      output,
      usage,
    };
  }
}

/** An error as a failed response has it. It has no type, so the type replaces a missing code. */
export function codeAndMessage(error: ProviderError): { readonly code: string; readonly message: string } {
  const { code, type, message } = errorObject(error);
  return { code: code ?? type, message };
}
