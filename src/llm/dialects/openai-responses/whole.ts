/** Answers of OpenAI Responses that are no streams, both ways. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, Generation, RenderContext } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { defaultLimits } from '../shared/assembly.ts';
import type { HeaderFields, WholeResponse } from '../shared/dialect.ts';
import { errorBody, readHttpError } from '../openai-chat/errors.ts';
import { outputItem } from './output.ts';
import { ResponseObject } from './response-object.ts';
import { itemContext, statusOf } from './render.ts';
import { ResponsesResponse } from './response.ts';
import { endingOf } from './status.ts';

/** Renders a response object; an error in the midst of the generation is all that is answered. */
export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { end, id } = context;
  const response = new ResponseObject(context);
  const output = generation.blocks.map((block) =>
    outputItem(block, itemContext(block.index, context)).item(
      block.text,
      statusOf(block.complete, context) ?? 'in_progress',
    ),
  );
  if (end.error !== undefined) return errorBody(end.error, id('req_'));
  const ending = endingOf(end);
  const body: JsonObject =
    ending === undefined ? { ...response.inProgress(), output } : response.ended(ending, output);
  return { status: 200, body };
}

/** Reads an answer, or an error by its status. Never throws. */
export function readWhole(status: number, headers: HeaderFields, body: Uint8Array): Decoded {
  const json = parseJson(new TextDecoder().decode(body));
  const response = new ResponsesResponse(defaultLimits.response);
  if (status >= 400) response.fail(readHttpError(status, headers, json));
  else if (!isJsonObject(json)) response.refuse('expected a body that is a JSON object');
  else response.whole(json);
  return response.end('clean');
}
