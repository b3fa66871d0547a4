/** Executors that read manifests in another way, or fetch feeds at other times. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { feedsIn, firstValueOf, readsFeeds, readsManifest, sourceOf, without } from './manifest-edits.ts';
import { emitsEach, isOf, mutant, plays } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

/** A feed of a source without params. */
const withoutParams = (feed: JsonObject): JsonObject => ({
  ...feed,
  source: without(sourceOf(feed), 'params'),
});

/** A fault in feeds of some texts of manifests. */
const ofManifests = (form: RegExp, edit: (feed: JsonObject) => JsonObject | undefined): AnswerFault =>
  readsFeeds((feed, { manifest }) => (form.test(String(manifest)) ? edit(feed) : feed));

const sourceTypes: readonly Json[] = ['internal', 'tool', 'relic', 'workflow', 'llm'];

const typeOf = ({ type = null }: JsonObject): Json => type;

/** Feeds with the ids of earlier ones are left out. */
const firstOfEach = (feeds: readonly JsonObject[]): JsonObject[] =>
  feeds.filter((feed, i) => feeds.findIndex((one) => one['id'] === feed['id']) === i);

/** A fault in the text of a value that was fetched. */
const shows = (edit: (text: string, feed: JsonObject, request: JsonObject) => string): AnswerFault =>
  emitsEach((event, request) => {
    const feed = feedsIn(request).find(({ id }) => id === event['id']);
    if (!isOf('context_feed', event) || event['runtime'] !== true || feed === undefined) return event;
    return { ...event, text: edit(String(event['text']), feed, request) };
  });

/** The text of the first value of a feed's source. */
const wholeOf = (feed: JsonObject, request: JsonObject): string => {
  const value = firstValueOf(feed, request);
  return typeof value === 'string' ? value : '';
};

const isLimited = ({ max_tokens: most }: JsonObject): boolean => most !== undefined;

const manifestMutants: readonly ExecutorMutant[] = [
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
    'any-type',
    'It takes an unknown type for on_demand.',
    readsFeeds((feed) => (typeOf(feed) === 'weekly' ? { ...feed, type: 'on_demand' } : feed)),
  ),
  mutant(
    101,
    'any-source',
    'It leaves out a feed of an unknown source.',
    readsFeeds((feed) => (sourceOf(feed)['type'] === 'oracle' ? undefined : feed)),
  ),
  mutant(
    101,
    'any-key',
    'It ignores a key that it does not know.',
    readsFeeds((feed) => without(feed, 'cache_tll')),
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
      ['random', 'debug_context'].includes(String(sourceOf(feed)['action']))
        ? { ...feed, enabled: false }
        : feed,
    ),
  ),
];

const isPeriodic = (feed: JsonObject): boolean => typeOf(feed) === 'periodic';

const hasCache = ({ cache_ttl: ttl }: JsonObject): boolean => ttl !== undefined;

/** Wrong feeds, cached ones, and those of which a fetch fails are read as they are written: their rows are others. */
const isPlain = (feed: JsonObject, { feed_errors: errors }: JsonObject): boolean =>
  isPeriodic(feed) && Number(feed['interval']) > 0 && errors === undefined && !hasCache(feed);

const timeMutants: readonly ExecutorMutant[] = [
  mutant(
    100,
    'at-iterations-alone',
    'It fetches a periodic feed at the begin of iterations alone.',
    readsFeeds((feed, request) =>
      isPlain(feed, request) ? { ...without(feed, 'interval'), type: 'on_demand' } : feed,
    ),
  ),
  mutant(
    100,
    'once-alone',
    'It fetches a periodic feed once.',
    readsFeeds((feed, request) => (isPlain(feed, request) ? { ...feed, cache_ttl: 86_400 } : feed)),
  ),
  mutant(
    100,
    'minutes',
    'It takes an interval for minutes.',
    readsFeeds((feed, request) =>
      isPlain(feed, request) ? { ...feed, interval: Number(feed['interval']) * 60 } : feed,
    ),
  ),
  mutant(
    100,
    'half-interval',
    'It fetches a periodic feed twice in an interval.',
    readsFeeds((feed, request) =>
      isPlain(feed, request) ? { ...feed, interval: Number(feed['interval']) / 2 } : feed,
    ),
  ),
  mutant(
    63,
    'no-cache',
    'It ignores cache_ttl.',
    readsFeeds((feed) => without(feed, 'cache_ttl')),
  ),
  mutant(
    63,
    'milliseconds-of-cache',
    'It takes cache_ttl for milliseconds.',
    readsFeeds((feed) => (hasCache(feed) ? { ...feed, cache_ttl: Number(feed['cache_ttl']) / 1000 } : feed)),
  ),
  mutant(
    63,
    'interval-first',
    'It fetches a periodic feed each interval, whatever its cache_ttl is.',
    readsFeeds((feed) => (isPeriodic(feed) ? without(feed, 'cache_ttl') : feed)),
  ),
  mutant(
    102,
    'fetches-once',
    'It fetches an on-demand feed once.',
    readsFeeds((feed, { feed_errors: errors }) =>
      typeOf(feed) === 'on_demand' && errors === undefined && !hasCache(feed)
        ? { ...feed, cache_ttl: 86_400 }
        : feed,
    ),
  ),
  mutant(
    102,
    'caches-for-ever',
    'A cache has no end.',
    readsFeeds((feed) => (hasCache(feed) ? { ...feed, cache_ttl: 86_400 } : feed)),
  ),
];

const limitMutants: readonly ExecutorMutant[] = [
  mutant(
    64,
    'no-limit',
    'It ignores max_tokens.',
    readsFeeds((feed) => without(feed, 'max_tokens')),
  ),
  mutant(
    64,
    'leaves-out',
    'It shows nothing of a text that is too long.',
    shows((text, feed, request) =>
      isLimited(feed) && text.length < wholeOf(feed, request).length ? '' : text,
    ),
  ),
  mutant(
    64,
    'keeps-the-end',
    'It cuts the begin of a text.',
    shows((text, feed, request) =>
      isLimited(feed) ? wholeOf(feed, request).trim().slice(-text.length) : text,
    ),
  ),
  mutant(
    64,
    'characters',
    'It counts characters.',
    shows((text, feed) => (isLimited(feed) ? text.slice(0, Math.min(20, Number(feed['max_tokens']))) : text)),
  ),
  mutant(
    64,
    'half-characters',
    'It cuts a character.',
    shows((text, feed, request) => {
      const whole = wholeOf(feed, request);
      return isLimited(feed) && text.length < whole.length
        ? whole.slice(0, whole.lastIndexOf('\ude00'))
        : text;
    }),
  ),
];

/** The name of the variable that a text in enabled is. */
const variableIn = ({ enabled }: JsonObject): string | undefined =>
  typeof enabled === 'string' ? /^\$\{(\w+)\}$/.exec(enabled)?.[1] : undefined;

/** What the environment of a request says. */
const envOf = ({ env = {} }: JsonObject): JsonObject => env as JsonObject;

/** A fault in the variables of the environment that are no part of enabled. */
const environment = (edit: (names: readonly string[], env: JsonObject) => JsonObject): AnswerFault =>
  plays((request) => {
    const names = [...String(request['manifest']).matchAll(/(?<!enabled: "?)\$\{(\w+)\}/g)];
    return {
      env: {
        ...envOf(request),
        ...edit(
          names.map(([, name = '']) => name),
          envOf(request),
        ),
      },
    };
  });

const asWritten = (name: string): readonly [string, string] => [name, `\${${name}}`];

/** A value with the variables of an environment in its texts. */
const expanded = (value: Json, env: JsonObject): Json =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\$\{(\w+)\}/g, (all, name: string) => String(env[name] ?? all)),
  ) as Json;

const environmentMutants: readonly ExecutorMutant[] = [
  mutant(
    65,
    'unset-is-true',
    'A feed is enabled if its variable is not set.',
    readsFeeds((feed, request) => {
      const name = variableIn(feed);
      return name !== undefined && envOf(request)[name] === undefined ? { ...feed, enabled: true } : feed;
    }),
  ),
  mutant(
    65,
    'set-is-true',
    'A feed is enabled if its variable has any text.',
    readsFeeds((feed, request) => {
      const name = variableIn(feed);
      return name !== undefined && envOf(request)[name] !== undefined ? { ...feed, enabled: true } : feed;
    }),
  ),
  mutant(
    65,
    'variables-alone',
    'It ignores an enabled that is no text.',
    readsFeeds((feed) => (typeof feed['enabled'] === 'boolean' ? without(feed, 'enabled') : feed)),
  ),
  mutant(
    65,
    'disabled-by-default',
    'A feed without enabled, and with a cache, is not enabled.',
    readsFeeds((feed) => (feed['cache_ttl'] === 1 ? { enabled: false, ...feed } : feed)),
  ),
  mutant(
    65,
    'booleans-alone',
    'It takes no text for true.',
    readsFeeds((feed) => (variableIn(feed) === undefined ? feed : { ...feed, enabled: false })),
  ),
  mutant(
    66,
    'enabled-alone',
    'It replaces variables in enabled alone.',
    environment((names) => Object.fromEntries(names.map(asWritten))),
  ),
  mutant(
    66,
    'unset-stays',
    'A variable that is not set stays as it is written.',
    environment((names, env) =>
      Object.fromEntries(names.filter((name) => env[name] === undefined).map(asWritten)),
    ),
  ),
  mutant(
    103,
    'replaces-values',
    'It replaces variables in the values of feeds.',
    plays((request) => ({ feeds: expanded(request['feeds'] ?? {}, envOf(request)) })),
  ),
  mutant(
    103,
    'replaces-outputs',
    'It replaces variables in the outputs of actions.',
    plays((request) => ({ providers: expanded(request['providers'] ?? {}, envOf(request)) })),
  ),
  mutant(
    103,
    'replaces-in-model',
    'It replaces variables in the output of the model.',
    plays((request) => ({ iterations: expanded(request['iterations'] ?? [], envOf(request)) })),
  ),
];

/** The mutants of manifests and of fetches. */
export const feedMutants: readonly ExecutorMutant[] = [
  ...manifestMutants,
  ...sourceMutants,
  ...timeMutants,
  ...limitMutants,
  ...environmentMutants,
];
