/** Values of args are compared with all their digits. */
import { expect, it } from 'vitest';
import { argsDifference } from './args-difference.ts';

it.each([
  ['{"a":1,"b":[true,null,"x"]}', '{"b":[true,null,"x"],"a":1}'],
  ['18446744073709551615', '18446744073709551615'],
  ['[1.0,100,0.3]', '[1,1e2,0.30000000000000004]'],
  ['[-0,0]', '[0,-0.0]'],
  ['{"__proto__":1}', '{"__proto__":1}'],
  ['"\\u0041\\n"', '"A\\u000a"'],
  ['18446744073709551616', '1.8446744073709552e19'],
])('%s and %s are equal', (expected, came) => {
  expect(argsDifference(expected, came)).toBeUndefined();
});

it.each([
  ['9007199254740993', '9007199254740992', 'args: expected 9007199254740993; came 9007199254740992'],
  [
    '[9007199254740993]',
    '["9007199254740993"]',
    'args[0]: expected 9007199254740993; came "9007199254740993"',
  ],
  ['{"a":1}', '{"a":1,"b":2}', 'args: expected no member "b"; it came'],
  ['{"a":1,"__proto__":{}}', '{"a":1}', 'args.__proto__: expected {}; came nothing'],
  ['{"constructor":1}', '{}', 'args.constructor: expected 1; came nothing'],
  ['[1,2]', '[1]', 'args: expected an array of 2; came an array of 1'],
  ['{"a":{"b":null}}', '{"a":{"b":false}}', 'args.a.b: expected null; came false'],
  ['0.1', '0.10000000000000005', 'args: expected 0.1; came 0.10000000000000005'],
  ['""', '0', 'args: expected ""; came 0'],
  ['{}', '[]', 'args: expected {}; came an array of 0'],
])('%s and %s differ', (expected, came, words) => {
  expect(argsDifference(expected, came)).toBe(words);
});
