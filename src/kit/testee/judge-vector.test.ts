/** Answers judged by spec/formats/vectors.schema.json: "valid: it must be taken … invalid: it must be refused". */
import { expect, it } from 'vitest';
import type { JsonObject } from '../base/index.ts';
import { judgeVector } from './judge-vector.ts';
import type { Demand } from './judge-vector.ts';

const valid: Demand = { result: 'valid', expect: { a: 1 } };
const acceptable: Demand = { result: 'acceptable', expect: { a: 1 } };
const invalid: Demand = { result: 'invalid' };
const coded: Demand = { result: 'invalid', error: 'bad-json' };
const refused = { error: { code: 'bad-input', message: 'no' } };

it.each<[string, Demand, JsonObject]>([
  ['a valid input that was taken', valid, { ok: { a: 1, b: 2 } }],
  ['an acceptable input that was taken', acceptable, { ok: { a: 1 } }],
  ['an acceptable input that was refused', acceptable, refused],
  ['an invalid input that was refused', invalid, refused],
  ['a refusal with the code of the test', coded, { error: { code: 'bad-json', message: '' } }],
])('%s is right', (_, demand, answer) => {
  expect(judgeVector(demand, answer)).toBe('exercised');
});

it.each<[string, Demand, JsonObject, string]>([
  ['another value', valid, { ok: { a: 2 } }, 'a: expected 1; came 2'],
  ['a missing member', acceptable, { ok: {} }, 'a: expected 1; came nothing'],
  [
    'a refusal of a valid input',
    valid,
    refused,
    'expected ok; came a refusal: code "bad-input", message "no"',
  ],
  ['an invalid input that was taken', invalid, { ok: {} }, 'expected a refusal; came ok with {}'],
  ['another code', coded, refused, 'expected a refusal with code bad-json; came "bad-input"'],
  ['no answer', invalid, {}, 'expected ok or error; came neither'],
])('%s is wrong', (_, demand, answer, wrong) => {
  expect(judgeVector(demand, answer)).toEqual({ violated: wrong });
});
