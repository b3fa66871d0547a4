/** The lines of the plan's "CLI progress indicators for token consumption", and of its user feedback. */
import { expect, it } from 'vitest';
import { newsLine } from './news.ts';

const line = (topic: string, detail: object): string => newsLine(topic, JSON.stringify(detail));

it.each([
  [
    'usage',
    { request: 'r1', input: 1234, output: 56, window: 200_000 },
    '1,234 in, 56 out, 0.6% of the window',
  ],
  ['usage', { request: 'r1', input: 0, output: 0, window: 0 }, '0 in, 0 out, 100.0% of the window'],
  [
    'warning',
    { request: 'r1', code: 'near-output-limit', percent: 82 },
    'the response has reached 82% of its limit',
  ],
  [
    'warning',
    { request: 'r1', code: 'dropped', ids: ['c1', 'c2'] },
    'a call was cut, and does not run: c1, c2',
  ],
  ['model', { request: 'r1', from: 'm', to: 'large' }, 'near the end of the window of m: large is asked'],
  ['deferred', { request: 'r1', calls: ['echo'] }, 'near the end of the window: put off echo'],
  ['prune', { request: 'r1', messages: 3 }, 'the conversation was pruned to 3 messages'],
])('%s %j is a line', (topic, detail, words) => {
  expect(line(topic, detail)).toBe(`request r1: ${words}`);
});

it('shortens the ids of real gateways, and shows other news as they are', () => {
  const id = 'b2a1c0de-0000-4000-8000-000000000000';
  expect(line('prune', { request: id, messages: 3 })).toMatch(/^request b2a1c0de…: /);
  expect(newsLine('stopped', 'that was all')).toBe('stopped: that was all');
  expect(newsLine('warning', '{"code":"new"}')).toBe('warning: {"code":"new"}');
});
