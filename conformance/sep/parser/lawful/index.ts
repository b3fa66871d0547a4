/** Parsers with oddities that the protocol allows: the reference testee that claims fewer features. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { keepsInnerTags } from './thoughts.ts';
import { sepTestee } from '../../../../src/sep/index.ts';
import { claimsLess } from '../../shared/lawful.ts';
import { outputOf } from '../memory.ts';
import { emits, emitsEach, hidden, isOf, readsAs } from '../mutants/mutant.ts';

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

/** Other members of the bodies of an output. */
const othersIn = (output: string): JsonObject =>
  Object.fromEntries(
    [...output.matchAll(/"(description|priority|reason)":("[^"]*"|\d+)/g)].map(([, name = '', value]) => [
      name,
      value ?? '',
    ]),
  );

/** The oddities. */
export const parserLawful: readonly LawfulPeer[] = [
  {
    id: 'other-members',
    title: 'Its actions have the members of a body that mean nothing.',
    allowed: 'SEP-147: what is ignored may be told',
    make: () =>
      testeeOf(
        faulty(
          emits((events, request) =>
            events.map((event) =>
              isObject(event['action'])
                ? { ...event, action: { ...othersIn(outputOf(request)), ...event['action'] } }
                : event,
            ),
          ),
        ),
      ),
  },
  without(
    'diagnostics',
    'It reports no fault of an output.',
    emitsEach((event) => (isOf('diagnostic', event) ? [] : event)),
  ),
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
