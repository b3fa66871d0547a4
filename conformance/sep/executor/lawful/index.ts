/** Executors with oddities that the protocol allows: the reference testee that tells less, or claims fewer features. */
import { exactJsonOf, exactText } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { claimsLess } from '../../shared/lawful.ts';
import { textsIn } from '../events.ts';
import { unescaped } from '../facts/injected.ts';
import {
  andThen,
  answers,
  emitsEach,
  executorWith,
  isOf,
  plays,
  outputsOf,
  reads,
  readsBodies,
} from '../mutants/mutant.ts';
import type { Event, ExecutorFaults } from '../mutants/mutant.ts';
import { updates } from '../mutants/internal-actions.ts';

/** Whether a run has neither extensions nor feeds. Their names have values without the feature `variables`. */
const isPlain = (request: JsonObject): boolean =>
  request['extensions'] === undefined &&
  request['manifest'] === undefined &&
  !outputsOf(request).some((output) => output.includes('type="internal"'));

/** An executor that does not claim a feature, and plays runs without it. */
const without =
  (feature: string, oddity: AnswerFault): AnswerFault =>
  (request) =>
    claimsLess(sepManifestTestee, [feature])(request) ?? (isPlain(request) ? oddity(request) : undefined);

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

const oddities: ExecutorFaults = {
  'attempts-untold': emitsEach((event) =>
    isOf('failed', event) ? withoutMembers(event, ['attempts']) : event,
  ),
  'results-as-json': answers((ok) => ({
    ...ok,
    transcripts: textsIn(ok['transcripts']).map(withJsonResults),
  })),
  'fetches-updated': updates((changes) =>
    'interval' in changes ? { ...changes, source: { params: { fresh: true } } } : changes,
  ),
  'without-retries': without(
    'retries',
    readsBodies(({ body }) =>
      withoutMembers(body, body['on_error'] === 'retry' ? ['retry', 'on_error'] : ['retry']),
    ),
  ),
  'without-dependencies': without(
    'dependencies',
    readsBodies(({ body }) => withoutMembers(body, ['depends_on'])),
  ),
  'without-timeouts': without(
    'timeouts',
    readsBodies(({ body }) => withoutMembers(body, ['timeout'])),
  ),
  'without-variables': without(
    'variables',
    hides((output) => output.replaceAll('$', hidden.$)),
  ),
  'without-thought-actions': without(
    'thought_actions',
    hides((output) =>
      output.replaceAll(/<thought>[^]*?<\/thought>/g, (thought) =>
        thought.replaceAll(/<(?=\/?action)/g, hidden['<']),
      ),
    ),
  ),
  'without-non-final-responses': without(
    'non_final_responses',
    plays((request) => ({
      iterations: outputsOf(request)
        .slice(0, 1)
        .map((output) => [output]),
    })),
  ),
};

/** The lawful executors. */
export const lawfulExecutors: () => readonly LawfulPeer[] = lawfulOf(
  'sep/executor',
  [oddities],
  executorWith,
);
