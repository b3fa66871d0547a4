/** TOK-48: whatever is done to a conversation to make it smaller, every provider still takes it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { brokenHistories, histories, responses, tools } from '../arbitrary.ts';
import { compact } from './compaction.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import { estimateTokens } from './estimate.ts';
import { faultsOf } from './faults.ts';
import { MessageSummarizer } from './message-summarizer.ts';
import { shrink, shrinkTo } from './overflow.ts';
import { repair } from './repair.ts';
import { StopReasonHandler } from './stop-reason-handler.ts';
import { eventsOf } from './thread.ts';
import { turnsOf } from './turns.ts';

type Step = (messages: readonly ProviderMessage[]) => readonly ProviderMessage[];

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ limit: fc.nat(2000), keepTurns: fc.integer({ min: 0, max: 5 }) }).map(
    ({ limit, keepTurns }): Step =>
      (messages) =>
        new ConversationPruner({ keepTurns }).pruneMessages(messages, limit),
  ),
  fc.nat(4).map(
    (keepTurns): Step =>
      (messages) =>
        compact(messages, { keepTurns }).messages,
  ),
  fc.nat(3).map((keepTurns): Step => (messages) => {
    const summarize = (): never => {
      throw new Error('no model to ask');
    };
    return compact(messages, { keepTurns, summarize }).messages;
  }),
  fc.constant<Step>((messages) => shrink(messages) ?? messages),
  fc.nat(1000).map(
    (limit): Step =>
      (messages) =>
        shrinkTo(messages, limit) ?? messages,
  ),
  fc.constant<Step>((messages) => new ConversationBuilder().buildConversation(eventsOf(messages))),
  fc.constant<Step>((messages) => [new MessageSummarizer().summarizeMessages(messages)]),
  fc.tuple(responses, tools).map(([response, tools]): Step => (messages) => {
    const { content, toolCalls } = new StopReasonHandler({ tools }).handleResponse(response, 'max_tokens');
    return repair([...messages, { role: 'assistant', content, toolCalls }]);
  }),
  // Cut anywhere, as a careless one would, and mended.
  fc.tuple(fc.nat(20), fc.nat(20)).map(
    ([from, to]): Step =>
      (messages) =>
        repair(messages.slice(from, -1 - to)),
  ),
);

const codes = (messages: readonly ProviderMessage[]): readonly string[] =>
  faultsOf(messages).map(({ code, path }) => `${code} at ${path}`);

describe('a conversation', () => {
  it('stays valid through any sequence of truncations, prunes and summaries (TOK-48)', () => {
    fc.assert(
      fc.property(fc.oneof(histories, brokenHistories), fc.array(steps, { maxLength: 8 }), (history, all) => {
        let messages = repair(history);
        expect(codes(messages)).toEqual([]);
        for (const step of all) {
          messages = step(messages);
          expect(codes(messages)).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is pruned to the same when it is pruned again (TOK-29)', () => {
    const limits = { limit: fc.nat(2000), keepTurns: fc.integer({ min: 0, max: 5 }) };
    fc.assert(
      fc.property(
        fc.oneof(histories, brokenHistories),
        fc.record(limits),
        (history, { limit, keepTurns }) => {
          const pruner = new ConversationPruner({ keepTurns });
          const once = pruner.pruneMessages(history, limit);
          expect(pruner.pruneMessages(once, limit)).toEqual(once);
        },
      ),
    );
  });

  it('keeps its system messages, its recent turns, and every call with a result to it, when pruned (TOK-27, TOK-28)', () => {
    fc.assert(
      fc.property(histories, fc.nat(500), fc.integer({ min: 1, max: 4 }), (history, limit, keepTurns) => {
        const pruned = new ConversationPruner({ keepTurns }).pruneMessages(history, limit);
        const [before, after] = [turnsOf(history), turnsOf(pruned)];
        expect(after.system).toEqual(before.system);
        expect(after.turns.slice(-keepTurns)).toEqual(before.turns.slice(-keepTurns));
        const callsOf = (messages: readonly ProviderMessage[]): unknown =>
          messages.flatMap(({ toolCalls = [] }) => toolCalls);
        expect(callsOf(pruned)).toEqual(callsOf(history));
      }),
    );
  });

  it('keeps all words of the user when it is compacted, and compacting again changes nothing (TOK-34)', () => {
    fc.assert(
      fc.property(histories, fc.nat(4), (history, keepTurns) => {
        const { messages } = compact(history, { keepTurns });
        expect(wordsOf(messages)).toBe(wordsOf(history));
        expect(compact(messages, { keepTurns })).toEqual({ messages, by: 'nothing' });
      }),
    );
  });

  it('gets smaller when it is shrunk, until nothing can be taken away (TOK-45)', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let messages: readonly ProviderMessage[] | undefined = history;
        for (let i = 0; messages !== undefined; i++) {
          const smaller = shrink(messages);
          if (smaller !== undefined) expect(estimateTokens(smaller)).toBeLessThan(estimateTokens(messages));
          messages = smaller;
          expect(i).toBeLessThan(100);
        }
      }),
    );
  });
});

/** What the user said; texts of messages that follow one another are joined by an empty line. */
const wordsOf = (messages: readonly ProviderMessage[]): string =>
  eventsOf(messages)
    .flatMap((event) => (event.type === 'USER_MESSAGE' ? [event.content] : []))
    .join('\n\n');
