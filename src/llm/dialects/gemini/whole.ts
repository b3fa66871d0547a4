/** Gemini's response that is not streamed: one candidate with all parts, a blocked prompt, or an error. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { errorBody } from './errors.ts';
import { argumentsOf, callPart, feedbackOf, finishOf, finishReason, signatureOf, tailOf } from './render.ts';
import { writeUsage } from './usage.ts';

/** Renders the whole response. Of two contradictory finish reasons only the last has a place. */
export function whole({ blocks }: Generation, context: RenderContext): WholeResponse {
  const { error, usage } = context.end;
  if (error !== undefined) return errorBody(error);
  const tail = tailOf(context, context.id(''), writeUsage(usage));
  const feedback = feedbackOf({ ...context, blocks });
  if (feedback !== undefined) return { status: 200, body: { ...feedback, ...tail } };
  const parts = joinedTexts(blocks.flatMap((block) => partsOf(block, context)));
  const word = finishReason(context);
  const finish = word === undefined ? { index: 0 } : finishOf(context, word);
  return { status: 200, body: { candidates: [{ content: { parts, role: 'model' }, ...finish }], ...tail } };
}

/** The parts of a block; a call that was cut, or whose arguments are no object, has none. */
function partsOf(block: GeneratedBlock, context: RenderContext): readonly JsonObject[] {
  const { text, complete } = block;
  if (block.kind === 'text') return [{ text }];
  if (block.kind === 'provider_block') return [block.form];
  if (block.kind === 'thinking') return [{ text, thought: true, ...(complete && signatureOf(block)) }];
  const args = block.kind === 'tool_call' ? argumentsOf(block) : undefined;
  return block.kind === 'tool_call' && args !== undefined ? [callPart(block, args, context)] : [];
}

/** Texts of a kind in a row are one part, up to a signature. */
function joinedTexts(parts: readonly JsonObject[]): readonly JsonObject[] {
  const made: JsonObject[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (
      typeof part['text'] === 'string' &&
      typeof last?.['text'] === 'string' &&
      last['thought'] === part['thought'] &&
      last['thoughtSignature'] === undefined
    )
      made[made.length - 1] = { ...last, ...part, text: last['text'] + part['text'] };
    else made.push(part);
  }
  return made;
}
