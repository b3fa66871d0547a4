/** An interaction that is not streamed: its steps, its status and its usage, or an error before it. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, Generation, RenderContext } from '../../messages.ts';
import type { WholeResponse } from '../shared/dialect.ts';
import { wholeParameters } from '../shared/whole-parameters.ts';
import { errorBody } from './errors.ts';
import { interactionOf, isStep, shellOf, signatureOf, statusOf } from './render.ts';
import { writeUsage } from './usage.ts';

/** Renders the whole response. */
export function whole({ blocks }: Generation, context: RenderContext): WholeResponse {
  const { error, usage } = context.end;
  if (error !== undefined) return errorBody(error);
  const { status, ...interaction } = interactionOf(context, context.id('v1_'), statusOf(context) ?? '');
  return {
    status: 200,
    body: {
      ...interaction,
      ...(status !== '' && { status }),
      usage: writeUsage(usage),
      steps: blocks.flatMap((block) => stepOf(block, context)),
    },
  };
}

/** The step of a block. The arguments of a call that was cut are the parameters that were whole. */
export function stepOf(block: GeneratedBlock, context: RenderContext): readonly JsonObject[] {
  if (!isStep(block)) return [];
  const shell = shellOf(block);
  const content = [{ text: block.text, type: 'text' }];
  if (block.kind === 'text') return [{ content, ...shell }];
  if (block.kind === 'tool_call') return [{ ...shell, arguments: wholeParameters(block.text) }];
  const signature = block.complete ? { signature: signatureOf(block, context) } : {};
  return [{ ...signature, summary: content, ...shell }];
}
