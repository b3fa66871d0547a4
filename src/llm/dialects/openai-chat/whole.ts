/** Answers of OpenAI Chat Completions that are not streamed. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import { chatAnnotations } from '../openai/citations.ts';
import { errorBody } from '../openai/errors.ts';
import { chatUsage, writeUsage } from '../openai/usage.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { logprobsOf } from '../shared/logprobs.ts';
import { azureBody } from './azure.ts';
import { callObject } from './call-object.ts';
import { finishReasons } from './finish.ts';
import { errorForm, routedError } from './mid-stream-error.ts';
import { mistralBody } from './mistral.ts';
import { openrouterBody } from './openrouter.ts';
import { isRefusal } from './render.ts';

/** Renders a `chat.completion`. Where the generation ends with an error, the answer is that error, in most forms of it. */
export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { end, request, now, id, variants } = context;
  const form = errorForm(variants);
  if (end.error !== undefined && form === 'object') return errorBody(end.error, id('req_'));
  if (end.error !== undefined && form === 'empty')
    return { status: 200, body: { error: routedError(end.error) } };
  const { blocks } = generation;
  const failed = end.error === undefined || form === 'word' ? {} : { error: routedError(end.error) };
  return {
    status: 200,
    body: ownBody(
      {
        id: id('chatcmpl-'),
        object: 'chat.completion',
        created: Math.floor(now / 1000),
        model: request.model,
        choices: [
          {
            index: 0,
            message: messageOf(blocks, context),
            logprobs: logprobsObject(generation),
            finish_reason: finishReasons(end).at(-1) ?? null,
            ...failed,
          },
        ],
        usage: writeUsage(end.usage, chatUsage),
        service_tier: 'default',
        system_fingerprint: id('fp_'),
      },
      { ...context, blocks },
    ),
  };
}

/** The body of the provider that a turn names. */
function ownBody(body: JsonObject, context: RenderContext): JsonObject {
  switch (context.variants.chat) {
    case 'azure':
    case 'azure-async':
      return azureBody(body, context);
    case 'openrouter':
      return openrouterBody(body, context);
    case 'mistral':
      return mistralBody(body, context);
    default:
      return body;
  }
}

function logprobsObject(generation: Generation): JsonObject | null {
  const entries = logprobsOf(generation);
  if (entries.length === 0) return null;
  const refused = generation.blocks.some(isRefusal);
  return { content: null, refusal: null, [refused ? 'refusal' : 'content']: entries };
}

function messageOf(blocks: readonly GeneratedBlock[], { variants }: RenderContext): JsonObject {
  const textOf = (is: (block: GeneratedBlock) => boolean): string =>
    blocks.map((block) => (is(block) ? block.text : '')).join('');
  const calls = blocks.flatMap((block) =>
    block.kind === 'tool_call' ? [callObject(block, block.text)] : [],
  );
  const { chat, reasoning = chat === 'openrouter' ? 'reasoning' : 'none' } = variants;
  const thoughts = textOf(({ kind }) => kind === 'thinking');
  const refusal = textOf(isRefusal);
  const text = textOf((block) => block.kind === 'text' && !isRefusal(block));
  const annotations = blocks.flatMap((block) => chatAnnotations(block, block.text.length));
  const refused = blocks.some(isRefusal);
  return {
    role: 'assistant',
    content: text === '' && (refused || calls.length > 0) ? null : text,
    refusal: refused ? refusal : null,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(reasoning === 'none' || thoughts === '' ? {} : { [reasoning]: thoughts }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
