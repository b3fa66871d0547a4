/** Messages of threads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import { histories, threads } from '../arbitrary.ts';
import { ConversationBuilder, workingEvents } from './conversation-builder.ts';
import { faultsOf } from './faults.ts';
import { eventsOf } from './thread.ts';
import type { ThreadEvent } from './thread.ts';

const builder = new ConversationBuilder();
const said = (content: string): ThreadEvent => ({ type: 'USER_MESSAGE', content });
const call = (id: string): ThreadEvent => ({ type: 'TOOL_CALL', id, name: 'read', input: {} });
const result = (
  id: string,
  status: 'denied' | 'failed' | 'aborted' | 'completed',
  content: string = status,
): ThreadEvent => ({
  type: 'TOOL_RESULT',
  id,
  content,
  status,
});
const compaction = (events: Json | readonly ThreadEvent[]): ThreadEvent => ({ type: 'COMPACTION', events });

describe('a conversation built from a thread', () => {
  it('holds the calls of one response in one message, and their results in the next', () => {
    const events: readonly ThreadEvent[] = [
      said('Read both.'),
      { type: 'AGENT_MESSAGE', content: 'I do.' },
      call('a'),
      call('b'),
      result('b', 'completed'),
      result('a', 'failed'),
      call('c'),
      result('c', 'aborted'),
    ];
    expect(builder.buildConversation(events)).toEqual([
      { role: 'user', content: 'Read both.' },
      {
        role: 'assistant',
        content: 'I do.',
        toolCalls: [
          { id: 'a', name: 'read', input: {} },
          { id: 'b', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: '',
        toolResults: [
          { id: 'a', content: 'failed', isError: true },
          { id: 'b', content: 'completed', isError: false },
        ],
      },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'read', input: {} }] },
      { role: 'user', content: '', toolResults: [{ id: 'c', content: 'aborted', isError: true }] },
    ]);
  });

  it('is the one that its events were taken of', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(builder.buildConversation(eventsOf(history))).toEqual(history);
      }),
    );
  });

  it('is valid, whatever the thread (TOK-48)', () => {
    fc.assert(
      fc.property(threads, (events) => {
        expect(faultsOf(builder.buildConversation(events))).toEqual([]);
      }),
    );
  });

  it('leaves out what was told to the user alone', () => {
    const local: ThreadEvent = { type: 'LOCAL_MESSAGE', content: '40 % of the window used' };
    expect(builder.buildConversation([said('a'), local])).toEqual([{ role: 'user', content: 'a' }]);
  });

  it('takes the worst of several results to one call (TOK-39)', () => {
    const events = [
      said('a'),
      call('c'),
      result('c', 'completed'),
      result('c', 'denied'),
      result('c', 'failed'),
    ];
    expect(builder.buildConversation(events).at(-1)?.toolResults).toEqual([
      { id: 'c', content: 'denied', isError: true },
    ]);
  });

  it('says why an error has no content, by its status', () => {
    const last = builder.buildConversation([said('a'), call('c'), result('c', 'denied', '')]).at(-1);
    expect(last?.toolResults?.[0]?.content).toBe('The tool was not allowed to run.');
  });
});

describe('of several compactions', () => {
  const old = [said('1'), said('2')];

  it('only the newest counts, and what came after it (TOK-38)', () => {
    const events = [...old, compaction([said('first')]), said('3'), compaction([said('second')]), said('4')];
    expect(workingEvents(events)).toEqual([said('second'), said('4')]);
  });

  it.each<[string, Json]>([
    ['none', null],
    ['an object', { events: [] }],
    ['an empty list', []],
    ['a list with something else', [{ type: 'USER_MESSAGE', content: 'x' }, 'y']],
    ['an event without text', [{ type: 'USER_MESSAGE' }]],
    ['an event of no known type', [{ type: 'NOISE', content: 'x' }]],
    ['a compaction within', [{ type: 'COMPACTION', events: [] }]],
    ['a call without arguments', [{ type: 'TOOL_CALL', id: 'c', name: 'read' }]],
    ['a result of no known status', [{ type: 'TOOL_RESULT', id: 'c', content: 'x', status: 'lost' }]],
  ])('one with %s falls back to all events (TOK-38)', (_, malformed) => {
    const events = [...old, compaction([said('first')]), said('3'), compaction(malformed), said('4')];
    expect(workingEvents(events)).toEqual([...old, said('3'), said('4')]);
  });
});

describe('the token-aware builder', () => {
  it('estimates, and prunes to a limit', async () => {
    const messages = builder.buildConversation([
      said('a'),
      { type: 'AGENT_MESSAGE', content: 'b' },
      said('c'),
      { type: 'AGENT_MESSAGE', content: 'd' },
    ]);
    expect(await builder.estimateTokens(messages)).toBe(44);
    const pruned = new ConversationBuilder({ keepTurns: 1 }).pruneToTokenLimit(messages, 40);
    expect(pruned.map(({ content }) => content)).toEqual(['c', 'd']);
  });

  it('asks the provider where that counts', async () => {
    const sources = { counter: { countTokens: async () => 7 } };
    expect(await new ConversationBuilder({ sources }).estimateTokens([])).toBe(7);
  });
});
