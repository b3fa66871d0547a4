/** Ollama's response that is not streamed: one object with everything, or an error. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Generation, ProviderError, RenderContext } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ErrorResponse, WholeResponse } from '../shared/dialect.ts';
import { retryHeaders } from '../shared/http-error.ts';
import { callObject, counts, finalReason, leaked, lineHead, parseError } from './render.ts';
import { errorStatus } from './words.ts';

export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { error } = context.end;
  if (error !== undefined) return errorBody(error);
  const gathered = gather(generation, context);
  if (gathered.failed !== undefined) return { status: 500, body: parseError(gathered.failed) };
  const reason = finalReason(context);
  const { thinking, calls, content } = gathered;
  const message = {
    role: 'assistant',
    content,
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const body = {
    ...lineHead(context),
    message,
    done: true,
    ...(reason === undefined ? {} : { done_reason: reason }),
    ...counts(context),
  };
  return { status: 200, body };
}

/** The variant `error-500`: "the same as HTTP 500 if nothing was sent", which is when the cut call comes first. */
export function instead(generation: Generation, context: RenderContext): ErrorResponse | undefined {
  if (context.variants.ollama !== 'error-500') return undefined;
  const { failed, content, thinking, calls } = gather(generation, context);
  if (failed === undefined || content !== '' || thinking !== '' || calls.length > 0) return undefined;
  return { status: 500, headers: {}, body: parseError(failed) };
}

/** An error before any stream. */
export const errorBody = (error: ProviderError): ErrorResponse => ({
  status: errorStatus(error),
  headers: retryHeaders(error),
  body: { error: error.message },
});

interface Gathered {
  content: string;
  thinking: string;
  readonly calls: JsonObject[];
  /** The arguments of the call that ended the response with an error. */
  failed?: string;
}

function gather({ blocks }: Generation, { variants }: RenderContext): Gathered {
  const gathered: Gathered = { content: '', thinking: '', calls: [] };
  for (const block of blocks) {
    const { kind, text, complete } = block;
    if (kind === 'text') gathered.content += text;
    else if (kind === 'thinking') gathered.thinking += text;
    else if (block.kind === 'tool_call') {
      const input = parseJson(text);
      if (isJsonObject(input) && (complete || variants.ollama === 'flushed'))
        gathered.calls.push(callObject(block, gathered.calls.length, input));
      else if (variants.ollama === 'leaked') gathered.content += leaked(block);
      else if (variants.ollama === 'error-line' || variants.ollama === 'error-500')
        return { ...gathered, failed: text };
    }
  }
  return gathered;
}
