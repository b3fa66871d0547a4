/** Faults in the reading of manifests: the reference gets another manifest than the one of the request. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { checkDocument } from '../../../../src/kit/spec/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { plays } from './mutant.ts';

/** The manifest of a request as an object; undefined: it has none. */
export function manifestIn({ manifest: text }: JsonObject): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  const { value } = checkDocument<Json>(text, 'manifest', () => true, 'manifest');
  return isObject(value) ? value : {};
}

/** A fault in the whole manifest. JSON is YAML. */
export const readsManifest = (edit: (manifest: JsonObject, request: JsonObject) => JsonObject): AnswerFault =>
  plays((request) => {
    const manifest = manifestIn(request);
    return manifest === undefined ? {} : { manifest: JSON.stringify(edit(manifest, request)) };
  });

/** The feeds of a request's manifest. */
export function feedsIn(request: JsonObject): readonly JsonObject[] {
  const feeds = manifestIn(request)?.['context_feeds'];
  return isArray(feeds) ? feeds.filter((one): one is JsonObject => isObject(one)) : [];
}

/** The source of a feed; empty: it has none. */
export const sourceOf = ({ source }: JsonObject): JsonObject => (isObject(source) ? source : {});

/** The type of a feed; null: it has none. */
export const typeOf = ({ type = null }: JsonObject): Json => type;

/** The first value that the source of a feed gives. */
export function firstValueOf(feed: JsonObject, { feeds }: JsonObject): Json {
  const values = isObject(feeds) ? feeds[textIn(sourceOf(feed), 'name')] : undefined;
  return (isArray(values) ? values[0] : undefined) ?? null;
}

/** A fault in each feed of the manifest. Undefined: it does not know the feed. */
export const readsFeeds = (
  edit: (feed: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  readsManifest((manifest, request) => {
    const feeds = feedsIn(request).flatMap((feed) => edit(feed, request) ?? []);
    return manifest['context_feeds'] === undefined ? manifest : { ...manifest, context_feeds: feeds };
  });

/** A feed without one of its members. */
export function without(feed: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = feed;
  return others;
}

/** A fault in the policy of internal actions. */
export const readsPolicy = (edit: (policy: JsonObject) => JsonObject): AnswerFault =>
  readsManifest((manifest) => {
    const policy = manifest['internal_actions'];
    return { ...manifest, internal_actions: edit(isObject(policy) ? policy : {}) };
  });
