/** A parser with an oddity of thoughts that the protocol allows. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { hidden, readsAs } from '../mutants/mutant.ts';
import { retagged } from '../mutants/walk.ts';

/** Hides the tags of inner thoughts, so that they are text of the outer one. */
function withInnerTagsHidden(output: string): string {
  let depth = 0;
  return retagged(output, ({ tag, name, closes }) => {
    if (name !== 'thought') return tag;
    if (!closes) depth++;
    const isInner = depth > 1;
    if (closes) depth--;
    return isInner ? tag.replace('<', hidden) : tag;
  });
}

const oddity = readsAs((output) =>
  /<thought>[^<]*<thought>/.test(output) ? withInnerTagsHidden(output) : output,
);

/** It counts the depth of thoughts, and keeps the tags of inner ones as text. */
export const keepsInnerTags: AnswerFault = (request) =>
  request['extensions'] === undefined ? oddity(request) : undefined;
