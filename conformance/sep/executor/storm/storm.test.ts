/** The storm against the reference executor, and against executors that are wrong in ways it must notice. */
import { describe, expect, it } from 'vitest';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Storm } from '../../../../src/kit/suite/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { storm } from './storm.ts';
import type { AnswerRun } from './storm.ts';

const run = (answer: AnswerRun, count: number): Storm =>
  storm(answer, { from: 1, count, onProgress: () => undefined });

const objects = (value: unknown): readonly JsonObject[] =>
  isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];

/** The reference, with the events of its answers altered. */
const answering =
  (alter: (events: readonly JsonObject[], request: JsonObject) => readonly JsonObject[]): AnswerRun =>
  (request) => {
    const answer = sepManifestTestee(request);
    const ok = isObject(answer['ok']) ? answer['ok'] : {};
    return { ...answer, ok: { ...ok, events: [...alter(objects(ok['events']), request)] } };
  };

/** The reference, which reads other outputs than it was sent. */
const reading =
  (alter: (output: string) => string): AnswerRun =>
  (request) => {
    const { iterations } = request;
    const read = isArray(iterations)
      ? iterations.map((pieces) => [alter(isArray(pieces) ? pieces.join('') : '')])
      : [];
    return sepManifestTestee({ ...request, iterations: read });
  };

/** The reference, which reads another manifest and other internal actions than it was sent. */
const readingFeeds =
  (alter: (text: string) => string): AnswerRun =>
  (request) => {
    const { manifest, iterations } = request;
    if (typeof manifest !== 'string' || !isArray(iterations)) return sepManifestTestee(request);
    const read = iterations.map((pieces) => [alter(isArray(pieces) ? pieces.join('') : '')]);
    return sepManifestTestee({ ...request, manifest: alter(manifest), iterations: read });
  };

/** The first event of a type, replaced. */
const replaced = (
  events: readonly JsonObject[],
  wanted: string,
  by: (event: JsonObject) => readonly JsonObject[],
): readonly JsonObject[] => {
  const at = events.findIndex(({ type }) => type === wanted);
  return events.flatMap((event, i) => (i === at ? by(event) : [event]));
};

it('the reference executor breaks nothing in 100 storms', () => {
  const { failures, sessions, events } = run(sepManifestTestee, 100);
  expect(failures).toEqual([]);
  expect(sessions).toBe(100);
  expect(events).toBeGreaterThan(100 * 20);
});

it('a storm tells its progress each 100 runs', () => {
  const told: number[] = [];
  storm(sepManifestTestee, { from: 1, count: 250, onProgress: (done) => told.push(done) });
  expect(told).toEqual([100, 200]);
});

describe('a storm notices an executor that', () => {
  let answers = 0;
  it.each<readonly [string, RegExp, AnswerRun]>([
    ['has no end', /finished once/, answering((events) => events.slice(0, -1))],
    ['tells no outcome', /came started/, answering((events) => replaced(events, 'completed', () => []))],
    [
      'tells two outcomes',
      /expected completed or failed or skipped \w+ once; came 2/,
      answering((events) =>
        replaced(events, 'completed', (event) => [
          event,
          { type: 'skipped', id: event['id'] ?? '', because: '' },
        ]),
      ),
    ],
    [
      'starts twice',
      /expected started \w+ once; came 2/,
      answering((events) => replaced(events, 'started', (event) => [event, event])),
    ],
    [
      'fails what was completed',
      /to be completed/,
      answering((events) => replaced(events, 'completed', (event) => [{ ...event, type: 'failed' }])),
    ],
    [
      'knows no dependencies',
      /to be skipped/,
      reading((output) => output.replaceAll(/"depends_on":\[[^\]]*\]/g, '"depends_on":[]')),
    ],
    [
      'never tries again',
      /attempts/,
      reading((output) =>
        output.replaceAll(/"retry":\d/g, '"retry":0').replaceAll('"on_error":"retry"', '"on_error":"skip"'),
      ),
    ],
    ['knows no time limit', / s in \d attempts/, reading((output) => output.replaceAll('"timeout"', '"t"'))],
    [
      'shows variables by name',
      /the responses/,
      reading((output) => output.replaceAll('Told $', 'Told &#36;')),
    ],
    [
      'takes no response as final',
      /the reason final/,
      reading((output) => output.replaceAll('"true"', '"no"')),
    ],
    [
      'goes on after a failure that ends the turn',
      /the reason failed; came/,
      reading((output) => output.replaceAll('"on_error":"fail"', '"on_error":"skip"')),
    ],
    [
      'depends on how outputs are cut',
      /not cut/,
      answering((events, { iterations }) =>
        isArray(iterations) && iterations.some((pieces) => isArray(pieces) && pieces.length > 1)
          ? events
          : replaced(events, 'action', () => []),
      ),
    ],
    [
      'is not the same twice',
      /the same run/,
      answering((events) => replaced(events, 'started', (event) => [{ ...event, n: ++answers }])),
    ],
    [
      'ends the turn after any failure',
      /the reason \w+; came "failed"/,
      reading((output) => output.replaceAll('"on_error":"skip"', '"on_error":"fail"')),
    ],
    ['has no cache', /fetch \d+ of/, readingFeeds((text) => text.replaceAll(/,"cache_ttl":[\d.]+/g, ''))],
    [
      'takes half of an interval',
      /fetch \d+ of/,
      readingFeeds((text) =>
        text.replaceAll(/"interval":([\d.]+)/g, (_, s) => `"interval":${Number(s) / 2}`),
      ),
    ],
    [
      'fetches disabled feeds',
      /fetch 0 of/,
      readingFeeds((text) => text.replaceAll('"enabled":false', '"enabled":true')),
    ],
    [
      'never removes a feed',
      /to fail|the responses/,
      readingFeeds((text) => text.replaceAll('"remove_context_feed"', '"list_context_feeds"')),
    ],
    [
      'fetches no feed anew',
      /fetch 1 of/,
      answering((events) => {
        const seen = new Set<unknown>();
        return events.filter(({ type, id }) => type !== 'context_feed' || (!seen.has(id) && seen.add(id)));
      }),
    ],
    [
      'shows a feed by its name',
      /the responses/,
      answering((events) =>
        events.map((event) => (event['type'] === 'response' ? { ...event, text: 'load=$load;' } : event)),
      ),
    ],
    ['answers with an error', /finished once/, () => ({ error: 'no' })],
  ])('%s', (_, wanted, answer) => {
    const { failures } = run(answer, 100);
    expect(failures.filter(({ what }) => wanted.test(what))).not.toEqual([]);
  });
});
