/** Random tests of encoding: headers, payloads, run-length code. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Vector } from '../../../../src/kit/spec/index.ts';
import type { RandomTests } from '../../../../src/kit/testee/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import { hex, rle, run, smallest, typeNames } from './bytes.ts';
import type { Bytes } from './bytes.ts';
import { randomJson, randomObject } from './json.ts';
import { randomRleDecodes, randomRuns } from './random-decoding.ts';
import { many, sending, valid } from './table.ts';

/** Messages with random headers, data and arguments. */
export const randomEncodes: RandomTests = (seed, random) => {
  const header = (n: number): Vector => {
    const timestamp = String((BigInt(random.below(2 ** 21)) << 32n) | BigInt(random.below(2 ** 32)));
    const sequenceId = random.below(2 ** 32);
    const type = typeNames[random.below(typeNames.length)] ?? 'HEARTBEAT';
    const input = sending(type, JSON.parse(smallest[type]) as JsonObject, { timestamp, sequenceId });
    const facts = { type, timestamp, sequenceId };
    return valid(`encode-random-${seed}-header-${n}`, 'any header', 1, input, facts);
  };
  const value = (n: number): Vector => {
    const data = [randomJson(random, 3), 'x'.repeat(random.below(2) * (1000 + random.below(900)))];
    const payload = { success: true, data };
    const input = sending('TOOL_RESULT', payload, { compress: n % 2 === 0 });
    return valid(`encode-random-${seed}-value-${n}`, 'any data', 42, input, { payload });
  };
  const call = (n: number): Vector => {
    const payload = { toolName: 'any', args: randomObject(random, 3) };
    const input = sending('TOOL_CALL', payload);
    return valid(`encode-random-${seed}-call-${n}`, 'any args', 42, input, { payload });
  };
  return { 'toon.encode': many(5, (n) => [header(n), value(n), call(n)]).flat() };
};

/** Run-length code: a third of the tests each has runs of four and more, edges of runs, and the escape byte. */
function randomRleEncodes(seed: string, random: Random): readonly Vector[] {
  const edges = [1, 2, 3, 65, 254, 256, 257];
  const kinds: readonly (readonly [row: number, kind: string, make: () => Bytes])[] = [
    [19, 'runs', () => randomRuns(random, () => 4 + random.below(61))],
    [20, 'edges', () => randomRuns(random, () => edges[random.below(7)] ?? 1)],
    [21, 'ff', () => randomRuns(random, () => 1).flatMap((byte) => [byte, ...run(0xff, random.below(5))])],
  ];
  return many(9, (n) => {
    const [row, kind, make] = kinds[n % 3] ?? [19, '', () => []];
    const bytes = make();
    const comment = `any ${kind}, ${bytes.length} bytes`;
    return valid(`rle-random-${seed}-${n}`, comment, row, { bytes: hex(bytes) }, { bytes: hex(rle(bytes)) });
  });
}

/** Run-length coding, in both directions. */
export const randomRle: RandomTests = (seed, random) => ({
  'toon.rle.encode': randomRleEncodes(seed, random),
  'toon.rle.decode': randomRleDecodes(seed, random),
});
