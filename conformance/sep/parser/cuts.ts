/**
 * Outputs whose cuts are hard: each is cut into two at every character and every byte, into single characters and bytes,
 * and into random pieces. The events must be those of the whole output (SEP-03).
 */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Vector } from '../../../src/kit/spec/index.ts';
import { vectorOf } from '../../../src/kit/testee/index.ts';
import type { RandomTests } from '../../../src/kit/testee/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { hexText } from './memory.ts';

/** A tricky output, and what must come of it. */
interface TrickyOutput {
  readonly name: string;
  readonly output: string;
  readonly expect: JsonObject;
}

const outputs: readonly TrickyOutput[] = [
  {
    name: 'blocks',
    output:
      '<thought>a < b</thought ><action id="a>" type="tool" mode="sync">{"name":"x"}</action><response final="false">c</response>',
    expect: {
      thought: 'a < b',
      actions: [{ id: 'a>', name: 'x' }],
      response: 'c',
      text: '',
    },
  },
  {
    name: 'strings',
    output:
      '<action type="tool" mode="async" id="s">{"name":"x","parameters":{"t":"\\"</action>\\\\","u":"</act"}}</action>',
    expect: { actions: [{ id: 's', parameters: { t: '"</action>\\', u: '</act' } }], text: '' },
  },
  {
    name: 'characters',
    output: '<thought>é€😀</thought>ü<response final="true">𝄞 ok</response>',
    expect: { thought: 'é€😀', text: 'ü', response: '𝄞 ok' },
  },
  {
    name: 'almost',
    output: '<thought></thoughts></ thought><thoughts <</thought><!- a --><!-- b --->c',
    expect: { thought: '</thoughts></ thought><thoughts <', text: '<!- a -->c' },
  },
  {
    // Its characters are bytes: an offset may count either.
    name: 'faults',
    output: '<action id="a" type="tool" mode="sync">b</action><response>c</response>d',
    expect: { actions: [], response: 'c', diagnostic: true },
  },
];

/** An output in pieces, at these positions. */
const piecesOf = (output: string, cuts: readonly number[]): readonly string[] =>
  [...cuts, output.length].map((end, i) => output.slice(cuts[i - 1] ?? 0, end));

const hexOf = (bytes: Uint8Array, cuts: readonly number[]): readonly string[] =>
  [...cuts, bytes.length].map((end, i) => hexText(bytes.subarray(cuts[i - 1] ?? 0, end)));

const numbersBelow = (end: number): readonly number[] => Array.from({ length: end - 1 }, (_, i) => i + 1);

/** Positions between the characters of a text: none is inside of a surrogate pair, which JSON cannot carry. */
const charactersOf = (output: string): readonly number[] =>
  numbersBelow(output.length).filter((at) => !/[\uDC00-\uDFFF]/.test(output[at] ?? ''));

const test = (name: string, comment: string, input: JsonObject, expect: JsonObject): Vector =>
  vectorOf({ id: `cut-${name}`, comment, requirements: ['SEP-03'], ...input, expect });

function everyCut({ name, output, expect }: TrickyOutput): readonly Vector[] {
  const bytes = new TextEncoder().encode(output);
  const characters = charactersOf(output);
  const positions = numbersBelow(bytes.length);
  // Cuts of bytes between characters are those of characters again.
  const inside = positions.filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
  return [
    test(
      `${name}-whole`,
      'the whole output, with which the others are compared',
      { chunks: [output] },
      expect,
    ),
    test(`${name}-characters`, 'one character a piece', { chunks: piecesOf(output, characters) }, expect),
    test(`${name}-bytes`, 'one byte a piece', { bytes: hexOf(bytes, positions) }, expect),
    ...characters.map((at) =>
      test(`${name}-${at}`, `a cut at ${at}`, { chunks: piecesOf(output, [at]) }, expect),
    ),
    ...inside.map((at) =>
      test(
        `${name}-byte-${at}`,
        `a cut in a character, at byte ${at}`,
        { bytes: hexOf(bytes, [at]) },
        expect,
      ),
    ),
  ];
}

/** The number of random cuts of each output. */
const randomCuts = 8;

function someCuts(random: Random, seed: string, { name, output, expect }: TrickyOutput): readonly Vector[] {
  const bytes = new TextEncoder().encode(output);
  return Array.from({ length: randomCuts }, (_, n) => {
    const cuts = numbersBelow(bytes.length).filter(() => random.below(6) === 0);
    return test(`${name}-random-${seed}-${n}`, 'random cuts', { bytes: hexOf(bytes, cuts) }, expect);
  });
}

/** The tests of cuts, for a seed. */
export const cutTests: RandomTests = (seed, random) => ({
  'sep.parse': outputs.flatMap((output) => [...everyCut(output), ...someCuts(random, seed, output)]),
});
