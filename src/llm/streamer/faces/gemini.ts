/**
 * Gemini's `generateContent` and `streamGenerateContent`: a chunk for each piece of text, calls whole, the finish reason
 * and the counts on the last chunk. A call that was cut is dropped, as only whole calls can be sent.
 */
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import { isJsonObject, parseJson } from '../../dialects/shared/arguments.ts';
import { retryHeaders } from '../../dialects/shared/http-error.ts';
import type { ErrorResponse } from '../../dialects/shared/dialect.ts';
import type { GeneratedBlock, ProviderError, RenderContext, Renderer, Unit } from '../../messages.ts';
import type { Face } from './face.ts';
import { geminiPath, readGeminiRequest } from './gemini-request.ts';

export const gemini: Face = {
  name: 'gemini',
  paths: [],
  pattern: geminiPath,
  framing: 'sse',
  contentType: 'text/event-stream',
  readRequest: (body, _headers, path, _given, target) => readGeminiRequest(body, path, target),
  renderer: (context) => new GeminiRenderer(context),
  whole({ blocks }, context) {
    if (context.end.error !== undefined) return errorBody(context.end.error);
    const parts = joined(blocks.flatMap((block) => partOf(block, block.text)));
    return { status: 200, body: chunk(context, context.id(''), parts, finishReason(context) ?? 'OTHER') };
  },
  errorBody,
};

class GeminiRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #id: string;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#id = context.id('');
  }

  begin(): readonly Unit[] {
    return [];
  }

  open(): readonly Unit[] {
    return [];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    return block.kind === 'tool_call' ? [] : [this.#unit(partOf(block, text))];
  }

  close(block: GeneratedBlock): readonly Unit[] {
    if (block.kind !== 'tool_call') return [];
    const parts = partOf(block, block.text);
    return parts.length === 0 ? [] : [this.#unit(parts)];
  }

  end(): readonly Unit[] {
    const { error } = this.#context.end;
    if (error !== undefined) return [{ data: errorBody(error).body }];
    const reason = finishReason(this.#context);
    return reason === undefined ? [] : [this.#unit([{ text: '' }], reason)];
  }

  #unit(parts: readonly JsonObject[], reason?: string): Unit {
    return { data: chunk(this.#context, this.#id, parts, reason) };
  }
}

/** The part of a block; empty for a call that was cut or is no object. */
function partOf(block: GeneratedBlock, text: string): readonly JsonObject[] {
  if (block.kind === 'text') return [{ text }];
  if (block.kind === 'thinking') return [{ text, thought: true }];
  const args = block.complete ? parseJson(text) : undefined;
  return isJsonObject(args) ? [{ functionCall: { id: block.id, name: block.name, args } }] : [];
}

/** Texts of a kind in a row are one part. */
function joined(parts: readonly JsonObject[]): readonly JsonObject[] {
  const made: JsonObject[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (
      typeof part['text'] === 'string' &&
      typeof last?.['text'] === 'string' &&
      last['thought'] === part['thought']
    )
      made[made.length - 1] = { ...last, text: last['text'] + part['text'] };
    else made.push(part);
  }
  return made;
}

function chunk(
  { end: { usage }, request }: RenderContext,
  id: string,
  parts: readonly JsonObject[],
  reason: string | undefined,
): JsonObject {
  const {
    inputTokens: prompt,
    outputTokens: output,
    thinkingTokens: thoughts = 0,
    cacheReadTokens: cached,
  } = usage;
  const usageMetadata = {
    promptTokenCount: prompt,
    ...(reason === undefined
      ? { totalTokenCount: prompt }
      : {
          candidatesTokenCount: output - thoughts,
          ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
          totalTokenCount: prompt + output,
        }),
    ...(cached !== undefined && { cachedContentTokenCount: cached }),
  };
  const content: Json = { parts: [...parts], role: 'model' };
  const candidate = { content, ...(reason !== undefined && { finishReason: reason }), index: 0 };
  return { candidates: [candidate], usageMetadata, modelVersion: request.model, responseId: id };
}

/** Gemini has no word for tool use: it says STOP. */
const words: { readonly [R in StopReason]: string } = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  stop_sequence: 'STOP',
  pause_turn: 'STOP',
  max_tokens: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'PROHIBITED_CONTENT',
  cancelled: 'OTHER',
  error: 'OTHER',
  unknown: 'FINISH_REASON_UNSPECIFIED',
};

/** The last word of the stop signal; undefined where it is missing. */
function finishReason({ end: { stop, signal } }: RenderContext): string | undefined {
  if (signal === 'missing') return undefined;
  return signal === 'honest' ? words[stop] : words.tool_use;
}

const statuses: ReadonlyMap<string, readonly [code: number, status: string]> = new Map([
  ['overloaded', [503, 'UNAVAILABLE']],
  ['rate_limit', [429, 'RESOURCE_EXHAUSTED']],
  ['invalid_request', [400, 'INVALID_ARGUMENT']],
  ['authentication', [401, 'UNAUTHENTICATED']],
  ['not_found', [404, 'NOT_FOUND']],
  ['server', [500, 'INTERNAL']],
]);

function errorBody(error: ProviderError): ErrorResponse {
  const [known, word] = statuses.get(error.type) ?? [500, 'UNKNOWN'];
  const code = error.status ?? known;
  return {
    status: code,
    headers: retryHeaders(error),
    body: { error: { code, message: error.message, status: word } },
  };
}
