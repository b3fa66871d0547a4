/** The storm of runs with feeds: each fetch, each outcome and each response must be the one of the model. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { shown } from '../../../../src/kit/testee/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import { byId, textIn } from '../events.ts';
import type { RunEvents } from '../events.ts';
import { numberIn } from '../model/known-action.ts';
import { wantedRun } from './feeds-model.ts';
import type { WantedFetch } from './feeds-model.ts';
import { randomFeedPlan } from './feeds-plan.ts';

/** Plays the run with feeds of a seed. @returns its events, and what is wrong with them */
export function feedStorm(
  seed: number,
  eventsOf: (request: JsonObject) => RunEvents,
): { readonly events: RunEvents; readonly faults: readonly string[] } {
  const plan = randomFeedPlan(seededRandom(`${seed} sep feeds`));
  const wanted = wantedRun(plan);
  const events = eventsOf(plan.request);
  const faults = [
    ...fetchFaults(wanted.fetches, events),
    ...outcomeFaults(wanted.outcomes, events),
    ...responseFaults(wanted.responses, events),
  ];
  return { events, faults };
}

/** The fetches of each feed in their order. Which of two feeds is first at the same time is left open. */
function fetchFaults(wanted: readonly WantedFetch[], events: RunEvents): readonly string[] {
  const came = events.filter((event) => event['type'] === 'context_feed' && event['runtime'] === true);
  const ids = new Set([...wanted.map(({ id }) => id), ...came.map((event) => textIn(event, 'id'))]);
  return [...ids].flatMap((id) => {
    const right = wanted.filter((fetch) => fetch.id === id);
    const seen = came.filter((event) => textIn(event, 'id') === id);
    const fault = Array.from({ length: Math.max(right.length, seen.length) }, (_, n) => n).find(
      (n) => !isFetch(right[n], seen[n]),
    );
    return fault === undefined
      ? []
      : [
          `expected fetch ${fault} of ${id} to be ${wordsOf(right[fault])}; came ${wordsOf(timed(seen[fault]))}`,
        ];
  });
}

const timed = (event: JsonObject | undefined): Pick<WantedFetch, 'at' | 'text'> | undefined =>
  event && { at: numberIn(event, 'at') ?? NaN, text: textIn(event, 'text') };

function isFetch(wanted: WantedFetch | undefined, event: JsonObject | undefined): boolean {
  const came = timed(event);
  return (
    wanted !== undefined &&
    came !== undefined &&
    wanted.text === came.text &&
    Math.abs(wanted.at - came.at) < 1e-4
  );
}

const wordsOf = (fetch: Pick<WantedFetch, 'at' | 'text'> | undefined): string =>
  fetch === undefined ? 'none' : `${JSON.stringify(fetch.text)} at ${fetch.at} s`;

function outcomeFaults(
  wanted: ReadonlyMap<string, { readonly output: Json } | 'failed'>,
  events: RunEvents,
): readonly string[] {
  const completed = byId(events, 'completed');
  const failed = byId(events, 'failed');
  return [...wanted].flatMap(([id, right]) => {
    if (right === 'failed') return failed.has(id) ? [] : [`expected ${id} to fail; it did not`];
    const output = idsOf(completed.get(id)?.['output']);
    return JSON.stringify(output) === JSON.stringify(right.output)
      ? []
      : [`expected the output of ${id} to be ${shown(right.output)}; came ${shown(output)}`];
  });
}

/** A list of feeds as the list of their ids; another value as it is. */
const idsOf = (output: Json | undefined): Json | undefined =>
  isArray(output) && output.every((one) => isObject(one) && typeof one['id'] === 'string')
    ? output.map((one) => (isObject(one) ? (one['id'] ?? null) : null))
    : output;

function responseFaults(wanted: readonly string[], events: RunEvents): readonly string[] {
  const came = events
    .filter(({ type }) => type === 'response')
    .map((event) => textIn(event, 'text'))
    .join('');
  const right = wanted.join('');
  return right === came
    ? []
    : [`expected the responses ${JSON.stringify(right)}; came ${JSON.stringify(came)}`];
}
