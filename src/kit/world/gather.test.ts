/** Writes that are gathered to one. */
import { describe, expect, it } from 'vitest';
import { Gathering } from './gather.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('a gathering', () => {
  it('lets writes pass before it begins, and after it is complete', () => {
    const gathering = new Gathering();
    expect(gathering.take(bytes(1))).toEqual(bytes(1));
    gathering.begin(2);
    expect(gathering.take(bytes(2, 3))).toBeUndefined();
    expect(gathering.take(bytes(4))).toEqual(bytes(2, 3, 4));
    expect(gathering.take(bytes(5))).toEqual(bytes(5));
  });

  it('gives what waits when it is ended early', () => {
    const gathering = new Gathering();
    gathering.begin(3);
    gathering.take(bytes(1));
    gathering.take(bytes(2));
    expect(gathering.end()).toEqual(bytes(1, 2));
    expect(gathering.end()).toBeUndefined();
    expect(gathering.take(bytes(3))).toEqual(bytes(3));
  });
});
