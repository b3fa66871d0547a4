/** A parser with an oddity of thoughts that the protocol allows. */
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { sepTestee } from '../../../../src/sep/index.ts';
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
export const keepsInnerTags: LawfulPeer = {
  id: 'keeps-inner-tags',
  title: 'The tags of a thought in a thought are text of the outer one.',
  allowed: 'spec/sep/README.md, Decisions, 4. Nested thoughts',
  make: () =>
    testeeOf(
      answerFaults(sepTestee).faulty((request) =>
        request['extensions'] === undefined ? oddity(request) : undefined,
      ),
    ),
};
