/** Bedrock's response that is not streamed: the message of `Converse`, or an exception before any stream. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, ProviderError, RenderContext } from '../../messages.ts';
import type { ErrorResponse, WholeResponse } from '../shared/dialect.ts';
import { retryHeaders } from '../shared/http-error.ts';
import { wholeParameters } from '../shared/whole-parameters.ts';
import { redactedIn, signatureOf, stopWordOf, tailOf } from './render.ts';
import { exceptionOf } from './words.ts';

/** Renders the whole response. */
export function whole({ blocks }: Generation, context: RenderContext): WholeResponse {
  const { error } = context.end;
  if (error !== undefined) return errorBody(error, context.id('req_'));
  const content = blocks.flatMap((block) => contentBlock(block, context));
  const word = stopWordOf(context);
  return {
    status: 200,
    headers: { 'x-amzn-requestid': context.id('req_') },
    body: {
      output: { message: { role: 'assistant', content } },
      ...(word !== undefined && { stopReason: word }),
      ...tailOf(context),
    },
  };
}

/** An exception before any stream. Its name is in the header field `x-amzn-errortype`. */
export function errorBody(error: ProviderError, id: string): ErrorResponse {
  const { word, status } = exceptionOf(error);
  return {
    status,
    headers: { 'x-amzn-errortype': word, 'x-amzn-requestid': id, ...retryHeaders(error) },
    body: { message: error.message },
  };
}

function contentBlock(block: GeneratedBlock, context: RenderContext): readonly JsonObject[] {
  const { text, complete } = block;
  switch (block.kind) {
    case 'text':
      return [{ text }];
    case 'thinking': {
      const redactedContent = redactedIn(block);
      if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
      const signature = complete ? { signature: signatureOf(block, context) } : {};
      return [{ reasoningContent: { reasoningText: { text, ...signature } } }];
    }
    case 'tool_call':
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: wholeParameters(text) } }];
    default:
      return [];
  }
}
