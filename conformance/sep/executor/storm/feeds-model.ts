/**
 * What must become of a run with feeds, without an executor: each fetch and its time, the outcome of each step, and the text
 * of each response. From spec/sep/README.md, "Context feeds" and "Internal actions". Fetches take no time.
 */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { FeedPlan, FeedStep, PlannedFeed } from './feeds-plan.ts';

/** A fetch that must happen. */
export interface WantedFetch {
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

/** What must happen. */
export interface WantedRun {
  readonly fetches: readonly WantedFetch[];
  /** By the id of an action: the output, or that it fails. */
  readonly outcomes: ReadonlyMap<string, { readonly output: Json } | 'failed'>;
  /** One for each iteration. */
  readonly responses: readonly string[];
}

interface FeedState {
  readonly feed: PlannedFeed;
  /** The value and the time of the last fetch; undefined: there was none. */
  readonly shown: { readonly value: Json; readonly at: number } | undefined;
}

/** Times that are closer are the same (s). */
const instant = 1e-6;

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What the plan means. */
export function wantedRun({ feeds, iterations, named, values }: FeedPlan): WantedRun {
  const model = new FeedModel(values, feeds);
  const responses: string[] = [];
  for (const [n, steps] of iterations.entries()) {
    model.beginIteration();
    for (const [i, step] of steps.entries()) model.take(`s${n}_${i}`, step);
    responses.push(named.map((id) => `${id}=${model.textFor(id)};`).join(''));
  }
  return { fetches: model.fetches, outcomes: model.outcomes, responses };
}

class FeedModel {
  readonly fetches: WantedFetch[] = [];
  readonly outcomes = new Map<string, { readonly output: Json } | 'failed'>();
  readonly #values: FeedPlan['values'];
  readonly #feeds = new Map<string, FeedState>();
  /** How often each source was asked. */
  readonly #asked = new Map<string, number>();
  #now = 0;

  constructor(values: FeedPlan['values'], feeds: readonly PlannedFeed[]) {
    this.#values = values;
    for (const feed of feeds) this.#feeds.set(feed.id, { feed, shown: undefined });
  }

  /** The output waits for what is due, but for a periodic feed with an old value: that one is fetched beside it. */
  beginIteration(): void {
    for (const state of this.#feeds.values()) {
      const isAwaited = state.feed.interval === undefined || state.shown === undefined;
      if (isAwaited && this.#dueAt(state) <= this.#now + instant) this.#fetch(state);
    }
  }

  /** The value of a feed as it stands in a response; the reference, if there is none. */
  textFor(id: string): string {
    const { feed, shown } = this.#feeds.get(id) ?? {};
    return feed?.enabled === true && shown !== undefined ? textOf(shown.value) : `$${id}`;
  }

  take(action: string, step: FeedStep): void {
    if (step.does === 'wait') this.#wait(step.for);
    this.outcomes.set(action, step.does === 'wait' ? { output: true } : this.#change(step));
  }

  /** When a feed is due: its interval and its cache have run out (SEP-62, SEP-63). */
  #dueAt({ feed, shown }: FeedState): number {
    if (!feed.enabled) return Infinity;
    if (shown === undefined) return -Infinity;
    const cached = shown.at + (feed.cacheTtl ?? 0);
    return Math.max(cached, feed.interval === undefined ? -Infinity : shown.at + feed.interval);
  }

  #fetch({ feed }: FeedState): Json {
    const before = this.#asked.get(feed.source) ?? 0;
    this.#asked.set(feed.source, before + 1);
    const own = this.#values[feed.source] ?? [null];
    const value = own[Math.min(before, own.length - 1)] ?? null;
    this.#feeds.set(feed.id, { feed, shown: { value, at: this.#now } });
    this.fetches.push({ id: feed.id, at: this.#now, text: textOf(value) });
    return value;
  }

  /** Fetches the periodic feeds that are due now. */
  #fetchPeriodic(): void {
    for (const state of this.#feeds.values())
      if (state.feed.interval !== undefined && this.#dueAt(state) <= this.#now + instant) this.#fetch(state);
  }

  /** Lets time pass. A feed that an action has added or changed is fetched when time passes: others may follow at once. */
  #wait(seconds: number): void {
    const end = this.#now + seconds;
    for (;;) {
      const periodic = [...this.#feeds.values()].filter(({ feed }) => feed.interval !== undefined);
      const next = Math.min(...periodic.map((state) => this.#dueAt(state)));
      if (next > end) break;
      this.#now = Math.max(this.#now, next);
      this.#fetchPeriodic();
    }
    this.#now = end;
  }

  #change(step: Exclude<FeedStep, { does: 'wait' }>): { readonly output: Json } | 'failed' {
    switch (step.does) {
      case 'add': {
        const { id } = step.feed;
        if (this.#feeds.has(id)) return 'failed';
        this.#feeds.set(id, { feed: step.feed, shown: undefined });
        return { output: { added: id } };
      }
      case 'remove':
        return this.#feeds.delete(step.id) ? { output: { removed: step.id } } : 'failed';
      case 'clear': {
        const { size } = this.#feeds;
        this.#feeds.clear();
        return { output: { removed: size } };
      }
      case 'list':
        return { output: [...this.#feeds.keys()] };
      case 'get':
        return this.#get(step.id);
      case 'update':
        return this.#update(step.id, step.change);
    }
  }

  /** Fetches a feed now, unless its value is younger than its cache_ttl. */
  #get(id: string): { readonly output: Json } | 'failed' {
    const state = this.#feeds.get(id);
    if (state?.feed.enabled !== true) return 'failed';
    const { feed, shown } = state;
    const isCached =
      shown !== undefined && feed.cacheTtl !== undefined && this.#now + instant < shown.at + feed.cacheTtl;
    return { output: isCached ? shown.value : this.#fetch(state) };
  }

  /** With the same source a feed keeps its value; with another one it begins anew (SEP-73). */
  #update(id: string, change: Partial<Omit<PlannedFeed, 'id'>>): { readonly output: Json } | 'failed' {
    const state = this.#feeds.get(id);
    if (state === undefined) return 'failed';
    const { interval, ...other } = change;
    const feed = {
      ...state.feed,
      ...other,
      ...(state.feed.interval !== undefined && interval !== undefined && { interval }),
    };
    const isSame = feed.source === state.feed.source;
    this.#feeds.set(id, { feed, shown: isSame ? state.shown : undefined });
    return { output: { updated: id } };
  }
}
