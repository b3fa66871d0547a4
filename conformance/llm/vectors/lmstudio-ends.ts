/** Predictions of LM Studio that are cut, lie, end early or fail. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { calledCases, cutsAt } from './ends.ts';
import { begun, end, error, failed, over, says, tool } from './lmstudio-wire.ts';
import { casesOf, flagged } from './table.ts';

const { valid, invalid } = casesOf('lmstudio');
const called = calledCases('lmstudio', (...pieces) => [...tool('1', 'get', ...pieces), ...end('toolCalls')], {
  stop: 'tool_use',
});

const first = tool('1', 'get', '{"n":', '1}');
const whole = ['1', 'get', { n: 1 }] as const;
const limit = end('maxPredictedTokensReached');

const places = cutsAt(['brace', 'key', 'string', 'literal', 'number', 'boundary']);

/** Before `success` the server sends nothing of the cut call, or that it failed: both are seen. */
const cuts: readonly Vector[] = places.flatMap(([id, what, partial]) => {
  const outcome = { content: 'Writing.', stop: 'max_tokens', open: { id: '1', name: 'write', partial } };
  const cut = [...says('Writing.'), ...begun('1', 'write', partial)];
  return [
    valid(`cut-${id}`, `the limit cuts the arguments ${what}`, 'C01 C04', [...cut, ...limit], outcome),
    valid(
      `cut-${id}-failed`,
      `the same, and the server says that the call failed`,
      'C01 C04',
      [...cut, failed(partial), ...limit],
      outcome,
    ),
  ];
});

const otherCuts: readonly Vector[] = [
  valid(
    'cut-nothing',
    'the limit cuts before the first character of the arguments',
    'C01 C04',
    [...begun('1', 'write'), ...limit],
    { stop: 'max_tokens', open: { id: '1', name: 'write' } },
  ),
  valid(
    'cut-last-brace',
    'the limit cuts behind the last brace: the arguments parse, and the call is never over',
    'C01 C04',
    [...begun('1', 'write', '{"path":"a"}'), ...limit],
    { stop: 'max_tokens', open: { id: '1', name: 'write' } },
  ),
  valid(
    'cut-second',
    'the limit cuts the second call; the first was whole',
    'C01 C03 C04',
    [...first, ...begun('2', 'get', '{"n":'), ...limit],
    {
      calls: [whole],
      stop: 'max_tokens',
      open: { id: '2', name: 'get', partial: '{"n":' },
    },
  ),
  valid(
    'cut-mended',
    'the limit cuts the arguments, and the server ends the call with what it made of them',
    'C01 C02 C04',
    [...begun('1', 'write', '{"path":"a'), over('1', 'write', { path: 'a' }), ...limit],
    { stop: 'max_tokens' },
  ),
  valid(
    'cut-context',
    'the context is full inside the arguments',
    'C01 C18',
    [...begun('1', 'write', '{"path":"a'), ...end('contextLengthReached')],
    { stop: 'context_window', open: { id: '1', name: 'write' } },
  ),
];

/** "A lying or contradictory signal with unparsable arguments MUST NOT execute" (LLM-C05). */
const lies: readonly Vector[] = [
  valid(
    'lying-tool-calls',
    'toolCalls, and the arguments are cut',
    'C05',
    [...begun('1', 'write', '{"path":"a'), ...end('toolCalls')],
    { stop: 'tool_use' },
  ),
  valid(
    'lying-eos',
    'eosFound, and the arguments are cut',
    'C05',
    [...begun('1', 'write', '{"path":"a'), ...end('eosFound')],
    { stop: 'end_turn' },
  ),
  valid(
    'lying-failed',
    'toolCalls, though the server said that the call failed',
    'C05',
    [...begun('1', 'write', '{"path":"a'), failed('{"path":"a'), ...end('toolCalls')],
    { stop: 'tool_use' },
  ),
  valid(
    'lying-second',
    'toolCalls; the first call is whole, the second cut',
    'C03 C05',
    [...first, ...begun('2', 'get', '{"n":'), ...end('toolCalls')],
    { calls: [whole], stop: 'tool_use' },
  ),
  valid(
    'broken-mended',
    'the server ends a call with arguments that it mended',
    'C02',
    [...begun('1', 'get', '{"n":1,'), over('1', 'get', { n: 1 }), ...end('toolCalls')],
    { stop: 'tool_use' },
  ),
];

const numbers: readonly Vector[] = flagged('exact-numbers', [
  valid(
    'number-beyond',
    'an integer that a double changes: it stands in the fragments, and the server has changed it',
    'C20',
    [
      ...begun('1', 'get', '{"id":900719925474', '0993}'),
      over('1', 'get', { id: 9007199254740992 }),
      ...end('toolCalls'),
    ],
    { stop: 'tool_use' },
  ),
]);

const kept = { content: 'Hel' } as const;
const crashed = error('The model has crashed.');

const failures: readonly Vector[] = [
  invalid(
    'early-text',
    'the connection is closed inside a text',
    'C06',
    says('Hel'),
    'truncated-stream',
    kept,
  ),
  invalid('early-nothing', 'the connection is closed before any message', 'C06', [], 'truncated-stream'),
  invalid(
    'early-close',
    'the channel is closed without success',
    'C06',
    [...says('Hel'), { type: 'channelClose', channelId: 1 }],
    'truncated-stream',
    kept,
  ),
  invalid('early-tool', 'a whole call came, and no success', 'C06', first, 'truncated-stream'),
  invalid('reset-text', 'the connection is lost inside a text', 'C06', says('Hel'), 'connection', kept),
  invalid(
    'reset-tool',
    'the connection is lost inside arguments',
    'C06',
    [...says('Hel'), ...begun('1', 'get', '{"n":1')],
    'connection',
    kept,
  ),
  invalid(
    'error-text',
    'the channel ends with an error inside a text',
    'C07 C21',
    [...says('Hel'), crashed],
    'provider',
    kept,
  ),
  invalid(
    'error-first',
    'the channel ends with an error before anything else',
    'C07',
    [error('No model is loaded.')],
    'provider',
  ),
  invalid(
    'error-tool',
    'the channel ends with an error behind a whole call',
    'C07',
    [...first, crashed],
    'provider',
  ),
];

/** All of them. */
export const lmstudioEnds: readonly Vector[] = [
  ...cuts,
  ...otherCuts,
  ...lies,
  ...called.noObjects('array', 'string', 'number', 'true'),
  ...numbers,
  ...failures,
];
