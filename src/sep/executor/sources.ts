/** What gives feeds their values: at once, with the time of the outcome, or later. */
import type { Json } from '../../kit/base/index.ts';
import { internalValue } from '../feeds/builtin.ts';
import type { InternalWorld } from '../feeds/builtin.ts';
import type { FeedOutcome, FeedSource } from '../feeds/feed.ts';

/** The outcome of a fetch. `after`: the seconds from its begin; absent: 0. */
export type FetchAnswer = FeedOutcome & { readonly after?: number };

/** When a source is asked. */
export interface FetchMoment {
  /** The seconds since the run began. */
  readonly at: number;
  /** Aborted when the time of the fetch is over, or the run ends. */
  readonly signal?: AbortSignal;
}

/** Answers a fetch of a source, with the values of the references in its parameters. */
export type Sources<Answer = FetchAnswer> = (source: FeedSource, moment: FetchMoment) => Answer;

/** Sources that may answer later. A rejection is a failed fetch. */
export type LiveSources = Sources<FetchAnswer | Promise<FeedOutcome>>;

/** No source has a value. */
export const noSource: Sources = ({ type, name }) => ({
  error: `there is no source ${name} of the type ${type}`,
});

/** The reason why a fetch of a feed fails that takes too long (s). */
export const lateFeed = (timeout: number): string => `timed out after ${timeout} s`;

/** Values by the name of sources: one for each fetch. The last one repeats. */
export type ScriptedValues = { readonly [name: string]: readonly Json[] };

/** Errors by the name of sources: the reasons why fetches fail, by their number from 1. */
export type ScriptedErrors = { readonly [name: string]: { readonly [number: string]: string } };

/** What a script says of sources. */
export interface ScriptedFeeds {
  readonly values?: ScriptedValues;
  /** A fetch that fails uses no value. Default: none fails. */
  readonly errors?: ScriptedErrors;
}

/**
 * Sources that have values by their names, as a script says. Internal sources that are in no script have the value of the
 * built-in function, in this world.
 *
 * @example
 * const sources = scriptedSources({ values: { cpu: [1, 2] }, errors: { cpu: { 2: 'no answer' } } });
 * const source = { type: 'tool', name: 'cpu', params: {} } as const;
 * [0, 1, 2].map((at) => sources(source, { at })); // [{ value: 1 }, { error: 'no answer' }, { value: 2 }]
 */
export function scriptedSources(
  { values = {}, errors = {} }: ScriptedFeeds,
  world?: Omit<InternalWorld, 'facts'>,
): Sources {
  const fetches = new Map<string, number>();
  const used = new Map<string, number>();
  return (source, { at }) => {
    const { type, name } = source;
    const number = (fetches.get(name) ?? 0) + 1;
    fetches.set(name, number);
    const error = own(own(errors, name) ?? {}, `${number}`);
    if (error !== undefined) return { error };
    const before = used.get(name) ?? 0;
    used.set(name, before + 1);
    const mine = own(values, name) ?? [];
    const value = mine[Math.min(before, mine.length - 1)];
    if (value !== undefined) return { value };
    if (type !== 'internal' || world === undefined) return noSource(source, { at });
    return internalValue(source, { ...world, now: world.now + at * 1000, facts: { seconds: at } });
  };
}

/** A member of an object, and nothing that it inherits. */
const own = <T>(object: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
