/** Answers of OpenAI Responses that are not streamed, from the blocks of a generation. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { errorBody } from '../openai/errors.ts';
import { outputItem } from './output.ts';
import { ResponseObject } from './response-object.ts';
import { itemContext, statusOf } from './render.ts';
import { endingOf } from './status.ts';

const piecesOf = ({ steps }: Generation, block: GeneratedBlock): readonly string[] =>
  [...steps].flatMap((step) => (step.do === 'piece' && step.block === block ? [step.text] : []));

/** Renders a response object. Where the generation ends with an error, the answer is that error. */
export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { end, id } = context;
  const response = new ResponseObject(context);
  const output: JsonObject[] = [];
  for (const block of generation.blocks) {
    const item = outputItem(block, itemContext(output.length, context));
    if (item === undefined) continue;
    if (item.measure !== undefined) for (const piece of piecesOf(generation, block)) item.measure(piece);
    output.push(item.item(block.text, statusOf(block.complete, context) ?? 'in_progress'));
  }
  if (end.error !== undefined) return errorBody(end.error, id('req_'));
  const ending = endingOf(end);
  const body: JsonObject =
    ending === undefined ? { ...response.inProgress(), output } : response.ended(ending, output);
  return { status: 200, body };
}
