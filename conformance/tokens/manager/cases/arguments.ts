/**
 * Cases of `tokens.handle_response` about the arguments of single calls: what is incomplete, and what only looks so.
 * Source: the plan, Phase 1, "StopReasonHandler".
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { call, testsOf, tool } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.handle_response');

const string: JsonObject = { type: 'string' };

/** A file writer needs both of its texts; the other tools need one value of a type, or none. */
const tools: readonly JsonObject[] = [
  tool('write', { path: string, content: string }, ['path', 'content']),
  tool('read', { path: string, limit: { type: 'number' } }, ['path']),
  tool('count', { n: { type: 'number' } }, ['n']),
  tool('flag', { on: { type: 'boolean' } }, ['on']),
  tool('list', { items: { type: 'array', items: string } }, ['items']),
  tool('either', { text: { type: ['string', 'null'] } }, ['text']),
  tool('any', { text: { anyOf: [string, { type: 'null' }] } }, ['text']),
  tool('nest', { options: { type: 'object', properties: { path: string }, required: ['path'] } }, [
    'options',
  ]),
  tool('now', {}, []),
];

/** A call with all that it needs. */
export const whole = (id: string): JsonObject => call(id, 'write', { path: '/a', content: 'x' });

/** A response with calls that the limit cut. */
export const cut = (toolCalls: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  response: {
    content: 'Writing the files now.',
    toolCalls: [...toolCalls],
    stopReason: 'max_tokens',
    ...more,
  },
  tools: [...tools],
});
/** The one in the middle is dropped, the others stay. */
const drops = (id: string, what: string, row: number, bad: JsonObject): TokensTest =>
  test(`drop-${id}`, what, row, cut([whole('a'), bad, whole('c')]), { survivors: ['a', 'c'] });

const dropped: readonly TokensTest[] = [
  drops('missing', 'no arguments at all', 3, call('b', 'write')),
  drops('null', 'arguments that are null', 3, call('b', 'write', null)),
  ...(
    [
      ['text', '{"path":"/b","content":'],
      ['array', ['/b', 'x']],
      ['number', 3],
      ['boolean', true],
    ] as const
  ).map(([id, input]: readonly [string, Json]) =>
    drops(`not-object-${id}`, `arguments that are no object: ${id}`, 3, call('b', 'write', input)),
  ),
  drops('null-none-required', 'null for a tool that needs nothing', 3, call('b', 'now', null)),
  drops('text-none-required', 'a text for a tool that needs nothing', 3, call('b', 'now', '{')),
  drops('one-lacking', 'one of two required', 4, call('b', 'write', { path: '/b' })),
  drops('all-lacking', '{} for a tool that requires two', 4, call('b', 'write', {})),
  drops('null-there', 'null for a required text', 4, call('b', 'write', { path: '/b', content: null })),
  drops('null-number', 'null for a required number', 4, call('b', 'count', { n: null })),
  drops('only-optional', 'an optional name without the required one', 4, call('b', 'read', { limit: 3 })),
  drops('other-case', 'the required name in capitals', 4, call('b', 'read', { PATH: '/b' })),
  drops('empty', '"" for a required text', 5, call('b', 'write', { path: '/b', content: '' })),
  drops('empty-first', '"" for the first of two', 5, call('b', 'write', { path: '', content: 'x' })),
  drops('empty-single', '"" for the only one', 5, call('b', 'read', { path: '' })),
];

/** What looks empty or wrong, and is whole. */
const keeps = (id: string, what: string, good: JsonObject, row = 6): TokensTest =>
  test(`keep-${id}`, what, row, cut([whole('a'), good]), { keeps: ['b'] });

const kept: readonly TokensTest[] = [
  keeps('zero', '0', call('b', 'count', { n: 0 })),
  keeps('false', 'false', call('b', 'flag', { on: false })),
  keeps('no-items', '[]', call('b', 'list', { items: [] })),
  keeps('space', 'white space for a required text', call('b', 'read', { path: ' ' })),
  keeps('newline', 'a line end for a required text', call('b', 'read', { path: '\n' })),
  keeps('number-for-text', 'a number where a text belongs', call('b', 'read', { path: 7 })),
  keeps('text-for-number', 'a text where a number belongs', call('b', 'count', { n: 'seven' })),
  keeps('empty-for-number', '"" where a number belongs', call('b', 'count', { n: '' })),
  keeps('nested', 'a required name left out further in', call('b', 'nest', { options: {} })),
  keeps('union-empty', '"" for ["string","null"]', call('b', 'either', { text: '' })),
  keeps('any-of-empty', '"" for anyOf string and null', call('b', 'any', { text: '' })),
  keeps('optional-null', 'null for an optional name', call('b', 'read', { path: '/b', limit: null })),
  keeps('nothing-required', '{} for a tool that needs nothing', call('b', 'now', {})),
  ...(
    [
      ['word', 'a text that ends within a word', 'The quick brown fox jum'],
      ['code', 'a text that ends within a line of code', 'export function read(path: str'],
      ['escape', 'a text that ends with a backslash', 'C:\\Users\\'],
      ['letter', 'a text of one letter', 'T'],
    ] as const
  ).map(([id, what, content]) => keeps(`cut-${id}`, what, call('b', 'write', { path: '/b', content }), 7)),
  keeps('unknown', 'a tool that nobody knows', call('b', 'mystery', { path: '' }), 8),
  keeps('unknown-empty', 'such a tool with {}', call('b', 'mystery', {}), 8),
  keeps('unknown-null', 'such a tool with null', call('b', 'mystery', null), 8),
  keeps('unknown-case', 'a known name in capitals is another tool', call('b', 'WRITE', {}), 8),
  keeps('unknown-inherited', 'a name that objects have by nature', call('b', 'constructor', {}), 8),
];

/** Tests of single calls. */
export const argumentTests: readonly TokensTest[] = [...dropped, ...kept];
