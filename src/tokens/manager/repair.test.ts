/** What makes a conversation invalid, and what repairing makes of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderMessage, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import { brokenHistories, histories } from '../arbitrary.ts';
import { faultsOf } from './faults.ts';
import { cancelledResult, outcomeStatuses, repair, worse } from './repair.ts';
import type { OutcomeStatus } from './repair.ts';

const user = (content: string, ...toolResults: readonly ToolOutcome[]): ProviderMessage =>
  toolResults.length > 0 ? { role: 'user', content, toolResults } : { role: 'user', content };
const assistant = (content: string, ...toolCalls: readonly ToolCall[]): ProviderMessage =>
  toolCalls.length > 0 ? { role: 'assistant', content, toolCalls } : { role: 'assistant', content };
const system = (content: string): ProviderMessage => ({ role: 'system', content });
const call = (id: string): ToolCall => ({ id, name: 'read', input: { path: '/a' } });
const result = (id: string, content = 'text', isError = false): ToolOutcome => ({ id, content, isError });
const cancelled = cancelledResult;

const sound: readonly ProviderMessage[] = [
  system('Be brief.'),
  user('Read both.'),
  assistant('', call('a'), call('b')),
  user('', result('a'), result('b', 'no such file', true)),
  assistant('One is there.'),
];

/** A conversation, its faults, and what is made of it. */
const table: readonly [string, readonly ProviderMessage[], readonly string[], readonly ProviderMessage[]][] =
  [
    [
      'an assistant that speaks first',
      [assistant('Hi'), user('Hi')],
      ['first-role at messages[0]'],
      [user('Hi')],
    ],
    [
      'a role that repeats',
      [user('a'), user('b'), assistant('c'), assistant('d')],
      ['repeated-role at messages[1]', 'repeated-role at messages[3]'],
      [user('a\n\nb'), assistant('c\n\nd')],
    ],
    [
      'an empty message',
      [user('a'), assistant(''), user('b')],
      ['empty-message at messages[1]'],
      [user('a\n\nb')],
    ],
    [
      'white space for a text',
      [user('a'), assistant(' \n', call('c')), user('', result('c'))],
      ['blank-text at messages[1].content'],
      [user('a'), assistant('', call('c')), user('', result('c'))],
    ],
    ['half a character', [user('a\uD83D')], ['lone-surrogate at messages[0].content'], [user('a\uFFFD')]],
    [
      'a late system message',
      [user('a'), system('s'), assistant('b')],
      ['system-late at messages[1]'],
      [system('s'), user('a'), assistant('b')],
    ],
    [
      'a call without result',
      [user('a'), assistant('', call('c'), call('d')), user('', result('c')), assistant('b')],
      ['unpaired-call at messages[2]'],
      [user('a'), assistant('', call('c'), call('d')), user('', result('c'), cancelled('d')), assistant('b')],
    ],
    [
      'a call at the end',
      [user('a'), assistant('', call('c'))],
      ['unpaired-call at messages[2]'],
      [user('a'), assistant('', call('c')), user('', cancelled('c'))],
    ],
    [
      'a call and then the user',
      [user('a'), assistant('', call('c')), user('Stop!')],
      ['unpaired-call at messages[2]'],
      [user('a'), assistant('', call('c')), user('Stop!', cancelled('c'))],
    ],
    [
      'a result without call',
      [user('a', result('c'))],
      ['unpaired-result at messages[0].toolResults[0]'],
      [user('a')],
    ],
    [
      'a result that comes late',
      [user('a'), assistant('', call('c')), user('b'), assistant('d'), user('', result('c'))],
      ['unpaired-call at messages[2]', 'unpaired-result at messages[4].toolResults[0]'],
      [user('a'), assistant('', call('c')), user('b', result('c')), assistant('d')],
    ],
    [
      'results in another order',
      [user('a'), assistant('', call('c'), call('d')), user('', result('d'), result('c'))],
      ['unpaired-result at messages[2].toolResults[0]', 'unpaired-result at messages[2].toolResults[1]'],
      [user('a'), assistant('', call('c'), call('d')), user('', result('c'), result('d'))],
    ],
    [
      'an error without content',
      [user('a'), assistant('', call('c')), user('', result('c', '', true))],
      ['empty-result at messages[2].toolResults[0]'],
      [
        user('a'),
        assistant('', call('c')),
        user('', result('c', 'The tool failed without a message.', true)),
      ],
    ],
    [
      'two results to one call',
      [user('a'), assistant('', call('c')), user('', result('c', 'fine'), result('c', 'failed', true))],
      ['unpaired-result at messages[2].toolResults[1]'],
      [user('a'), assistant('', call('c')), user('', result('c', 'failed', true))],
    ],
    [
      'one call twice',
      [user('a'), assistant('', call('c'), call('c')), user('', result('c'))],
      ['repeated-call at messages[1].toolCalls[1]', 'unpaired-call at messages[2]'],
      [user('a'), assistant('', call('c')), user('', result('c'))],
    ],
    [
      'an id that comes again',
      [
        user('a'),
        assistant('', call('c')),
        user('', result('c', '1')),
        assistant('', call('c')),
        user('', result('c', '2')),
      ],
      ['repeated-call at messages[3].toolCalls[0]'],
      [
        user('a'),
        assistant('', call('c')),
        user('', result('c', '1')),
        assistant('', { ...call('c'), id: 'c~2' }),
        user('', result('c~2', '2')),
      ],
    ],
    [
      'arguments that are no object',
      [user('a'), assistant('', { ...call('c'), input: null }), user('', result('c'))],
      ['bad-input at messages[1].toolCalls[0]'],
      [user('a'), assistant('', { ...call('c'), input: {} }), user('', result('c'))],
    ],
    [
      'calls of the user',
      [{ ...user('a'), toolCalls: [call('c')] }],
      ['misplaced-call at messages[0]', 'unpaired-call at messages[1]'],
      [user('a')],
    ],
    [
      'results of the assistant',
      [user('a'), assistant('', call('c')), { ...assistant('b'), toolResults: [result('c')] }],
      ['repeated-role at messages[2]', 'misplaced-result at messages[2]', 'unpaired-call at messages[2]'],
      [user('a'), assistant('', call('c')), user('', result('c')), assistant('b')],
    ],
  ];

const places = (messages: readonly ProviderMessage[]): readonly string[] =>
  faultsOf(messages).map(({ code, path }) => `${code} at ${path}`);

describe('a conversation that is valid', () => {
  it('has no faults, and is not changed by repairing', () => {
    expect(faultsOf(sound)).toEqual([]);
    expect(repair(sound)).toBe(sound);
    expect(repair([])).toEqual([]);
    fc.assert(
      fc.property(histories, (history) => {
        expect(repair(history)).toBe(history);
      }),
    );
  });
});

describe('a conversation that is not valid', () => {
  it.each(table)('because of %s, is said to be and is repaired', (_, messages, faults, repaired) => {
    expect(places(messages)).toEqual(faults);
    expect(repair(messages)).toEqual(repaired);
  });

  it('is valid after repairing, whatever it was (TOK-28, TOK-29, TOK-48)', () => {
    fc.assert(
      fc.property(brokenHistories, (history) => {
        expect(places(repair(history))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is repaired in linear time: 20,000 messages of one role, and as many calls of one id', () => {
    const talk = Array.from({ length: 20_000 }, () => user('word'));
    expect(repair(talk)).toHaveLength(1);
    const calls = Array.from({ length: 20_000 }, () => [
      assistant('', call('c')),
      user('', result('c')),
    ]).flat();
    const repaired = repair([user('a'), ...calls]);
    expect(repaired).toHaveLength(40_001);
    expect(faultsOf(repaired)).toEqual([]);
  });
});

describe('of two results to one call', () => {
  const of = (status: OutcomeStatus) => ({
    id: 'c',
    content: status,
    isError: status !== 'completed',
    status,
  });

  it('denied outweighs failed, failed aborted, and aborted completed (TOK-39)', () => {
    expect(outcomeStatuses).toEqual(['denied', 'failed', 'aborted', 'completed']);
    outcomeStatuses.forEach((heavy, i) => {
      for (const light of outcomeStatuses.slice(i)) {
        expect(worse(of(heavy), of(light)).status).toBe(heavy);
        expect(worse(of(light), of(heavy)).status).toBe(heavy);
      }
    });
  });

  it('the first stays when they are alike', () => {
    const [first, second] = [
      { ...of('failed'), content: '1' },
      { ...of('failed'), content: '2' },
    ];
    expect(worse(first, second)).toBe(first);
  });
});
