/** Executors that fetch feeds at other times, cut them in another way, or read variables of the environment otherwise. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { feedsIn, firstValueOf, readsFeeds, typeOf, without } from './manifest-edits.ts';
import { emitsEach, isOf, plays } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

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

const timeFaults: ExecutorFaults = {
  'at-iterations-alone': readsFeeds((feed, request) =>
    isPlain(feed, request) ? { ...without(feed, 'interval'), type: 'on_demand' } : feed,
  ),
  'once-alone': readsFeeds((feed, request) =>
    isPlain(feed, request) ? { ...feed, cache_ttl: 86_400 } : feed,
  ),
  minutes: readsFeeds((feed, request) =>
    isPlain(feed, request) ? { ...feed, interval: Number(feed['interval']) * 60 } : feed,
  ),
  'half-interval': readsFeeds((feed, request) =>
    isPlain(feed, request) ? { ...feed, interval: Number(feed['interval']) / 2 } : feed,
  ),
  'no-cache': readsFeeds((feed) => without(feed, 'cache_ttl')),
  'milliseconds-of-cache': readsFeeds((feed) =>
    hasCache(feed) ? { ...feed, cache_ttl: Number(feed['cache_ttl']) / 1000 } : feed,
  ),
  'interval-first': readsFeeds((feed) => (isPeriodic(feed) ? without(feed, 'cache_ttl') : feed)),
  'fetches-once': readsFeeds((feed, { feed_errors: errors }) =>
    typeOf(feed) === 'on_demand' && errors === undefined && !hasCache(feed)
      ? { ...feed, cache_ttl: 86_400 }
      : feed,
  ),
  'caches-for-ever': readsFeeds((feed) => (hasCache(feed) ? { ...feed, cache_ttl: 86_400 } : feed)),
  'caches-inclusively': readsFeeds((feed) =>
    Number(feed['cache_ttl']) >= 1 ? { ...feed, cache_ttl: Number(feed['cache_ttl']) + 1 } : feed,
  ),
  'uses-renew': readsFeeds((feed, { iterations }) =>
    isArray(iterations) && iterations.length > 2 && hasCache(feed)
      ? { ...feed, cache_ttl: Number(feed['cache_ttl']) * 2 }
      : feed,
  ),
  'clock-stands': shows((text, feed, { now }) =>
    feed['id'] === 'clock' && typeof now === 'string' ? now : text,
  ),
};

const limitFaults: ExecutorFaults = {
  'no-limit': readsFeeds((feed) => without(feed, 'max_tokens')),
  'cuts-texts-alone': readsFeeds((feed, request) =>
    typeof firstValueOf(feed, request) === 'string' ? feed : without(feed, 'max_tokens'),
  ),
  'leaves-out': shows((text, feed, request) =>
    isLimited(feed) && text.length < wholeOf(feed, request).length ? '' : text,
  ),
  'keeps-the-end': shows((text, feed, request) =>
    isLimited(feed) ? wholeOf(feed, request).trim().slice(-text.length) : text,
  ),
  characters: shows((text, feed) =>
    isLimited(feed) ? text.slice(0, Math.min(20, Number(feed['max_tokens']))) : text,
  ),
  'half-characters': shows((text, feed, request) => {
    const whole = wholeOf(feed, request);
    return isLimited(feed) && text.length < whole.length ? whole.slice(0, whole.lastIndexOf('\ude00')) : text;
  }),
};

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

const environmentFaults: ExecutorFaults = {
  'unset-is-true': readsFeeds((feed, request) => {
    const name = variableIn(feed);
    return name !== undefined && envOf(request)[name] === undefined ? { ...feed, enabled: true } : feed;
  }),
  'set-is-true': readsFeeds((feed, request) => {
    const name = variableIn(feed);
    return name !== undefined && envOf(request)[name] !== undefined ? { ...feed, enabled: true } : feed;
  }),
  'variables-alone': readsFeeds((feed) =>
    typeof feed['enabled'] === 'boolean' ? without(feed, 'enabled') : feed,
  ),
  'disabled-by-default': readsFeeds((feed) => (feed['cache_ttl'] === 1 ? { enabled: false, ...feed } : feed)),
  'booleans-alone': readsFeeds((feed) =>
    variableIn(feed) === undefined ? feed : { ...feed, enabled: false },
  ),
  'enabled-alone': environment((names) => Object.fromEntries(names.map(asWritten))),
  'unset-stays': environment((names, env) =>
    Object.fromEntries(names.filter((name) => env[name] === undefined).map(asWritten)),
  ),
  'replaces-again': environment((_, env) => expanded(env, env) as JsonObject),
  'replaces-values': plays((request) => {
    const feeds = Object.entries((request['feeds'] ?? {}) as JsonObject);
    return {
      feeds: Object.fromEntries(feeds.map(([name, values]) => [name, expanded(values, envOf(request))])),
    };
  }),
  'replaces-outputs': plays((request) => ({
    providers: expanded(request['providers'] ?? {}, envOf(request)),
  })),
  'replaces-in-model': plays((request) => ({
    iterations: expanded(request['iterations'] ?? [], envOf(request)),
  })),
};

/** The mutants of fetches. */
export const feedFaults: ExecutorFaults = {
  ...timeFaults,
  ...limitFaults,
  ...environmentFaults,
};
