/** Executors that fetch feeds at other times, cut them in another way, or read variables of the environment otherwise. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { feedsIn, firstValueOf, readsFeeds, typeOf, without } from './manifest-edits.ts';
import { emitsEach, isOf, mutant, plays } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

/** A fault in the text of a value that was fetched. */
const shows = (edit: (text: string, feed: JsonObject, request: JsonObject) => string): AnswerFault =>
  emitsEach((event, request) => {
    const feed = feedsIn(request).find(({ id }) => id === event['id']);
    if (!isOf('context_feed', event) || event['runtime'] !== true || feed === undefined) return event;
    return { ...event, text: edit(textIn(event, 'text'), feed, request) };
  });

/** The text of the first value of a feed's source. */
const wholeOf = (feed: JsonObject, request: JsonObject): string => {
  const value = firstValueOf(feed, request);
  return typeof value === 'string' ? value : '';
};

const isLimited = ({ max_tokens: most }: JsonObject): boolean => most !== undefined;

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
  mutant(
    102,
    'caches-inclusively',
    'A value whose age is cache_ttl is used again.',
    readsFeeds((feed) =>
      Number(feed['cache_ttl']) >= 1 ? { ...feed, cache_ttl: Number(feed['cache_ttl']) + 1 } : feed,
    ),
  ),
  mutant(
    102,
    'uses-renew',
    'A value is younger after it was used again.',
    readsFeeds((feed, { iterations }) =>
      isArray(iterations) && iterations.length > 2 && hasCache(feed)
        ? { ...feed, cache_ttl: Number(feed['cache_ttl']) * 2 }
        : feed,
    ),
  ),
  mutant(
    102,
    'clock-stands',
    'Its clock tells the begin of the run.',
    shows((text, feed, { now }) => (feed['id'] === 'clock' && typeof now === 'string' ? now : text)),
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
    'cuts-texts-alone',
    'It cuts texts alone.',
    readsFeeds((feed, request) =>
      typeof firstValueOf(feed, request) === 'string' ? feed : without(feed, 'max_tokens'),
    ),
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
    const names = [...textIn(request, 'manifest').matchAll(/(?<!enabled: "?)\$\{(\w+)\}/g)];
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
    JSON.stringify(value).replaceAll(/\$\{(\w+)\}/g, (all, name: string) =>
      Object.hasOwn(env, name) ? textIn(env, name) : all,
    ),
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
    66,
    'replaces-again',
    'It replaces variables in what it has put in.',
    environment((_, env) => expanded(env, env) as JsonObject),
  ),
  mutant(
    103,
    'replaces-values',
    'It replaces variables in the values of feeds.',
    plays((request) => {
      const feeds = Object.entries((request['feeds'] ?? {}) as JsonObject);
      return {
        feeds: Object.fromEntries(feeds.map(([name, values]) => [name, expanded(values, envOf(request))])),
      };
    }),
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

/** The mutants of fetches. */
export const feedMutants: readonly ExecutorMutant[] = [
  ...timeMutants,
  ...limitMutants,
  ...environmentMutants,
];
