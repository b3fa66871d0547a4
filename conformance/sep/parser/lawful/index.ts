/** Parsers with oddities that the protocol allows: the reference testee that claims fewer features. */
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { keepsInnerTags } from './thoughts.ts';
import { sepTestee } from '../../../../src/sep/index.ts';
import { claimsLess } from '../../shared/lawful.ts';
import { hidden, readsAs } from '../mutants/mutant.ts';

const { faulty } = answerFaults(sepTestee);

/** A parser that does not claim a feature. */
const without = (feature: string, title: string, oddity: AnswerFault): LawfulPeer => ({
  id: `without-${feature.replaceAll('_', '-')}`,
  title,
  allowed: 'spec/sep/README.md, Operations',
  lacks: [feature],
  make: () =>
    testeeOf(
      faulty(
        (request) =>
          claimsLess(sepTestee, [feature])(request) ??
          (request['extensions'] === undefined ? oddity(request) : undefined),
      ),
    ),
});

/** The oddities. */
export const parserLawful: readonly LawfulPeer[] = [
  without(
    'thought_actions',
    'An action in a thought is text.',
    readsAs((output) =>
      output.replaceAll(/<thought>[^]*?(?:<\/thought>|$)/g, (thought) =>
        thought.replaceAll(/<(?=\/?action)/g, hidden),
      ),
    ),
  ),
  keepsInnerTags,
];
