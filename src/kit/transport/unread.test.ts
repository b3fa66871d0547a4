import { describe, expect, it } from 'vitest';
import { Pieces } from './pieces.ts';
import { UnreadMemory } from './unread.ts';

describe('the memory of unread answers', () => {
  const answer = (dropped: string[], name: string): { drop(): void } => ({
    drop: () => void dropped.push(name),
  });

  it('drops the largest when there are too many bytes', () => {
    const dropped: string[] = [];
    const memory = new UnreadMemory(100);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => answer(dropped, name));
    if (a === undefined || b === undefined || c === undefined) return expect.fail();
    memory.waits(a, 20);
    memory.waits(b, 70);
    memory.waits(c, 20);
    expect(dropped).toEqual(['b']);
    memory.waits(c, 75);
    expect(dropped).toEqual(['b']);
    memory.read(a);
    memory.waits(b, 20);
    expect(dropped).toEqual(['b']);
  });

  it('leaves one that is alone', () => {
    const dropped: string[] = [];
    new UnreadMemory(100).waits(answer(dropped, 'a'), 1000);
    expect(dropped).toEqual([]);
  });
});

it('pieces of one byte are joined in their order', () => {
  const pieces = new Pieces();
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251));
  for (const byte of bytes) pieces.push(Uint8Array.of(byte));
  expect(Buffer.from(pieces.take()).equals(bytes)).toBe(true);
  expect(pieces.take()).toHaveLength(0);
});
