/** What a manifest allows feeds to reach: a model that adds a feed by an action reaches nothing else. */
import { isArray } from '../../kit/base/index.ts';
import type { FeedSpec } from './feed.ts';

/** What the feeds of a manifest name, whether they are enabled or not. */
export interface Grants {
  /** The variables in the `names` of its `env` sources. */
  readonly envNames: readonly string[];
  /** The folders in the `root` of its `files` sources. */
  readonly roots: readonly string[];
  /** The URLs of its remote sources. */
  readonly urls: readonly string[];
}

/** The grants of a run without a manifest. */
export const noGrants: Grants = { envNames: [], roots: [], urls: [] };

/** The grants of the feeds of a manifest. */
export function grantsOf(feeds: readonly FeedSpec[]): Grants {
  const sources = feeds.map(({ source }) => source);
  const internal = (name: string) =>
    sources
      .filter((source) => source.type === 'internal' && source.name === name)
      .map(({ params }) => params);
  const names = internal('env').flatMap(({ names }) => (isArray(names) ? names : []));
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    envNames: [...new Set(names.filter(isText))],
    roots: [
      ...new Set(
        internal('files')
          .map(({ root }) => root)
          .filter(isText),
      ),
    ],
    urls: [...new Set(sources.flatMap(({ url }) => url ?? []))],
  };
}
