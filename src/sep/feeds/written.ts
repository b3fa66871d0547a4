/** A feed as a manifest or an internal action writes it, and its {@link FeedSpec}. */
import { isObject, pathOf, refuse, ok, schemaRefusal } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result, Validator, Violation } from '../../kit/base/index.ts';
import { namedTexts } from './enabled.ts';
import { sourceTypes } from './feed.ts';
import type { FeedSource, FeedSpec, SourceType } from './feed.ts';
import type { TransformStep } from './transform.ts';

/** The members of a source, after the schema has taken it. */
interface WrittenSource {
  readonly type?: SourceType;
  readonly action?: string;
  readonly name?: string;
  readonly params?: JsonObject;
  readonly url?: string;
}

/** The members of a feed, after the schema has taken it. */
export interface WrittenFeed {
  readonly id: string;
  readonly type: 'on_demand' | 'periodic' | SourceType;
  readonly interval?: number;
  readonly source: WrittenSource;
  readonly enabled?: boolean | string;
  readonly cache_ttl?: number;
  readonly max_tokens?: number;
  readonly transform?: readonly TransformStep[];
}

/** A feed without the members that are null: null means absent, for the feed and for its source. */
export function withoutNulls(feed: Json): Json {
  if (!isObject(feed)) return feed;
  const present = Object.fromEntries(Object.entries(feed).filter(([, value]) => value !== null));
  const { source } = present;
  return source === undefined || !isObject(source) ? present : { ...present, source: bare(source) };
}

const bare = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** What a schema refuses, as a violation; undefined: it takes the value. An unknown key is at its own path. */
export function violationOf(validator: Validator, value: unknown, code: string): Violation | undefined {
  const refused = schemaRefusal(validator, value);
  if (refused === undefined) return undefined;
  const { fault, expected, came } = refused;
  const unknown = fault.keyword === 'additionalProperties' ? fault.params['additionalProperty'] : undefined;
  const at = typeof unknown === 'string' && /^\w+$/.test(unknown) ? `/${unknown}` : '';
  return { code, path: pathOf(fault.instancePath + at), message: `expected ${expected}; came ${came}` };
}

/** The spec of a feed that the schema has taken. Paths of a violation are those in the feed. */
export function specOf(written: WrittenFeed): Result<FeedSpec, Violation> {
  const { id, type, interval, enabled = true, cache_ttl, max_tokens, transform } = written;
  const source = sourceOf(written);
  if (!source.ok) return source;
  if (typeof enabled === 'string' && namedTexts.get(enabled.toLowerCase()) === undefined)
    return refuse(bad('enabled', `expected true or false; came ${JSON.stringify(enabled.slice(0, 60))}`));
  return ok({
    id,
    trigger: type === 'periodic' ? 'periodic' : 'on_demand',
    ...(interval !== undefined && { interval }),
    source: source.value,
    enabled: typeof enabled === 'string' ? namedTexts.get(enabled.toLowerCase()) === true : enabled,
    ...(cache_ttl !== undefined && { cacheTtl: cache_ttl }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(transform !== undefined && { transform }),
  });
}

const bad = (path: string, message: string): Violation => ({ code: 'bad-feed', path, message });

/** The source of a feed. Its type is its own, or else that of the feed (SEP-60). */
function sourceOf({ type: feedType, source }: WrittenFeed): Result<FeedSource, Violation> {
  const type = source.type ?? sourceTypes.find((one) => one === feedType);
  if (type === undefined)
    return refuse(bad('source', `expected the key type, one of ${sourceTypes.join(', ')}; came none`));
  const [key, other] = type === 'internal' ? (['action', 'name'] as const) : (['name', 'action'] as const);
  const name = source[key];
  if (name === undefined)
    return refuse(bad('source', `expected the key ${key} of a source of the type ${type}; came none`));
  if (source[other] !== undefined)
    return refuse(
      bad(`source.${other}`, `expected only ${key} in a source of the type ${type}; came ${other}`),
    );
  if ((source.url !== undefined) !== (type === 'remote'))
    return refuse(
      bad(
        'source',
        `expected the key url in a source of the type remote, and in no other; the type is ${type}`,
      ),
    );
  const { params = {}, url } = source;
  return ok({ type, name, params, ...(url !== undefined && { url }) });
}

/** A feed as an internal action would write it: {@link specOf} gives the same spec again. */
export function writtenOf(spec: FeedSpec): JsonObject {
  const { id, trigger, interval, source, enabled, cacheTtl, maxTokens, transform } = spec;
  const { type, name, params, url } = source;
  return {
    id,
    type: trigger,
    ...(interval !== undefined && { interval }),
    source: {
      type,
      [type === 'internal' ? 'action' : 'name']: name,
      params,
      ...(url !== undefined && { url }),
    },
    enabled,
    ...(cacheTtl !== undefined && { cache_ttl: cacheTtl }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(transform !== undefined && { transform }),
  };
}
