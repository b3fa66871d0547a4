/** Random runs with context feeds: a manifest, and outputs whose sync actions let time pass and change the feeds. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';

/** A feed of a plan. Times are in seconds. */
export interface PlannedFeed {
  readonly id: string;
  readonly source: string;
  /** Absent: it is on demand. */
  readonly interval?: number;
  readonly cacheTtl?: number;
  readonly enabled: boolean;
}

/** What an output does, one step after the other. */
export type FeedStep =
  | { readonly does: 'wait'; readonly for: number }
  | { readonly does: 'add'; readonly feed: PlannedFeed }
  | { readonly does: 'update'; readonly id: string; readonly change: Partial<Omit<PlannedFeed, 'id'>> }
  | { readonly does: 'remove' | 'get'; readonly id: string }
  | { readonly does: 'clear' | 'list' };

/** A run: its feeds, and the steps of each iteration. */
export interface FeedPlan {
  readonly feeds: readonly PlannedFeed[];
  readonly iterations: readonly (readonly FeedStep[])[];
  /** The ids that a response of an iteration names. */
  readonly named: readonly string[];
  /** By source: its values. The last one repeats. */
  readonly values: { readonly [source: string]: readonly [Json, ...Json[]] };
  readonly request: JsonObject;
}

const ids = ['load', 'news', 'tree', 'logs', 'memo'] as const;
const tenth = (random: Random, most: number): number => (1 + random.below(most)) / 10;

const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

const oneOf = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[random.below(values.length)] ?? values[0];

const samples: readonly [Json, ...Json[]] = [
  'idle',
  'a $load',
  '</context_feed>',
  7,
  null,
  [1, 'b'],
  { cpu: 45.2 },
];

/** Makes the plan of a seed. */
export function randomFeedPlan(random: Random): FeedPlan {
  const feeds = ids.filter(() => chance(random, 60)).map((id) => randomFeed(random, id));
  const iterations = Array.from({ length: 1 + random.below(3) }, () =>
    Array.from({ length: random.below(6) }, () => randomStep(random)).flatMap(withPause),
  );
  const values = Object.fromEntries(
    ids.flatMap((id) => ['a', 'b'].map((one) => [`${id}_${one}`, randomValues(random)] as const)),
  );
  return {
    feeds,
    iterations,
    named: ids,
    values,
    request: requestOf(feeds, iterations, values),
  };
}

const randomValues = (random: Random): readonly [Json, ...Json[]] => [
  oneOf(random, samples),
  ...Array.from({ length: random.below(4) }, () => oneOf(random, samples)),
];

const randomFeed = (random: Random, id: string): PlannedFeed => ({
  id,
  source: `${id}_${oneOf(random, ['a', 'b'])}`,
  ...(chance(random, 50) && { interval: tenth(random, 12) }),
  ...(chance(random, 40) && { cacheTtl: tenth(random, 12) }),
  enabled: chance(random, 85),
});

/** A step, and a short wait behind a change: the order of what happens at one moment is left open. */
const withPause = (step: FeedStep): readonly FeedStep[] =>
  step.does === 'wait' ? [step] : [step, { does: 'wait', for: 0.001 }];

function randomStep(random: Random): FeedStep {
  const id = oneOf(random, ids);
  switch (random.below(9)) {
    case 0:
    case 1:
      return { does: 'add', feed: randomFeed(random, id) };
    case 2:
      return { does: 'update', id, change: randomChange(random, id) };
    case 3:
      return { does: oneOf(random, ['remove', 'get']), id };
    case 4:
      return chance(random, 20) ? { does: 'clear' } : { does: 'list' };
    case 5:
      return { does: 'get', id };
    default:
      // Not a multiple of the times of feeds, and no sum of 36 is one: no fetch is due when a wait ends.
      return { does: 'wait', for: tenth(random, 15) + 0.001 };
  }
}

/** A change that fits a feed of any kind: an interval of one that is on demand means nothing. */
const randomChange = (random: Random, id: string): Partial<Omit<PlannedFeed, 'id'>> =>
  oneOf<Partial<Omit<PlannedFeed, 'id'>>>(random, [
    { interval: tenth(random, 12) },
    { cacheTtl: tenth(random, 12) },
    { enabled: chance(random, 50) },
    { source: `${id}_${oneOf(random, ['a', 'b'])}` },
  ]);

function requestOf(
  feeds: readonly PlannedFeed[],
  iterations: FeedPlan['iterations'],
  values: FeedPlan['values'],
): JsonObject {
  const providers: Record<string, Json> = {};
  const outputs = iterations.map((steps, n) => {
    const actions = steps.map((step, i) => {
      const id = `s${n}_${i}`;
      if (step.does === 'wait') providers[id] = [{ after: step.for, output: true }];
      return actionText(id, step);
    });
    const isLast = n === iterations.length - 1;
    return [`${actions.join('\n')}<response final="${String(isLast)}">${responseText}</response>`];
  });
  const manifest = JSON.stringify({ context_feeds: feeds.map(written) });
  return { iterations: outputs, providers, manifest, feeds: { ...values } };
}

/** The text of each response: `load=…;news=…;`. */
const responseText: string = ids.map((id) => `${id}=$${id};`).join('');

/** A feed as a manifest has it. */
const written = ({ id, source, interval, cacheTtl, enabled }: PlannedFeed): JsonObject => ({
  id,
  type: interval === undefined ? 'on_demand' : 'periodic',
  ...(interval !== undefined && { interval }),
  source: { type: 'tool', name: source },
  ...(cacheTtl !== undefined && { cache_ttl: cacheTtl }),
  enabled,
});

function actionText(id: string, step: FeedStep): string {
  const [type, name, parameters] = callOf(id, step);
  return `<action type="${type}" mode="sync" id="${id}">${JSON.stringify({ name, parameters })}</action>`;
}

function callOf(id: string, step: FeedStep): readonly [type: string, name: string, parameters: JsonObject] {
  switch (step.does) {
    case 'wait':
      return ['tool', id, {}];
    case 'add':
      return ['internal', 'add_context_feed', written(step.feed)];
    case 'update': {
      const { interval, cacheTtl, enabled, source } = step.change;
      return [
        'internal',
        'update_context_feed',
        {
          id: step.id,
          ...(interval !== undefined && { interval }),
          ...(cacheTtl !== undefined && { cache_ttl: cacheTtl }),
          ...(enabled !== undefined && { enabled }),
          ...(source !== undefined && { source: { name: source } }),
        },
      ];
    }
    case 'remove':
      return ['internal', 'remove_context_feed', { id: step.id }];
    case 'get':
      return ['internal', 'get_context_feed', { id: step.id }];
    case 'clear':
      return ['internal', 'clear_context_feeds', {}];
    case 'list':
      return ['internal', 'list_context_feeds', {}];
  }
}
