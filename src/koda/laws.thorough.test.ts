/** The laws of Koda's codecs on many texts: 1,000,000 mutated ones, and 10,000 hostile objects. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../kit/base/index.ts';
import { hostileTextArbitrary } from './arbitrary.ts';
import { decodeText } from './codec.ts';
import type { MessageKind } from './messages.ts';

const kinds: readonly MessageKind[] = ['event', 'command'];
/** The texts of each kind, and of each batch: a batch is forgotten before the next one. */
const texts = 500_000;
const batch = 10_000;
/** The memory that may stay in use after all batches (bytes). */
const growth = 16 << 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory in use without garbage (bytes). */
function memoryInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe.each(kinds)('1,000,000 mutated texts: those of an %s', (kind) => {
  it('are accepted or refused, at once, and leave nothing behind', { timeout: 600_000 }, () => {
    const arbitrary = hostileTextArbitrary(kind);
    let accepted = 0;
    let slowest = 0;
    const play = (seed: number): void => {
      for (const text of fc.sample(arbitrary, { numRuns: batch, seed })) {
        const began = process.cpuUsage().user;
        if (decodeText(kind, text, { serde: true }).ok) accepted++;
        slowest = Math.max(slowest, process.cpuUsage().user - began);
      }
    };
    play(0);
    const before = memoryInUse();
    for (let seed = 1; seed * batch < texts; seed++) play(seed);
    expect(memoryInUse() - before).toBeLessThan(growth);
    expect(accepted).toBeGreaterThan(texts / 10);
    expect(accepted).toBeLessThan(texts);
    expect(slowest).toBeLessThan(1_000_000);
  });
});

it('10,000 hostile objects leave Object.prototype alone', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'type'];
  const object = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(null, 1, 'x'),
      fc.array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 }).map((pairs) => {
        const members = pairs.map(([name, value]) => `${JSON.stringify(name)}:${String(value)}`);
        return `{${members.join(',')}}`;
      }),
    ),
  })).value;
  const before = Object.getOwnPropertyNames(Object.prototype);
  for (const hostile of fc.sample(object, { numRuns: 10_000, seed: 7 })) {
    const args = String(hostile);
    decodeText('event', `{"type":"tool_call_start","id":"a","name":"b","is_sub_agent":false,"args":${args}}`);
    decodeText('event', args, { serde: true });
    decodeText('command', args, { serde: true });
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(Object.keys({})).toEqual([]);
});
