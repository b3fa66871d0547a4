/** Requests at once: the answers of a script that names each of them, and the steps that send, leave and await them. */
import type { Json, JsonObject, ScenarioStep } from '../../../src/kit/base/index.ts';

/** A crowd of requests, as a table has it. */
export interface Crowd {
  /** The number of requests in each form. */
  readonly count: number;
  /** How many of them fail, and the words of their answers. */
  readonly fail?: { readonly count: number; readonly steps: readonly JsonObject[] };
  /** From how many of them the client leaves, and the words of their answers. */
  readonly leave?: { readonly count: number; readonly steps: readonly JsonObject[] };
}

/** A request of a crowd: its word in the prompt, and the end of that word. */
export interface CrowdAsk {
  readonly word: string;
  readonly letter: string;
  readonly send: ScenarioStep;
}

/** The barrier at which the answers wait for each other. */
const barrier = 'together';

/** Those that leave come last: the prober leaves the latest request first. */
function stepsOf({ fail, leave }: Crowd, steps: readonly Json[], i: number, all: number): readonly Json[] {
  if (leave !== undefined && i >= all - leave.count) return leave.steps;
  return fail !== undefined && i % 2 === 1 && i < 2 * fail.count ? fail.steps : steps;
}

/** The script's turns: one for each request. `{answer}` in its words becomes the request's own word. */
export const turnsOfCrowd = (
  crowd: Crowd,
  steps: readonly Json[],
  more: JsonObject,
  asks: readonly CrowdAsk[],
): readonly JsonObject[] =>
  asks.map(({ word, letter }, i) => ({
    ...more,
    times: 'always',
    match: { contains: word },
    steps: withWord(stepsOf(crowd, steps, i, asks.length), `[answer ${letter}]`),
  }));

function withWord(value: Json, word: string): Json {
  if (typeof value === 'string') return value.replaceAll('{answer}', word);
  if (Array.isArray(value)) return value.map((one: Json) => withWord(one, word));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withWord(one, word)]));
}

/**
 * The steps of a crowd. All requests are sent before any answer goes on. A gateway that asks the provider for fewer at once is
 * lawful: the wait for all of them has an end.
 */
export function stepsOfCrowd({ leave }: Crowd, asks: readonly CrowdAsk[]): readonly ScenarioStep[] {
  const leaving = leave?.count ?? 0;
  const answered: ScenarioStep = {
    await: {
      from: 'target',
      to: 'client',
      kind: ['end', 'reset'],
      times: asks.length - leaving,
      within: '$timeouts.step',
    },
  };
  const arrived: ScenarioStep = {
    await: {
      from: 'kit',
      kind: 'mark',
      match: { told: 'request' },
      times: asks.length,
      within: '$timeouts.barrier',
      optional: true,
    },
  };
  const leaves: ScenarioStep = { send: { from: 'client', message: { cancel: true } } };
  return [
    ...asks.map(({ send }) => send),
    {
      parallel: [
        [answered],
        [
          arrived,
          { quiet: { for: '100ms' } },
          ...Array.from({ length: leaving }, () => leaves),
          { quiet: { for: '50ms' } },
          { send: { from: 'provider', message: { release: barrier } } },
        ],
      ],
    },
  ];
}
