/** Takes incomplete tool calls out of a response that the output limit cut, so that none of them ever runs. */
import type { ProviderResponse, ToolCall } from '../../kit/base/index.ts';
import type { TokenEvent } from './events.ts';
import { completenessOf } from './tool-schema.ts';
import type { CompletenessTest, ToolSchema } from './tool-schema.ts';

/** The words for the output limit (TOK-01). */
export const limitReasons: readonly string[] = ['max_tokens', 'max_output_tokens'];

/** What a {@link StopReasonHandler} goes by. */
export interface StopReasonHandlerOptions {
  /** The tools that the model was told of. */
  readonly tools?: readonly ToolSchema[];
  /** False turns the parameter test off (TOK-11); calls that were open go all the same (TOK-47). Default: true. */
  readonly requireAllParameters?: boolean;
  /** Is told what {@link StopReasonHandler.handleResponse} would warn of. */
  readonly onEvent?: (event: TokenEvent) => void;
}

/** What a {@link StopReasonHandler} warns of: the limit was hit; calls were dropped, in their order (TOK-10). */
export type StopReasonWarning =
  { readonly code: 'exhausted' } | { readonly code: 'dropped'; readonly ids: readonly string[] };

/** A response without its incomplete calls, and what there is to warn of. */
export interface HandledResponse {
  readonly response: ProviderResponse;
  readonly warnings: readonly StopReasonWarning[];
}

/**
 * Acts on the output limit alone (TOK-01), on whole responses: they are the same whether they were streamed or not
 * (TOK-12).
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
   * The response itself, or at the output limit a copy in which only complete calls are left. Tells `onEvent` of what
   * happened.
   *
   * @param stopReason the provider's word, by default what the response has
   */
  handleResponse(
    response: ProviderResponse,
    stopReason: string = response.metadata.stopReason,
  ): ProviderResponse {
    const handled = this.handle(response, stopReason);
    for (const warning of handled.warnings) this.#onEvent?.({ type: 'warning', ...warning });
    return handled.response;
  }

  /** Like {@link StopReasonHandler.handleResponse}, and gives the warnings instead of telling them. */
  handle(response: ProviderResponse, stopReason: string = response.metadata.stopReason): HandledResponse {
    if (!limitReasons.includes(stopReason)) return { response, warnings: [] };
    const survives = ({ id, name, input }: ToolCall): boolean =>
      id !== response.open?.id && this.#isComplete(name, input);
    const toolCalls = response.toolCalls.filter(survives);
    const ids = response.toolCalls.filter((call) => !survives(call)).map(({ id }) => id);
    return {
      response: { ...response, toolCalls },
      warnings: ids.length === 0 ? [exhausted] : [exhausted, { code: 'dropped', ids }],
    };
  }
}

const exhausted: StopReasonWarning = { code: 'exhausted' };
