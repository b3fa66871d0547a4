/** What a reader gets for a mistyped name. */
import { expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

const names = ['fold/agent', 'fold/gateway', 'agent/fold', 'row', 'peer'];

it.each([
  ['fold/agents', 'fold/agent'],
  ['fold/agnet', 'fold/agent'],
  ['FOLD/gateway', 'fold/gateway'],
  ['rows', 'row'],
  ['pere', 'peer'],
])('%s is near %s', (text, name) => expect(nearest(text, names)).toBe(name));

it.each(['foo', 'seed', '', 'x', 'gateway'])('%j is near no name', (text) => {
  expect(nearest(text, names)).toBeUndefined();
  expect(didYouMean(text, names)).toBe('');
});

it('of two equally near names, takes the one that begins alike', () => {
  expect(nearest('step', ['stop', 'steps', 'estep'])).toBe('steps');
});
