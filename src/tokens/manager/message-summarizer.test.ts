/** The summary by template: what it tells, how long it gets, and that it is known again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { brokenHistories } from '../arbitrary.ts';
import { MessageSummarizer, asSummary, piecesOf, summaryHeadings } from './message-summarizer.ts';
import { isWellFormed } from './text.ts';

const summarizer = new MessageSummarizer();
const contentOf = (messages: readonly ProviderMessage[]): string =>
  summarizer.summarizeMessages(messages).content;
const section = (content: string, heading: string): string | undefined =>
  new RegExp(`^${heading}: (.*)$`, 'm').exec(content)?.[1];

const worked: readonly ProviderMessage[] = [
  { role: 'user', content: 'Fix the build, please.' },
  {
    role: 'assistant',
    content: 'I look.',
    toolCalls: [{ id: 'a', name: 'read', input: { path: '/src/a.ts' } }],
  },
  { role: 'user', content: '', toolResults: [{ id: 'a', content: 'no such file', isError: true }] },
  { role: 'assistant', content: 'It is gone.', toolCalls: [{ id: 'b', name: 'run', input: { deep: [1] } }] },
  { role: 'user', content: 'Go on', toolResults: [{ id: 'b', content: '3 tests passed', isError: false }] },
];

describe('a summary', () => {
  it('has every heading of the template (TOK-35), also of nothing', () => {
    for (const messages of [worked, []])
      for (const heading of summaryHeadings) expect(section(contentOf(messages), heading)).toMatch(/\S/);
  });

  it('is one message of the user, since it may have to come first', () => {
    expect(summarizer.summarizeMessages(worked).role).toBe('user');
  });

  it('tells what was asked, where it got, what tools did and what failed', () => {
    const content = contentOf(worked);
    expect(section(content, 'Request')).toBe('Fix the build, please.');
    expect(section(content, 'Status')).toBe('It is gone.');
    expect(section(content, 'Technical context')).toBe('read × 1; run × 1');
    expect(section(content, 'Changes')).toBe('read (path=/src/a.ts); run (deep=…)');
    expect(section(content, 'Issues')).toBe('no such file');
    expect(section(content, 'Working context')).toBe('last asked: Go on; last result: 3 tests passed');
  });

  it('of a summary keeps the request', () => {
    const again = contentOf([summarizer.summarizeMessages(worked), { role: 'assistant', content: 'Done.' }]);
    expect(section(again, 'Request')).toBe('Fix the build, please.');
    expect(section(again, 'Status')).toBe('Done.');
  });

  it('is of bounded length, whole characters, and known again, whatever it was made of (TOK-37)', () => {
    const long = brokenHistories.map((messages) =>
      messages.map((message) => ({ ...message, content: message.content.repeat(50) })),
    );
    fc.assert(
      fc.property(fc.oneof(brokenHistories, long), (messages) => {
        const content = contentOf(messages);
        expect(content.length).toBeLessThan(12_000);
        expect(isWellFormed(content)).toBe(true);
        expect(piecesOf(content)).toEqual([{ text: content, isSummary: true }]);
      }),
    );
  });

  it('cuts no emoji in two', () => {
    for (const prefix of ['', 'a'])
      expect(isWellFormed(contentOf([{ role: 'user', content: prefix + '😀'.repeat(3000) }]))).toBe(true);
  });
});

describe("the pieces of a user's text", () => {
  it('are the text itself where it has no summary', () => {
    expect(piecesOf('Hello\n\nthere')).toEqual([{ text: 'Hello\n\nthere', isSummary: false }]);
    expect(piecesOf(' ')).toEqual([]);
  });

  it('are apart when texts were joined around a summary', () => {
    const summary = asSummary('What a model wrote.');
    expect(piecesOf(`Before\n\n${summary}\n\nAfter`)).toEqual([
      { text: 'Before', isSummary: false },
      { text: summary, isSummary: true },
      { text: 'After', isSummary: false },
    ]);
  });
});
