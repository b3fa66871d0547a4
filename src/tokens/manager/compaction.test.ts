/** What compacting leaves, what it replaces, and when it is due. */
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { compact, isCompactionDue, tailTokens, tailTurns } from './compaction.ts';
import { eventsOf } from './thread.ts';
import { turnsOf } from './turns.ts';

const talk = (n: number, size = 0): readonly ProviderMessage[] => [
  { role: 'user', content: `question ${n}` },
  { role: 'assistant', content: `answer ${n}${'.'.repeat(size)}` },
];
const turnsTo = (count: number, size = 0): readonly ProviderMessage[] =>
  Array.from({ length: count }, (_, i) => talk(i + 1, size)).flat();
const kinds = (messages: readonly ProviderMessage[]): readonly string[] =>
  eventsOf(messages).map(
    (event) => `${event.type}${'content' in event && event.type !== 'SUMMARY' ? ` ${event.content}` : ''}`,
  );

describe('the tail (TOK-31)', () => {
  it('has max(0, min(300000, floor(window / 2) - 25000)) tokens', () => {
    expect([8000, 50_001, 50_002, 200_000, 1_000_000].map((window) => tailTokens(window))).toEqual([
      0, 0, 1, 75_000, 300_000,
    ]);
    expect(tailTokens()).toBe(75_000);
  });

  it('has ten turns at most', () => {
    expect(tailTurns(turnsOf(turnsTo(12)).turns)).toBe(10);
    expect(tailTurns(turnsOf(turnsTo(4)).turns)).toBe(4);
    expect(tailTurns([])).toBe(0);
  });

  it('loses its oldest turns when they are too many tokens, and never the last', () => {
    const { turns } = turnsOf(turnsTo(12, 40_000));
    // A turn is some 10,020 tokens: seven are within 75,000.
    expect(tailTurns(turns, 200_000)).toBe(7);
    expect(tailTurns(turns, 8000)).toBe(1);
  });
});

describe('compacting', () => {
  it('keeps all of the user, the last two others and the tail, and puts a summary for the rest (TOK-34)', () => {
    const { messages, by } = compact(turnsTo(5), { keepTurns: 1 });
    expect(by).toBe('summary');
    expect(kinds(messages)).toEqual([
      'USER_MESSAGE question 1\n\nquestion 2',
      'SUMMARY',
      'USER_MESSAGE question 3',
      'AGENT_MESSAGE answer 3',
      'USER_MESSAGE question 4',
      'AGENT_MESSAGE answer 4',
      'USER_MESSAGE question 5',
      'AGENT_MESSAGE answer 5',
    ]);
  });

  it('keeps a call with its result when one of them is among the last two (TOK-28)', () => {
    const history: readonly ProviderMessage[] = [
      ...talk(1),
      { role: 'user', content: 'do' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'read', input: {} }] },
      { role: 'user', content: '', toolResults: [{ id: 'c', content: 'text', isError: false }] },
      { role: 'assistant', content: 'did' },
      ...talk(2),
    ];
    expect(kinds(compact(history, { keepTurns: 1 }).messages)).toEqual([
      'USER_MESSAGE question 1',
      'SUMMARY',
      'USER_MESSAGE do',
      'TOOL_CALL',
      'TOOL_RESULT text',
      'AGENT_MESSAGE did',
      'USER_MESSAGE question 2',
      'AGENT_MESSAGE answer 2',
    ]);
  });

  it('leaves a conversation alone that has nothing to replace', () => {
    const short = turnsTo(3);
    expect(compact(short)).toEqual({ messages: short, by: 'nothing' });
    expect(compact(short, { keepTurns: 1 })).toEqual({ messages: short, by: 'nothing' });
  });

  it('puts a new summary in the place of the old one', () => {
    const once = compact(turnsTo(6), { keepTurns: 1 }).messages;
    const twice = compact([...once, ...talk(7), ...talk(8)], { keepTurns: 1 }).messages;
    expect(eventsOf(twice).filter(({ type }) => type === 'SUMMARY')).toHaveLength(1);
  });

  it('goes by the window where no tail is given', () => {
    const history = turnsTo(5);
    expect(compact(history, { window: 200_000 }).by).toBe('nothing');
    expect(compact(history, { window: 8000 }).messages).toEqual(compact(history, { keepTurns: 1 }).messages);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no model');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives an empty text', () => ({ role: 'user', content: ' ' }) as const],
  ])('truncates when the summarizer %s (TOK-46)', (_, summarize) => {
    const { messages, by } = compact(turnsTo(5), { keepTurns: 1, summarize });
    expect(by).toBe('truncation');
    expect(kinds(messages)).toEqual([
      'USER_MESSAGE question 1\n\nquestion 2\n\nquestion 3',
      'AGENT_MESSAGE answer 3',
      'USER_MESSAGE question 4',
      'AGENT_MESSAGE answer 4',
      'USER_MESSAGE question 5',
      'AGENT_MESSAGE answer 5',
    ]);
  });

  it('is due when it is advised, and not within 60 s of the last (TOK-33)', () => {
    expect(isCompactionDue(true, 0, undefined)).toBe(true);
    expect(isCompactionDue(false, 0, undefined)).toBe(false);
    expect(isCompactionDue(true, 69_999, 10_000)).toBe(false);
    expect(isCompactionDue(true, 70_000, 10_000)).toBe(true);
  });
});
