/** Anthropic's response that is not streamed: the message, or the error with its hints. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, ProviderError, RenderContext } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import type { ErrorResponse, WholeResponse } from '../shared/dialect.ts';
import { retryHeaders } from '../shared/http-error.ts';
import { wholeParameters } from '../shared/whole-parameters.ts';
import { citationsOf } from './citations.ts';
import { calledBlock, resultBlock } from './provider-block.ts';
import { emptyMessage, serverToolUse, signatureOf, stopSequence, stopWords, usageObject } from './render.ts';
import { errorObject, errorStatus } from './words.ts';

/** Renders the whole message. Of two contradictory stop words only the first has a place. */
export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { error } = context.end;
  if (error !== undefined) return errorBody(error, context.id('req_'));
  const message = emptyMessage(context);
  const [word] = stopWords(context);
  const { usage: counts, ...more } = context.end.more ?? {};
  const body = {
    ...message,
    ...more,
    content: generation.blocks.map((block) => contentBlock(block, context)),
    stop_reason: word ?? null,
    stop_sequence: stopSequence(context, word ?? ''),
    usage: {
      ...(isJsonObject(message['usage']) ? message['usage'] : {}),
      ...usageObject(context.end.usage),
      server_tool_use: serverToolUse(generation.blocks),
      ...(isJsonObject(counts) ? counts : {}),
    },
  };
  return { status: 200, body };
}

/** An error before any stream: "the same body plus `request_id`". */
export function errorBody(error: ProviderError, id: string): ErrorResponse {
  return {
    status: errorStatus(error),
    headers: { 'request-id': id, ...retryHeaders(error) },
    body: { type: 'error', error: errorObject(error), request_id: id },
  };
}

function contentBlock(block: GeneratedBlock, context: RenderContext): JsonObject {
  const { text, complete } = block;
  switch (block.kind) {
    case 'text': {
      const citations = citationsOf(block);
      return { ...(citations && { citations }), type: 'text', text };
    }
    case 'server_tool':
      return calledBlock(block, wholeParameters(text));
    case 'server_result':
      return resultBlock(block);
    case 'provider_block':
      return block.form;
    case 'thinking':
      if (block.redacted !== undefined) return { type: 'redacted_thinking', data: block.redacted };
      return {
        type: 'thinking',
        thinking: text,
        signature: complete ? signatureOf(block, context) : '',
      };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: wholeParameters(text),
        caller: { type: 'direct' },
      };
  }
}
