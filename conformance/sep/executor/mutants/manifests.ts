/** Executors that read manifests in another way. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { feedsIn, readsFeeds, readsManifest, sourceOf, typeOf, without } from './manifest-edits.ts';
import type { ExecutorFaults } from './mutant.ts';

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

const readingFaults: ExecutorFaults = {
  'no-flow-params': ofManifests(/params: \{/, withoutParams),
  'no-block-params': ofManifests(/params:\s*\n/, withoutParams),
  'no-comments': ofManifests(/interval: 30 +# seconds/, (feed) =>
    feed['interval'] === undefined ? feed : undefined,
  ),
  'no-json': ofManifests(/^\{/, () => undefined),
  'makes-ids': readsFeeds((feed) => ({ id: 'made', ...feed })),
  'on-demand-by-default': readsFeeds((feed) => ({ type: 'on_demand', ...feed })),
  'drops-sourceless': readsFeeds((feed) => (feed['source'] === undefined ? undefined : feed)),
  'any-source': readsFeeds((feed) => (sourceOf(feed)['type'] === 'oracle' ? undefined : feed)),
  'first-of-two': readsManifest((manifest, request) =>
    manifest['context_feeds'] === undefined
      ? manifest
      : { ...manifest, context_feeds: firstOfEach(feedsIn(request)) },
  ),
  'minute-by-default': readsFeeds((feed) => (typeOf(feed) === 'periodic' ? { interval: 60, ...feed } : feed)),
  'no-least-interval': readsFeeds((feed) =>
    Number(feed['interval']) <= 0 ? { ...feed, interval: 1 } : feed,
  ),
};

const sourceFaults: ExecutorFaults = {
  'triggers-alone': readsFeeds((feed) =>
    sourceTypes.includes(typeOf(feed)) ? { ...feed, enabled: false } : feed,
  ),
  'sources-once': readsFeeds((feed) =>
    sourceTypes.includes(typeOf(feed)) ? { ...feed, cache_ttl: 86_400 } : feed,
  ),
  ...faultsFor(['workflow', 'llm'], (type) => [
    `no-${type}-feeds`,
    readsFeeds((feed) => (sourceOf(feed)['type'] === type ? { ...feed, enabled: false } : feed)),
  ]),
  'clock-alone': readsFeeds((feed) =>
    ['random', 'debug_context'].includes(textIn(sourceOf(feed), 'action'))
      ? { ...feed, enabled: false }
      : feed,
  ),
};

/** The mutants of manifests and of the types of sources. */
export const manifestFaults: ExecutorFaults = { ...readingFaults, ...sourceFaults };
