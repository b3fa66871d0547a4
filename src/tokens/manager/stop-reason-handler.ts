/** Removes incomplete tool calls from a response that the output limit cut, so that they never run. */
import type { ProviderResponse, ToolCall } from '../../kit/base/index.ts';
import type { TokenEvent, TokenWarning } from './events.ts';
import { completenessOf } from './tool-schema.ts';
import type { CompletenessTest, ToolSchema } from './tool-schema.ts';

/** The stop reasons of the output limit (TOK-01). */
export const limitReasons: readonly string[] = ['max_tokens', 'max_output_tokens'];

/** The options of a {@link StopReasonHandler}. */
export interface StopReasonHandlerOptions {
  /** The tools that the request offered to the model. */
  readonly tools?: readonly ToolSchema[];
  /** False turns the parameter test off (TOK-11); an open call is removed all the same (TOK-47). Default: true. */
  readonly requireAllParameters?: boolean;
  /** Receives the warnings of {@link StopReasonHandler.handleResponse}. */
  readonly onEvent?: (event: TokenEvent) => void;
}

/** A warning of a {@link StopReasonHandler}: the limit was reached; calls were dropped (TOK-10). */
export type StopReasonWarning = Extract<TokenWarning, { readonly code: 'exhausted' | 'dropped' }>;

/** A response without its incomplete calls, and the warnings. */
export interface HandledResponse {
  readonly response: ProviderResponse;
  readonly warnings: readonly StopReasonWarning[];
}

/**
 * Acts on the output limit alone (TOK-01), and on whole responses, streamed or not (TOK-12).
 *
 * @example
 * const tools = [{ name: 'write', inputSchema: { required: ['path', 'text'] } }];
 * const handler = new StopReasonHandler({ tools });
 * const cut = { id: 'c1', name: 'write', input: { path: '/a' } };
 * const response = { content: 'I write.', toolCalls: [cut], metadata: { stopReason: 'max_tokens' } } as const;
 * handler.handleResponse(response, 'max_tokens').toolCalls; // []
 * handler.handleResponse(response, 'tool_use') === response; // true
 */
export class StopReasonHandler {
  readonly #isComplete: CompletenessTest;
  readonly #onEvent: ((event: TokenEvent) => void) | undefined;

  constructor({ tools = [], requireAllParameters = true, onEvent }: StopReasonHandlerOptions = {}) {
    this.#isComplete = requireAllParameters ? completenessOf(tools) : () => true;
    this.#onEvent = onEvent;
  }

  /**
   * The response itself, or at the output limit a copy with its complete calls alone. The warnings go to `onEvent`.
   *
   * @param stopReason the provider's word; default: that of the response
   */
  handleResponse(
    response: ProviderResponse,
    stopReason: string = response.metadata.stopReason,
  ): ProviderResponse {
    const handled = this.handle(response, stopReason);
    for (const warning of handled.warnings) this.#onEvent?.({ type: 'warning', ...warning });
    return handled.response;
  }

  /** As {@link StopReasonHandler.handleResponse}, but it returns the warnings. */
  handle(response: ProviderResponse, stopReason: string = response.metadata.stopReason): HandledResponse {
    if (!limitReasons.includes(stopReason)) return { response, warnings: [] };
    const isWhole = ({ id, name, input }: ToolCall): boolean =>
      id !== response.open?.id && this.#isComplete(name, input);
    const toolCalls = response.toolCalls.filter(isWhole);
    const ids = response.toolCalls.filter((call) => !isWhole(call)).map(({ id }) => id);
    return {
      response: { ...response, toolCalls },
      warnings: ids.length === 0 ? [exhausted] : [exhausted, { code: 'dropped', ids }],
    };
  }
}

const exhausted: StopReasonWarning = { code: 'exhausted' };
