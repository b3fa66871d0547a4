/** References to the output of an action that failed or was skipped (Decision 24). */
import { expect, it } from 'vitest';
import { playRun } from './scripted-run.ts';
import type { TimedEvent } from './runner.ts';

const action = (id: string, mode: string, more: object = {}): string =>
  `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...more })}</action>`;

const use = (more: object = {}): string => action('use', 'async', { parameters: { p: '$page' }, ...more });

/** What became of each action: its kind, and the cause. */
const fates = (events: readonly TimedEvent[]): object =>
  Object.fromEntries(
    events.flatMap((event) => {
      if (event.type === 'skipped') return [[event.id, `because of ${event.because}`]];
      return event.type === 'completed' || event.type === 'failed' ? [[event.id, event.type]] : [];
    }),
  );

const providers = { a: [{ after: 1, error: 'no' }], use: [{ output: 1 }], b: [{ output: 2 }] };

it.each([
  ['sync, so that it failed before', 'sync', {}],
  ['async, so that it fails after', 'async', {}],
  ['sync, and declared', 'sync', { depends_on: ['a'] }],
  ['async, and declared', 'async', { depends_on: ['a'] }],
])('an action that names the output of a failed one is skipped: %s', (_, mode, more) => {
  const { events } = playRun({
    iterations: [[`${action('a', mode, { output_key: 'page' })}${use(more)}<response>is $page</response>`]],
    providers,
  });
  expect(fates(events)).toEqual({ a: 'failed', use: 'because of a' });
  expect(events.flatMap((event) => (event.type === 'response' ? event.text : [])).join('')).toBe('is $page');
  expect(events.some(({ type }) => type === 'diagnostic')).toBe(true);
});

it('so is one that names the id of a skipped one, also in a later iteration', () => {
  const { events } = playRun({
    iterations: [
      [action('a', 'async') + action('b', 'async', { depends_on: ['a'] })],
      [`${action('use', 'async', { parameters: { p: 'is $b' } })}<response>x</response>`],
    ],
    providers,
  });
  expect(fates(events)).toEqual({ a: 'failed', b: 'because of a', use: 'because of b' });
});

it('the last earlier action with the output key counts, and no later one', () => {
  const key = { output_key: 'page' };
  const { events } = playRun({
    iterations: [
      [
        action('b', 'sync', key) + action('slow', 'sync') + use() + action('a', 'async', key),
        '<response>x</response>',
      ],
    ],
    providers: { ...providers, slow: [{ after: 1, output: 1 }] },
  });
  expect(fates(events)).toEqual({ b: 'completed', slow: 'completed', use: 'completed', a: 'failed' });
});
