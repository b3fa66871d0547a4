/** The golden vectors of TOON (Task Orchestration Over Node): case tables in fixtures/toon/cases, and random tests. */
import type { VectorFile } from '../../../../src/kit/spec/index.ts';
import { vectorFiles } from '../../../../src/kit/testee/index.ts';
import type { VectorSource } from '../../../../src/kit/testee/index.ts';
import { toonBuilders, toonVector } from './builders.ts';
import {
  randomCompressed,
  randomCuts,
  randomHeaders,
  randomPayloads,
  randomStreams,
} from './random-decoding.ts';
import { randomEncodes, randomRle } from './random-encoding.ts';

const source: VectorSource = {
  protocol: 'toon',
  buildersOf: () => toonBuilders,
  vectorOf: toonVector,
  random: {
    header: randomHeaders,
    length: randomCuts,
    payload: randomPayloads,
    compression: randomCompressed,
    rle: randomRle,
    encode: randomEncodes,
    stream: randomStreams,
  },
};

/** The files of vectors that a seed makes. */
export const toonCases = (seed: string): readonly VectorFile[] => vectorFiles(source, seed);
