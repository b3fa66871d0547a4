/** Shards: each scenario is in exactly one, however many there are, and stays there when others are added. */
import { describe, expect, it } from 'vitest';
import { scenariosOf } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';
import { isInShard, shardOf } from './shard.ts';

const shards = Array.from({ length: 16 }, (_, i) => i + 1);
const partsOf = (name: string, of: number): readonly number[] =>
  shards.slice(0, of).filter((part) => isInShard({ part, of }, name));

describe('shards', () => {
  it('have each scenario of every suite once', async () => {
    const names = (await registry.loadAll()).flatMap((suite) => scenariosOf(suite).map(({ name }) => name));
    expect(names.length).toBeGreaterThan(100);
    for (const of of shards) for (const name of names) expect(partsOf(name, of)).toHaveLength(1);
  });

  it('are reasonably even', () => {
    // 1600 names: within four standard deviations of a fair draw.
    const names = Array.from({ length: 1600 }, (_, i) => `scenario-${i}`);
    for (const of of shards) {
      const fair = names.length / of;
      const most = 4 * Math.sqrt(fair);
      for (let part = 1; part <= of; part++) {
        const size = names.filter((name) => isInShard({ part, of }, name)).length;
        expect(Math.abs(size - fair)).toBeLessThanOrEqual(of === 1 ? 0 : most);
      }
    }
  });

  it('are named i/n', () => {
    expect(shardOf('2/3')).toEqual({ part: 2, of: 3 });
    for (const text of ['0/3', '4/3', '1', '1/x', '-1/3', '1/3/5'])
      expect(() => shardOf(text)).toThrow(`--shard ${text}: expected i/n, such as 1/3`);
  });
});
