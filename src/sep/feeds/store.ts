/** The feeds of a run: which must be fetched when, and their values. Time is an argument, and nothing is fetched here. */
import { clip, exactText, ok, refuse, WireproofError } from '../../kit/base/index.ts';
import type { Json, Result } from '../../kit/base/index.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { dueAt, freshEntry, isCached, isDue } from './entry.ts';
import type { FeedEntry, FeedFetch } from './entry.ts';
import type { FeedOutcome, FeedSpec } from './feed.ts';
import { injectionOf } from './injection.ts';
import { estimatedTokens, feedLimitsOf, textWithin } from './limits.ts';
import type { FeedLimits, TokenCounter } from './limits.ts';
import { transformed } from './transform.ts';

/** Options of a store. */
export interface FeedStoreOptions extends FeedLimits {
  /** The feeds of the manifest, in their order. */
  readonly feeds?: readonly FeedSpec[];
  /** Counts tokens for `max_tokens`. Default: {@link estimatedTokens}. */
  readonly countTokens?: TokenCounter;
  /** Whether the extension `transformations` is on. Default: no; a feed with `transform` fails then. */
  readonly transformations?: boolean;
}

/** What an outcome means. */
export interface FeedSettlement {
  readonly id: string;
  /** The text of the value, if the fetch succeeded. */
  readonly text?: string;
  /** Whether this value was stale already when it came. */
  readonly isOld?: boolean;
  /** What to report, if it failed. */
  readonly diagnostic?: string;
}

/** The most characters of an error that is kept. */
const mostError = 1000;

/**
 * The feeds of a run. Ask what is {@link due}, {@link begin} each fetch, and {@link settle} it. Times are seconds of any
 * clock that does not go back. Fetches have no time limit here: settle a slow one with an error.
 *
 * @example
 * const store = new FeedStore({
 *   feeds: [{ id: 'load', trigger: 'periodic', interval: 30, enabled: true, source: { type: 'tool', name: 'top', params: {} } }],
 * });
 * store.due(0).map(({ id }) => id); // ['load']
 * const fetch = store.begin('load', 0);
 * if (fetch !== undefined) store.settle(fetch, { value: { cpu: 45 } }, 1);
 * store.injection(); // '<context_feed id="load">\n{&quot;cpu&quot;:45}\n</context_feed>'
 * store.nextDue(1); // 30
 */
export class FeedStore {
  /** The feeds by id, in their order. */
  readonly #entries = new Map<string, FeedEntry>();
  readonly #limits: Required<FeedLimits>;
  readonly #countTokens: TokenCounter;
  readonly #transforms: boolean;
  /** The number of the last fetch. */
  #fetches = 0;

  /** @throws WireproofError 'usage' for more feeds than the limit, or two with the same id */
  constructor(options: FeedStoreOptions = {}) {
    const { feeds = [], countTokens = estimatedTokens, transformations = false, ...limits } = options;
    this.#limits = feedLimitsOf(limits);
    this.#countTokens = countTokens;
    this.#transforms = transformations;
    for (const spec of feeds) {
      const refused = this.add(spec);
      if (refused !== undefined) throw new WireproofError('usage', `feeds: ${refused}`);
    }
  }

  /** The feeds in their order. */
  get specs(): readonly FeedSpec[] {
    return [...this.#entries.values()].map(({ spec }) => spec);
  }

  /** What is known of a feed; undefined: there is none with this id. */
  entry(id: string): FeedEntry | undefined {
    return this.#entries.get(id);
  }

  /** Adds a feed behind the others. @returns why it is refused (SEP-72) */
  add(spec: FeedSpec): string | undefined {
    const { mostFeeds } = this.#limits;
    if (this.#entries.has(spec.id)) return `expected an id that no feed has; ${spec.id} is there already`;
    if (this.#entries.size >= mostFeeds) return `expected at most ${mostFeeds} feeds; one more came`;
    this.#entries.set(spec.id, freshEntry(spec));
    return undefined;
  }

  /** Removes a feed. A fetch under way counts no more. @returns why it is refused (SEP-72) */
  remove(id: string): string | undefined {
    return this.#entries.delete(id) ? undefined : unknownFeed(id);
  }

  /** Removes all feeds. @returns how many there were */
  clear(): number {
    const { size } = this.#entries;
    this.#entries.clear();
    return size;
  }

  /**
   * Changes a feed, which keeps its place. With the same source and transform it keeps its value, and is due by its new
   * times (SEP-73). With others it begins anew: the value before its transform is not kept. @returns why it is refused (SEP-72)
   */
  update(spec: FeedSpec): string | undefined {
    const entry = this.#entries.get(spec.id);
    if (entry === undefined) return unknownFeed(spec.id);
    const isSame = originOf(entry.spec) === originOf(spec);
    this.#entries.set(spec.id, isSame ? this.#cut({ ...entry, spec }) : freshEntry(spec));
    return undefined;
  }

  /**
   * The feeds that must be fetched for an iteration that begins now, or because a timer is due. Feeds under way are not
   * among them.
   */
  due(now: number): readonly FeedSpec[] {
    const { leastInterval } = this.#limits;
    return [...this.#entries.values()]
      .filter((entry) => isDue(entry, now, leastInterval))
      .map(({ spec }) => spec);
  }

  /** The periodic feeds of {@link due}: those that a timer fetches. */
  duePeriodic(now: number): readonly FeedSpec[] {
    return this.due(now).filter(({ trigger }) => trigger === 'periodic');
  }

  /** When a periodic feed is due next, not before now; undefined: none is, until a fetch has ended or a feed changes. */
  nextDue(now: number): number | undefined {
    const { leastInterval } = this.#limits;
    let next = Infinity;
    for (const entry of this.#entries.values())
      if (entry.spec.trigger === 'periodic' && entry.spec.enabled && entry.underWay === undefined)
        next = Math.min(next, dueAt(entry, leastInterval));
    return next === Infinity ? undefined : Math.max(now, next);
  }

  /** Whether the value of a feed is younger than its cache_ttl (SEP-63). */
  isCached(id: string, now: number): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && isCached(entry, now);
  }

  /** Begins a fetch of a feed, due or not. @returns undefined if one is under way, or no enabled feed has this id */
  begin(id: string, now: number): FeedFetch | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.underWay !== undefined || !entry.spec.enabled) return undefined;
    const fetch = { id, number: ++this.#fetches, source: entry.spec.source };
    this.#entries.set(id, { ...entry, begunAt: now, underWay: fetch });
    return fetch;
  }

  /** The fetches under way, in the order of their feeds. */
  get underWay(): readonly FeedFetch[] {
    return [...this.#entries.values()].flatMap(({ underWay }) => underWay ?? []);
  }

  /**
   * Takes the outcome of a fetch. A failure leaves the old value, which is stale from then on.
   *
   * @returns what it means; undefined: the feed was removed or changed since, and the outcome counts no more
   */
  settle(
    { id, number }: Pick<FeedFetch, 'id' | 'number'>,
    outcome: FeedOutcome,
    now: number,
  ): FeedSettlement | undefined {
    const entry = this.#entries.get(id);
    if (entry?.underWay?.number !== number) return undefined;
    const result = this.#resultOf(entry.spec, outcome);
    if (!result.ok) {
      this.#entries.set(id, { ...entry, underWay: undefined, error: result.error });
      const old = entry.shown === undefined ? 'it has no value' : 'its old value stays, and is stale';
      return { id, diagnostic: `expected a value of the feed ${id}; it failed: ${result.error}; ${old}` };
    }
    const { value } = result;
    const isOld = 'stale' in outcome && (outcome.stale ?? false);
    const { text, isCut } = textWithin(value, entry.spec.maxTokens, this.#countTokens);
    const shown = { value: isCut ? text : value, text, isCut, isOld, at: now };
    this.#entries.set(id, { ...entry, underWay: undefined, error: undefined, shown });
    return { id, text, ...(isOld && { isOld }) };
  }

  /** Why a fetch of a feed is for nothing; undefined: it is not. Settle it with this error. */
  refusalOf({ transform }: FeedSpec): string | undefined {
    return transform === undefined || this.#transforms
      ? undefined
      : 'it has transform, and transformations are off';
  }

  /** The value of an outcome behind the transform of its feed. */
  #resultOf(spec: FeedSpec, outcome: FeedOutcome): Result<Json, string> {
    if ('error' in outcome) return refuse(clip(outcome.error, mostError));
    const { mostFeedValue: most } = this.#limits;
    const extent = extentOf(outcome.value, most, new WeakMap());
    const refused = refusalOf(extent, `the value of ${spec.id}`, most) ?? this.refusalOf(spec);
    if (refused !== undefined) return refuse(refused);
    return spec.transform === undefined
      ? ok(outcome.value)
      : transformed(spec.transform, outcome.value, most);
  }

  /** Cuts the value of a feed whose max_tokens has become smaller. A value that was cut stays as short as it is. */
  #cut(entry: FeedEntry): FeedEntry {
    const { shown, spec } = entry;
    if (shown === undefined) return entry;
    const { text, isCut } = textWithin(shown.value, spec.maxTokens, this.#countTokens);
    if (!isCut) return entry;
    return { ...entry, shown: { ...shown, value: text, text, isCut } };
  }

  /** The value that `$id` stands for (SEP-67); undefined: the feed has none, or is not enabled. */
  valueOf(id: string): Json | undefined {
    const entry = this.#entries.get(id);
    return entry?.spec.enabled === true ? entry.shown?.value : undefined;
  }

  /** The blocks of all feeds with a value, for the begin of a prompt (SEP-68). Empty without one. */
  injection(): string {
    return injectionOf(this.#entries.values(), this.#limits.mostInjected);
  }
}

/** What the value of a feed is made of. */
const originOf = ({ source, transform }: FeedSpec): string => exactText([source, transform]);

const unknownFeed = (id: string): string => `expected the id of a feed; there is none with the id ${id}`;
