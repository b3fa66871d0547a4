/** Executors that read manifests in another way. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { feedsIn, readsFeeds, readsManifest, sourceOf, typeOf, without } from './manifest-edits.ts';
import { mutant } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

/** A feed of a source without params. */
const withoutParams = (feed: JsonObject): JsonObject => ({
  ...feed,
  source: without(sourceOf(feed), 'params'),
});

/** A fault in feeds of some texts of manifests. */
const ofManifests = (form: RegExp, edit: (feed: JsonObject) => JsonObject | undefined): AnswerFault =>
  readsFeeds((feed, { manifest }) =>
    typeof manifest === 'string' && form.test(manifest) ? edit(feed) : feed,
  );

const sourceTypes: readonly Json[] = ['internal', 'tool', 'relic', 'workflow', 'llm'];

/** Feeds with the ids of earlier ones are left out. */
const firstOfEach = (feeds: readonly JsonObject[]): JsonObject[] =>
  feeds.filter((feed, i) => feeds.findIndex((one) => one['id'] === feed['id']) === i);

const readingMutants: readonly ExecutorMutant[] = [
  mutant(
    58,
    'no-flow-params',
    'It reads no params that are flow maps.',
    ofManifests(/params: \{/, withoutParams),
  ),
  mutant(
    58,
    'no-block-params',
    'It reads no params that are a block.',
    ofManifests(/params:\s*\n/, withoutParams),
  ),
  mutant(
    58,
    'no-comments',
    'It takes a comment for a part of the value.',
    ofManifests(/interval: 30 +# seconds/, (feed) => (feed['interval'] === undefined ? feed : undefined)),
  ),
  mutant(
    58,
    'no-json',
    'It knows no manifest in JSON.',
    ofManifests(/^\{/, () => undefined),
  ),
  mutant(
    59,
    'makes-ids',
    'It makes an id for a feed without one.',
    readsFeeds((feed) => ({ id: 'made', ...feed })),
  ),
  mutant(
    59,
    'on-demand-by-default',
    'A feed without a type is on_demand.',
    readsFeeds((feed) => ({ type: 'on_demand', ...feed })),
  ),
  mutant(
    59,
    'drops-sourceless',
    'It leaves out a feed without a source.',
    readsFeeds((feed) => (feed['source'] === undefined ? undefined : feed)),
  ),
  mutant(
    101,
    'any-source',
    'It leaves out a feed of an unknown source.',
    readsFeeds((feed) => (sourceOf(feed)['type'] === 'oracle' ? undefined : feed)),
  ),
  mutant(
    101,
    'first-of-two',
    'Of two feeds with the same id it takes the first.',
    readsManifest((manifest, request) =>
      manifest['context_feeds'] === undefined
        ? manifest
        : { ...manifest, context_feeds: firstOfEach(feedsIn(request)) },
    ),
  ),
  mutant(
    62,
    'minute-by-default',
    'A periodic feed without an interval has one of a minute.',
    readsFeeds((feed) => (typeOf(feed) === 'periodic' ? { interval: 60, ...feed } : feed)),
  ),
  mutant(
    62,
    'no-least-interval',
    'It takes any interval for one.',
    readsFeeds((feed) => (Number(feed['interval']) <= 0 ? { ...feed, interval: 1 } : feed)),
  ),
];

const sourceMutants: readonly ExecutorMutant[] = [
  mutant(
    60,
    'triggers-alone',
    'It does not fetch a feed whose type is a type of sources.',
    readsFeeds((feed) => (sourceTypes.includes(typeOf(feed)) ? { ...feed, enabled: false } : feed)),
  ),
  mutant(
    60,
    'sources-once',
    'It fetches a feed whose type is a type of sources once.',
    readsFeeds((feed) => (sourceTypes.includes(typeOf(feed)) ? { ...feed, cache_ttl: 86_400 } : feed)),
  ),
  ...['workflow', 'llm'].map((type) =>
    mutant(
      61,
      `no-${type}-feeds`,
      `It knows no source of the type ${type}.`,
      readsFeeds((feed) => (sourceOf(feed)['type'] === type ? { ...feed, enabled: false } : feed)),
    ),
  ),
  mutant(
    61,
    'clock-alone',
    'It knows no internal source but the clock.',
    readsFeeds((feed) =>
      ['random', 'debug_context'].includes(textIn(sourceOf(feed), 'action'))
        ? { ...feed, enabled: false }
        : feed,
    ),
  ),
];

/** The mutants of manifests and of the types of sources. */
export const manifestMutants: readonly ExecutorMutant[] = [...readingMutants, ...sourceMutants];
