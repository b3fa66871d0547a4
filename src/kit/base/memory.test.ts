/** The estimate of memory against V8's own figures, and the shared limit. */
import { describe, expect, it } from 'vitest';
import { memoryOf, MemoryLimit } from './memory.ts';
import type { Json, JsonObject } from './json.ts';

/** The heap that many copies of a value take, each (bytes). */
function heapOf(make: (i: number) => JsonObject): number {
  const count = 20_000;
  const kept: JsonObject[] = [];
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < count; i++) kept.push(make(i));
  return (process.memoryUsage().heapUsed - before) / kept.length;
}

describe('memoryOf', () => {
  // JSON.parse makes values as codecs do, without shared parts. The heap holds garbage, too: it is an upper bound.
  it.each<[string, (i: number) => string]>([
    ['a short text', (i) => `{"text":"${i}"}`],
    ['nested arrays', () => '{"a":[[],[],[],[[],[]]]}'],
    ['many keys', (i) => `{"a":"${i}","b":"x","c":{"d":"y${i}"}}`],
  ])('is no less than a third of the heap that %s takes', (_name, text) => {
    const value = JSON.parse(text(77_777)) as JsonObject;
    expect(memoryOf(value) * 3).toBeGreaterThan(heapOf((i) => JSON.parse(text(i)) as JsonObject));
  });

  it('counts ASCII once and other characters twice', () => {
    const of = (text: string): number => memoryOf({ text });
    expect(of('a'.repeat(1000)) - of('')).toBe(1000);
    expect(of('あ'.repeat(1000)) - of('')).toBe(2000);
  });

  it('does not recurse', () => {
    let deep: Json = [];
    for (let i = 0; i < 1_000_000; i++) deep = [deep];
    expect(memoryOf({ deep })).toBeGreaterThan(64_000_000);
  });
});

describe('MemoryLimit', () => {
  it('is shared: memory of one holder is missing to another, until it is given back', () => {
    const limit = new MemoryLimit(100);
    expect(limit.take(60)).toBe(true);
    expect(limit.take(60)).toBe(false);
    limit.give(60);
    expect(limit.held).toBe(60);
    expect(limit.take(40)).toBe(true);
  });
});
