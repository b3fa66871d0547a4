/** `--shard`: parts of a run, for several machines. */
import { createHash } from 'node:crypto';
import { WireproofError } from '../../src/kit/base/index.ts';

/** One of `of` shards. */
export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Reads `--shard`: `2/3` is the second of three. @throws WireproofError 'usage' */
export function shardOf(text: string): Shard {
  const [, i, n] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { part: Number(i), of: Number(n) };
  if (!(shard.part >= 1 && shard.part <= shard.of))
    throw new WireproofError('usage', `--shard ${text}: expected i/n, such as 1/3`);
  return shard;
}

/**
 * Whether a shard plays a scenario. It depends on nothing but the name, so a scenario that is added moves no other one.
 */
export const isInShard = ({ part, of }: Shard, name: string): boolean =>
  createHash('sha256').update(name).digest().readUInt32BE() % of === part - 1;
