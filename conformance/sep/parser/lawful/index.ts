/** Parsers with oddities that the protocol allows: the reference testee that claims fewer features. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { keepsInnerTags } from './thoughts.ts';
import { sepTestee } from '../../../../src/sep/index.ts';
import { claimsLess } from '../../shared/lawful.ts';
import { outputOf } from '../memory.ts';
import { emits, emitsEach, hidden, isOf, parserWith, readsAs } from '../mutants/mutant.ts';
import type { ParserFaults } from '../mutants/mutant.ts';

/** A parser that does not claim a feature. */
const without =
  (feature: string, oddity: AnswerFault): AnswerFault =>
  (request) =>
    claimsLess(sepTestee, [feature])(request) ??
    (request['extensions'] === undefined ? oddity(request) : undefined);

/** Other members of the bodies of an output. */
const othersIn = (output: string): JsonObject =>
  Object.fromEntries(
    [...output.matchAll(/"(description|priority|reason)":("[^"]*"|\d+)/g)].map(([, name = '', value]) => [
      name,
      value ?? '',
    ]),
  );

const oddities: ParserFaults = {
  'other-members': emits((events, request) =>
    events.map((event) =>
      isObject(event['action'])
        ? { ...event, action: { ...othersIn(outputOf(request)), ...event['action'] } }
        : event,
    ),
  ),
  'without-diagnostics': without(
    'diagnostics',
    emitsEach((event) => (isOf('diagnostic', event) ? [] : event)),
  ),
  'without-thought-actions': without(
    'thought_actions',
    readsAs((output) =>
      output.replaceAll(/<thought>[^]*?(?:<\/thought>|$)/g, (thought) =>
        thought.replaceAll(/<(?=\/?action)/g, hidden),
      ),
    ),
  ),
  'keeps-inner-tags': keepsInnerTags,
};

/** The lawful parsers. */
export const lawfulParsers: () => readonly LawfulPeer[] = lawfulOf('sep/parser', [oddities], parserWith);
