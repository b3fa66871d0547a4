/** The feeds of a manifest as a feed server gives them: reused by their times, and fetched anew for parameters of a client. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { FeedStore } from '../../../src/sep/index.ts';
import type {
  ExtensionSwitches,
  FeedOutcome,
  FeedSpec,
  FetchMoment,
  LiveSources,
} from '../../../src/sep/index.ts';
import type { ServedFeed, ServedFeeds, ServedOutcome } from '../../../src/sep/edge/index.ts';

/** How feeds are served. */
export interface ServedOptions {
  /** The clock of the feeds (s). Default: a real one. */
  readonly now?: () => number;
  /** Those that mean something here are `transformations` and `distributed_feeds`. */
  readonly extensions?: ExtensionSwitches;
}

/**
 * The feeds of a manifest as a server gives them. A value is used again as its `cache_ttl` says, and a periodic one in its
 * interval; with parameters of the client, a value is fetched anew.
 */
export function served(
  feeds: readonly FeedSpec[],
  sources: LiveSources,
  options: ServedOptions = {},
): ServedFeeds {
  const all = new ServedManifest(feeds, sources, options);
  return {
    list: () => all.list(),
    fetch: (id, params, signal) => {
      const spec = feeds.find((one) => one.id === id && one.enabled);
      if (spec === undefined) return Promise.resolve({ error: `there is no feed ${id}` });
      return Object.keys(params).length === 0 ? all.valueOf(spec) : all.valueFor(spec, params, signal);
    },
  };
}

const seconds = (): number => performance.now() / 1000;

class ServedManifest {
  readonly #store: FeedStore;
  readonly #sources: LiveSources;
  /** The seconds since the server began. */
  readonly #at: () => number;
  readonly #extensions: ExtensionSwitches;
  /** The fetches under way, by the id of the feed. Clients share them. */
  readonly #fetches = new Map<string, Promise<void>>();

  constructor(
    feeds: readonly FeedSpec[],
    sources: LiveSources,
    { now = seconds, extensions = {} }: ServedOptions,
  ) {
    this.#extensions = extensions;
    this.#store = this.#storeOf(feeds);
    this.#sources = sources;
    const began = now();
    this.#at = () => now() - began;
  }

  /** The enabled feeds, with whether their last fetch failed. */
  list(): readonly ServedFeed[] {
    return this.#store.specs
      .filter(({ enabled }) => enabled)
      .map((spec) => ({ ...spec, stale: this.#store.entry(spec.id)?.error !== undefined }));
  }

  /** The value of a feed: an old one, as long as it is not due. */
  async valueOf(spec: FeedSpec): Promise<ServedOutcome> {
    const at = this.#at();
    if (this.#store.due(at).some(({ id }) => id === spec.id)) {
      const ended = fetchInto(this.#store, spec, this.#at, () => this.#outcome(spec, { at }));
      this.#fetches.set(spec.id, ended);
    }
    await this.#fetches.get(spec.id);
    return shownIn(this.#store, spec, this.#at());
  }

  /**
   * The value for parameters of a client, which come before those of the manifest. No other client gets it, so the signal
   * of this one ends the fetch.
   */
  async valueFor(spec: FeedSpec, params: JsonObject, signal: AbortSignal): Promise<ServedOutcome> {
    const { source } = spec;
    const asked = { ...spec, source: { ...source, params: { ...source.params, ...params } } };
    const store = this.#storeOf([asked]);
    const at = this.#at();
    await fetchInto(store, asked, this.#at, () => this.#outcome(asked, { at, signal }));
    return shownIn(store, asked, this.#at());
  }

  #storeOf(feeds: readonly FeedSpec[]): FeedStore {
    return new FeedStore({ feeds, transformations: this.#extensions.transformations === true });
  }

  async #outcome(spec: FeedSpec, moment: FetchMoment): Promise<FeedOutcome> {
    if (spec.source.type === 'remote' && this.#extensions.distributed_feeds !== true)
      return { error: 'its source is remote, and distributed_feeds are off' };
    const { after: _, ...outcome } = { after: 0, ...(await this.#sources(spec.source, moment)) };
    return outcome;
  }
}

/** Fetches a feed of a store. */
async function fetchInto(
  store: FeedStore,
  spec: FeedSpec,
  now: () => number,
  outcomeOf: () => Promise<FeedOutcome>,
): Promise<void> {
  const fetch = store.begin(spec.id, now());
  if (fetch === undefined) return;
  const refused = store.refusalOf(spec);
  try {
    const outcome = refused === undefined ? await outcomeOf() : { error: refused };
    store.settle(fetch, outcome, now());
  } catch {
    // The words of an exception may show secrets of this machine.
    store.settle(fetch, { error: `the source of the feed ${spec.id} failed` }, now());
  }
}

/** The value that a store has, and its age. */
function shownIn(store: FeedStore, { id }: FeedSpec, now: number): ServedOutcome {
  const { shown, error } = store.entry(id) ?? {};
  if (shown === undefined) return { error: error ?? 'the feed has no value' };
  const isStale = error !== undefined || shown.isOld;
  const at = Date.now() - Math.round((now - shown.at) * 1000);
  return { value: shown.value, at, ...(isStale && { stale: true }) };
}
