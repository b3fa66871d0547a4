/** Answers of OpenAI Chat Completions that are not streamed. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { BlockKind, GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import { errorBody } from '../openai/errors.ts';
import { chatUsage, writeUsage } from '../openai/usage.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { finishReasons } from './finish.ts';

/** Renders a `chat.completion`. Where the generation ends with an error, the answer is that error. */
export function whole({ blocks }: Generation, context: RenderContext): WholeResponse {
  const { end, request, now, id } = context;
  if (end.error !== undefined) return errorBody(end.error, id('req_'));
  return {
    status: 200,
    body: {
      id: id('chatcmpl-'),
      object: 'chat.completion',
      created: Math.floor(now / 1000),
      model: request.model,
      choices: [
        {
          index: 0,
          message: messageOf(blocks, context),
          logprobs: null,
          finish_reason: finishReasons(end).at(-1) ?? null,
        },
      ],
      usage: writeUsage(end.usage, chatUsage),
      service_tier: 'default',
      system_fingerprint: id('fp_'),
    },
  };
}

function messageOf(blocks: readonly GeneratedBlock[], { end, variants }: RenderContext): JsonObject {
  const textOf = (kind: BlockKind): string =>
    blocks.map((block) => (block.kind === kind ? block.text : '')).join('');
  const calls = blocks.flatMap((block) =>
    block.kind === 'tool_call'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.text } }]
      : [],
  );
  const { reasoning = 'none' } = variants;
  const [text, thoughts, refused] = [textOf('text'), textOf('thinking'), end.stop === 'refusal'];
  return {
    role: 'assistant',
    content: refused || (text === '' && calls.length > 0) ? null : text,
    refusal: refused ? text : null,
    ...(reasoning === 'none' || thoughts === '' ? {} : { [reasoning]: thoughts }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
