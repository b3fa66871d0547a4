/** The statement's schema: "{nonce} stands for a word that is new in each call" (tools.*.input). */
import { describe, expect, it } from 'vitest';
import { fill } from '../scenario/index.ts';
import { ToolWords, holdsNonce } from './tool-words.ts';

const slow = { name: 'bash', input: { command: 'sleep 60 # {nonce}', env: ['{nonce}', 1, null] } };
const quick = { name: 'echo', input: { text: 'no word here' } };

describe('the {nonce} of a tool', () => {
  it('is a new word at each use of its input, the same in all of its texts', () => {
    const words = new ToolWords({ slow, quick }, 'n1');
    const call = (): unknown => fill('$tools.slow.input', { tools: words.variable });
    const calls = [call(), call()];
    const [first, second] = words.words;
    expect(words.words.map(({ tool }) => tool)).toEqual(['slow', 'slow']);
    expect(calls).toEqual(
      [first?.word, second?.word].map((word) => ({ command: `sleep 60 # ${word}`, env: [word, 1, null] })),
    );
    expect(first?.word).not.toBe(second?.word);
  });

  it('is part of no other word, however many there are', () => {
    const words = new ToolWords({ slow }, 'n1');
    for (let n = 0; n < 120; n++) fill('$tools.slow.input', { tools: words.variable });
    const all = words.words.map(({ word }) => word);
    expect(all.filter((one) => all.some((other) => other !== one && other.includes(one)))).toEqual([]);
  });

  it('is not made for inputs without it, nor for names', () => {
    const words = new ToolWords({ slow, quick }, 'n1');
    const scope = { tools: words.variable };
    expect(fill(['$tools.quick.input', '$tools.slow.name'] as never, scope)).toEqual([quick.input, 'bash']);
    expect(words.words).toEqual([]);
    expect([slow, quick].map(({ input }) => holdsNonce(input))).toEqual([true, false]);
  });

  it('is forgotten when other peers call the tools', () => {
    const words = new ToolWords({ slow }, 'n1');
    fill('$tools.slow.input', { tools: words.variable });
    words.forget();
    expect(words.words).toEqual([]);
  });
});
