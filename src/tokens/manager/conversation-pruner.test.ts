/** What pruning drops, shortens and keeps. */
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { ConversationPruner } from './conversation-pruner.ts';
import { estimateTokens } from './estimate.ts';

const talk = (n: number): readonly ProviderMessage[] => [
  { role: 'user', content: `question ${n}` },
  { role: 'assistant', content: `answer ${n}` },
];
const toolTurn = (n: number, content: string): readonly ProviderMessage[] => [
  { role: 'user', content: `do ${n}` },
  { role: 'assistant', content: '', toolCalls: [{ id: `c${n}`, name: 'read', input: {} }] },
  { role: 'user', content: '', toolResults: [{ id: `c${n}`, content, isError: false }] },
  { role: 'assistant', content: `did ${n}` },
];
const system: ProviderMessage = { role: 'system', content: 'Be brief.' };
const pruner = new ConversationPruner({ keepTurns: 2 });
const many = [system, ...[1, 2, 3, 4, 5].flatMap(talk)];
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n');

describe('pruning', () => {
  it('changes nothing that fits', () => {
    expect(pruner.pruneMessages(many, estimateTokens(many))).toBe(many);
  });

  it('drops the oldest turns, and no more than it must', () => {
    expect(pruner.pruneMessages(many, estimateTokens(many) - 1)).toEqual([
      system,
      ...[2, 3, 4, 5].flatMap(talk),
    ]);
    const three = [system, ...[3, 4, 5].flatMap(talk)];
    expect(pruner.pruneMessages(many, estimateTokens(three))).toEqual(three);
  });

  it('keeps system messages and recent turns, although they are too many (TOK-27)', () => {
    expect(pruner.pruneMessages(many, 0)).toEqual([system, ...[4, 5].flatMap(talk)]);
  });

  it('changes nothing when nothing is old (TOK-30)', () => {
    const two = [system, ...[1, 2].flatMap(talk)];
    expect(pruner.pruneMessages(two, 0)).toEqual(two);
    expect(pruner.pruneMessages([], 0)).toEqual([]);
  });

  it('always keeps the last turn', () => {
    expect(new ConversationPruner({ keepTurns: 0 }).pruneMessages(many, 0)).toEqual([system, ...talk(5)]);
  });

  it('keeps what tools did, and cuts old results to three lines when that is needed (TOK-27, TOK-36)', () => {
    const old = toolTurn(1, lines(50));
    const rest = [2, 3, 4].flatMap(talk);
    const pruned = pruner.pruneMessages([...old, ...rest], 0);
    expect(pruned).toEqual([...toolTurn(1, `${lines(3)}\n[47 more lines]`), ...[3, 4].flatMap(talk)]);
    const enough = estimateTokens([...old, ...[3, 4].flatMap(talk)]);
    expect(pruner.pruneMessages([...old, ...rest], enough)).toEqual([...old, ...[3, 4].flatMap(talk)]);
  });

  it('leaves results of recent turns whole', () => {
    const recent = [...talk(1), ...toolTurn(2, lines(50)), ...talk(3)];
    expect(pruner.pruneMessages(recent, 0)).toEqual([...toolTurn(2, lines(50)), ...talk(3)]);
  });

  it('gives a valid conversation even if it fits', () => {
    expect(pruner.pruneMessages([{ role: 'assistant', content: 'Hi' }, ...talk(1)], 1000)).toEqual(talk(1));
  });
});
