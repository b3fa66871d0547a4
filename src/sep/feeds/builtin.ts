/** The internal sources: system_clock, random, env, debug_context and files. What they read of the world is an argument. */
import { isArray } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { clockValue } from './clock.ts';
import type { FeedOutcome, FeedSource } from './feed.ts';

/** What internal sources read. `Files`: the outcome of its reader of files, at once or later. */
export interface InternalWorld<Files = FeedOutcome> {
  /** The wall clock, in milliseconds since 1970. */
  readonly now: number;
  readonly random: Pick<Random, 'next' | 'below'>;
  /** The variables of the environment. */
  readonly env: { readonly [name: string]: string | undefined };
  /** The variables that an `env` source may show: `grants.envNames` of the manifest. */
  readonly envNames: readonly string[];
  /** What is known of the run, for `debug_context`. */
  readonly facts: JsonObject;
  /** Reads files. Absent: there is no source `files`. */
  readonly files?: (params: JsonObject) => Files;
}

type InternalSource = (params: JsonObject, world: Omit<InternalWorld, 'files'>) => FeedOutcome;

const sources: { readonly [action: string]: InternalSource } = {
  system_clock: (params, { now }) => clockValue(params, now),
  random: randomValue,
  env: envValue,
  debug_context: (_, { facts }) => ({ value: facts }),
};

/** The actions of internal sources ("clock, random, env vars"). */
export const internalSources: readonly string[] = [...Object.keys(sources), 'files'];

/**
 * The value of an internal source at a moment.
 *
 * @example
 * const world = { now: 1718454896000, random: { next: () => 0.5, below: (n: number) => n - 1 }, env: {}, envNames: [], facts: {} };
 * internalValue({ type: 'internal', name: 'system_clock', params: { format: 'date' } }, world); // { value: '2024-06-15' }
 * internalValue({ type: 'internal', name: 'random', params: { min: 1, max: 6 } }, world); // { value: 6 }
 */
export function internalValue<Files = FeedOutcome>(
  { name, params }: FeedSource,
  world: InternalWorld<Files>,
): FeedOutcome | Files {
  if (name === 'files') return world.files?.(params) ?? { error: 'there is no reader of files in this run' };
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source !== undefined) return source(params, world);
  return {
    error: `expected one of ${internalSources.join(', ')}; there is no internal source ${JSON.stringify(name)}`,
  };
}

/**
 * `random {min, max}`: of two integers, an integer from min to max; or else a number from min on, and less than max. Without
 * them, a number in [0, 1).
 */
function randomValue({ min, max }: JsonObject, { random }: Pick<InternalWorld, 'random'>): FeedOutcome {
  const [low, high] = [min ?? 0, max ?? 1];
  if (!isBound(low) || !isBound(high) || low > high)
    return {
      error: `expected numbers min and max, with min no more than max; came ${shortly(min)} and ${shortly(max)}`,
    };
  const isWhole = min !== undefined && max !== undefined && Number.isInteger(low) && Number.isInteger(high);
  return { value: isWhole ? low + random.below(high - low + 1) : low + random.next() * (high - low) };
}

const isBound = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER / 2;

const shortly = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** `env {names}`: the values of these variables. One that is not set is left out; one that is not granted fails all. */
function envValue(
  { names }: JsonObject,
  { env, envNames }: Pick<InternalWorld, 'env' | 'envNames'>,
): FeedOutcome {
  if (!isArray(names) || names.some((name) => typeof name !== 'string'))
    return { error: `expected the names of variables in a list; came ${shortly(names)}` };
  const wanted = names.map(String);
  const granted = new Set(envNames);
  const denied = wanted.find((name) => !granted.has(name));
  if (denied !== undefined)
    return { error: `expected variables that an env feed of the manifest names; came ${shortly(denied)}` };
  return {
    value: Object.fromEntries(
      wanted.flatMap((name) => {
        const value = Object.hasOwn(env, name) ? env[name] : undefined;
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
