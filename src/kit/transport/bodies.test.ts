/** Bodies in flight share their memory, and the largest is refused. */
import { describe, expect, it } from 'vitest';
import { Bodies } from './bodies.ts';

class FakeBody {
  size = 0;
  refused = 0;
  readonly all: Bodies;
  constructor(all: Bodies) {
    this.all = all;
  }
  grow(bytes: number): void {
    this.size += bytes;
    this.all.grew(this, bytes);
  }
  refuse(): void {
    this.refused++;
  }
}

describe('bodies in flight', () => {
  it('are refused from the largest on, and small ones go on', () => {
    const all = new Bodies(100);
    const [large, small, last] = [new FakeBody(all), new FakeBody(all), new FakeBody(all)];
    large.grow(80);
    small.grow(10);
    last.grow(11);
    expect([large.refused, small.refused, last.refused]).toEqual([1, 0, 0]);
    // 21 are in flight now.
    small.grow(79);
    expect(small.refused).toBe(0);
    small.grow(1);
    expect(small.refused).toBe(1);
  });

  it('give their bytes back when they are complete', () => {
    const all = new Bodies(100);
    for (let i = 0; i < 10; i++) {
      const body = new FakeBody(all);
      body.grow(100);
      all.done(body);
      all.done(body);
      expect(body.refused).toBe(0);
    }
  });

  it('do not count the rest of a refused body', () => {
    const all = new Bodies(100);
    const [refused, next] = [new FakeBody(all), new FakeBody(all)];
    refused.grow(101);
    refused.grow(500);
    all.done(refused);
    next.grow(100);
    expect([refused.refused, next.refused]).toEqual([1, 0]);
    next.grow(1);
    expect(next.refused).toBe(1);
  });

  it('refuse one body that is larger than all memory', () => {
    const body = new FakeBody(new Bodies(100));
    body.grow(101);
    expect(body.refused).toBe(1);
  });
});
