/** Executors with oddities that the protocol allows: the reference testee that tells less, or claims fewer features. */
import { exactJsonOf, exactText } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { claimsLess } from '../../shared/lawful.ts';
import { textsIn } from '../events.ts';
import { unescaped } from '../injected.ts';
import {
  andThen,
  answers,
  emitsEach,
  isOf,
  plays,
  outputsOf,
  reads,
  readsBodies,
} from '../mutants/mutant.ts';
import type { Event } from '../mutants/mutant.ts';
import { updates } from '../mutants/internal-actions.ts';

const { faulty } = answerFaults(sepManifestTestee);

const operations = 'spec/sep/README.md, Operations';

const lawful = (
  id: string,
  title: string,
  oddity: AnswerFault,
  more: Partial<LawfulPeer> = {},
): LawfulPeer => ({
  id,
  title,
  allowed: operations,
  make: () => testeeOf(faulty(oddity)),
  ...more,
});

/** Whether a run has neither extensions nor feeds. Their names have values without the feature `variables`. */
const isPlain = (request: JsonObject): boolean =>
  request['extensions'] === undefined &&
  request['manifest'] === undefined &&
  !outputsOf(request).some((output) => output.includes('type="internal"'));

/** An executor that does not claim a feature, and plays runs without it. */
const without = (feature: string, title: string, oddity: AnswerFault): LawfulPeer =>
  lawful(
    `without-${feature.replaceAll('_', '-')}`,
    title,
    (request) =>
      claimsLess(sepManifestTestee, [feature])(request) ?? (isPlain(request) ? oddity(request) : undefined),
    { lacks: [feature] },
  );

const withoutMembers = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Stands for the sign of a reference, or for a less-than sign, that the reference must not see. */
const hidden = { $: '\uE024', '<': '\uE03C' } as const;

const shown = (event: Event): Event =>
  exactJsonOf(exactText(event).replaceAll(hidden.$, '$').replaceAll(hidden['<'], '<')) as Event;

const hides = (edit: (output: string) => string): AnswerFault =>
  andThen(reads(edit), (events) => events.map(shown));

/** A transcript whose results are lines of JSON. */
const withJsonResults = (transcript: string): string =>
  transcript.replaceAll(
    /<action_result id="([^"]*)" status="(\w+)">(.*?)<\/action_result>/gs,
    (_, id: string, status: string, words: string) =>
      JSON.stringify({ id, status, text: unescaped(words) }).replaceAll('<', '\\u003c'),
  );

/** The oddities. */
export const executorLawful: readonly LawfulPeer[] = [
  lawful(
    'attempts-untold',
    'Its events failed have no attempts, which the schema makes optional.',
    emitsEach((event) => (isOf('failed', event) ? withoutMembers(event, ['attempts']) : event)),
  ),
  lawful(
    'results-as-json',
    'The model sees outcomes as lines of JSON, in which a less-than sign is \\u003c.',
    answers((ok) => ({ ...ok, transcripts: textsIn(ok['transcripts']).map(withJsonResults) })),
    { allowed: 'SEP-146 allows: any escape, and any form of results' },
  ),
  lawful(
    'fetches-updated',
    'It fetches a periodic feed at once when its interval is updated.',
    updates((changes) =>
      'interval' in changes ? { ...changes, source: { params: { fresh: true } } } : changes,
    ),
    { allowed: 'Advanced Features, Internal Actions, Updating a Feed: no sentence says from when it counts' },
  ),
  without(
    'retries',
    'It makes one attempt of each action.',
    readsBodies(({ body }) =>
      withoutMembers(body, body['on_error'] === 'retry' ? ['retry', 'on_error'] : ['retry']),
    ),
  ),
  without(
    'dependencies',
    'It knows no depends_on.',
    readsBodies(({ body }) => withoutMembers(body, ['depends_on'])),
  ),
  without(
    'timeouts',
    'It knows no timeout.',
    readsBodies(({ body }) => withoutMembers(body, ['timeout'])),
  ),
  without(
    'variables',
    'It replaces no reference.',
    hides((output) => output.replaceAll('$', hidden.$)),
  ),
  without(
    'thought_actions',
    'An action in a thought is text.',
    hides((output) =>
      output.replaceAll(/<thought>[^]*?<\/thought>/g, (thought) =>
        thought.replaceAll(/<(?=\/?action)/g, hidden['<']),
      ),
    ),
  ),
  without(
    'non_final_responses',
    'It has one iteration.',
    plays((request) => ({
      iterations: outputsOf(request)
        .slice(0, 1)
        .map((output) => [output]),
    })),
  ),
];
