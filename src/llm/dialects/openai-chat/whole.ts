/** Answers of OpenAI Chat Completions that are no streams, both ways. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { BlockKind, Decoded, GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { defaultLimits } from '../shared/assembly.ts';
import type { HeaderFields, WholeResponse } from '../shared/dialect.ts';
import { errorBody, readHttpError } from './errors.ts';
import { finishReasons } from './finish.ts';
import { ChatResponse } from './response.ts';
import { writeUsage } from './usage.ts';

/** Renders a `chat.completion`; an error in the midst of the generation is all that is answered. */
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
      usage: writeUsage(end.usage),
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

/** Reads an answer, or an error by its status. Never throws. */
export function readWhole(status: number, headers: HeaderFields, body: Uint8Array): Decoded {
  const json = parseJson(new TextDecoder().decode(body));
  const response = new ChatResponse(defaultLimits.response);
  if (status >= 400) response.fail(readHttpError(status, headers, json));
  else if (!isJsonObject(json)) response.refuse('expected a body that is a JSON object');
  else {
    response.event(json);
    if (!response.done) response.over();
  }
  return response.end('clean');
}
