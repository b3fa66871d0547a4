/** Cases of `tokens.handle_response`. Source: the plan, Phase 1, "StopReasonHandler"; its graceful degradation, 1. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { argumentTests, cut, whole } from './arguments.ts';
import { textOf } from '../facts/outcome.ts';
import { call, testsOf } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.handle_response');

/** Incomplete in a way each, so that who does not see the one sees the other. */
const incomplete: readonly JsonObject[] = [
  call('b', 'write', { path: '/b' }),
  call('c', 'write', null),
  call('d', 'read', { path: '' }),
];

/** All reasons but the limit's leave the response alone, whatever its calls are. */
const others: readonly TokensTest[] = [
  'end_turn',
  'tool_use',
  'stop_sequence',
  'content_filter',
  'refusal',
  'pause_turn',
  'context_window',
  'cancelled',
  'error',
].map((stopReason) =>
  test(
    `stop-${stopReason.replaceAll('_', '-')}`,
    `${stopReason}, with an incomplete call`,
    1,
    cut([whole('a'), ...incomplete], { stopReason }),
    { unchanged: true },
  ),
);

const acts: readonly TokensTest[] = ['max_tokens', 'max_output_tokens'].map((stopReason) =>
  test(
    `stop-${stopReason.replaceAll('_', '-')}`,
    `${stopReason}, with an incomplete call`,
    1,
    cut([whole('a'), ...incomplete], { stopReason }),
    { fewer: true },
  ),
);

const copies: readonly TokensTest[] = [
  test(
    'rest-text',
    'the text, and what survives, as they were',
    2,
    cut([call('a', 'write', { path: '/a\u{1f600}', content: ' x\n', mode: 7, deep: { b: [1, null] } })], {
      content: '  Two spaces, a line\nand \u{1f600}.  ',
    }),
    { rest: true },
  ),
  test(
    'rest-dropped',
    'the text of a response that lost a call',
    2,
    cut([whole('a'), call('b', 'write', {})]),
    {
      rest: true,
    },
  ),
  test('rest-no-text', 'no text stays none', 2, cut([whole('a'), call('b', 'write', {})], { content: '' }), {
    rest: true,
  }),
];

const survivors: readonly TokensTest[] = [
  test(
    'order-five',
    'five of which two go',
    9,
    cut([whole('e'), call('x', 'write', {}), whole('b'), whole('d'), call('y', 'write', null), whole('a')]),
    { order: ['e', 'b', 'd', 'a'] },
  ),
  test(
    'order-numbers',
    'ids that look like numbers',
    9,
    cut([whole('10'), call('x', 'write', {}), whole('9'), whole('1')]),
    { order: ['10', '9', '1'] },
  ),
  test(
    'order-tools',
    'several tools',
    9,
    cut([call('r', 'read', { path: '/r' }), whole('w'), call('n', 'now', {})]),
    {
      order: ['r', 'w', 'n'],
    },
  ),
];

const warned: readonly TokensTest[] = [
  test('warn-one', 'one that is dropped', 10, cut([whole('a'), call('b', 'write', {})]), { names: ['b'] }),
  test(
    'warn-each',
    'several that are dropped',
    10,
    cut([call('b', 'write', {}), whole('a'), call('c', 'write', null), call('d', 'read', { path: '' })]),
    { names: ['b', 'c', 'd'] },
  ),
  test('warn-all', 'all that there are', 10, cut([call('b', 'write', {}), call('c', 'read', null)]), {
    names: ['b', 'c'],
  }),
];

const lenient = (
  id: string,
  what: string,
  calls: readonly JsonObject[],
  ids: readonly string[],
): TokensTest =>
  test(
    `all-${id}`,
    what,
    11,
    { ...cut(calls), options: { requireAllParameters: false } },
    { survivors: [...ids] },
  );

const all: readonly TokensTest[] = [
  lenient(
    'lacking',
    'one that lacks a required name',
    [whole('a'), call('b', 'write', { path: '/b' })],
    ['a', 'b'],
  ),
  lenient('empty', 'one with ""', [call('b', 'read', { path: '' })], ['b']),
  lenient(
    'null',
    'one with null for a required name',
    [call('b', 'count', { n: null }), whole('a')],
    ['b', 'a'],
  ),
  test(
    'all-true',
    'requireAllParameters: true is as usual',
    11,
    { ...cut([whole('a'), ...incomplete]), options: { requireAllParameters: true } },
    { fewer: true },
  ),
];

const none: readonly TokensTest[] = [
  test(
    'text-only',
    'nothing survives',
    13,
    cut([call('b', 'write', { path: '/b' }), call('c', 'write', {})]),
    {
      textOnly: true,
    },
  ),
  test('text-only-none', 'there were no calls', 13, cut([]), { textOnly: true }),
  test(
    'text-only-empty',
    'nothing survives, and there is no text',
    13,
    cut([call('b', 'write', null)], { content: '' }),
    { textOnly: true },
  ),
];

/** The call that the limit cut, repaired until it passes every other test. */
const opened = (
  id: string,
  what: string,
  calls: readonly JsonObject[],
  name: string,
  partial: string,
): TokensTest =>
  test(`open-${id}`, what, 47, cut(calls, { open: { id: 'z', name, partial } }), {
    survivors: calls.flatMap((one) => (one['id'] === 'z' ? [] : [textOf(one['id'])])),
  });

const open: readonly TokensTest[] = [
  opened(
    'repaired',
    'a text closed where it was cut',
    [whole('a'), call('z', 'write', { path: '/z', content: 'first half of' })],
    'write',
    '{"path":"/z","content":"first half of',
  ),
  opened(
    'brace',
    'only the last brace was missing',
    [whole('a'), call('z', 'write', { path: '/z', content: 'all' })],
    'write',
    '{"path":"/z","content":"all"',
  ),
  opened(
    'number',
    'a number that may go on',
    [call('z', 'count', { n: 12 }), whole('a')],
    'count',
    '{"n":12',
  ),
  opened(
    'optional',
    'what was cut is optional',
    [whole('a'), call('z', 'read', { path: '/z' })],
    'read',
    '{"path":"/z","li',
  ),
  opened('nothing-required', 'a tool that needs nothing', [whole('a'), call('z', 'now', {})], 'now', '{'),
  opened(
    'same-tool',
    'another call of the same tool stays',
    [call('b', 'read', { path: '/b' }), call('z', 'read', { path: '/z' })],
    'read',
    '{"path":"/z"',
  ),
];

/** Tests of `tokens.handle_response`. */
export const responseTests: readonly TokensTest[] = [
  ...others,
  ...acts,
  ...copies,
  ...argumentTests,
  ...survivors,
  ...warned,
  ...all,
  ...none,
  ...open,
];
