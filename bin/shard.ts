/** `--shard`: parts of a run, for several machines. */
import { WireproofError } from '../src/kit/base/index.ts';

/** The part of the scenarios in this run: `2/3` is the second of three. */
export function shardOf(text: string | undefined): (index: number) => boolean {
  if (text === undefined) return () => true;
  const [, i, n] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const [part, of] = [Number(i), Number(n)];
  if (!(part >= 1 && part <= of))
    throw new WireproofError('usage', `--shard ${text}: expected i/n, such as 1/3`);
  return (index) => index % of === part - 1;
}
