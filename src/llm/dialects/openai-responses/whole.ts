/** Answers of OpenAI Responses that are not streamed, from the blocks of a generation. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Generation, RenderContext } from '../../messages.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { errorBody } from '../openai/errors.ts';
import { outputItem } from './output.ts';
import { ResponseObject } from './response-object.ts';
import { itemContext, statusOf } from './render.ts';
import { endingOf } from './status.ts';

/** Renders a response object. Where the generation ends with an error, the answer is that error. */
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
