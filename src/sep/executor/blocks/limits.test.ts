/** The limits of blocks: each is met. */
import { describe, expect, it } from 'vitest';
import { act, play } from './play.test-helper.ts';

const providers = { n: [{ output: 1 }], slow: [{ after: 1, output: 1 }] };
const action = act('x', { name: 'n' }, { mode: 'async' });
const count = (lines: readonly string[], pattern: RegExp): number =>
  lines.filter((line) => pattern.test(line)).length;

describe('the limits of loops', () => {
  const numbers = (length: number): string => JSON.stringify(Array.from({ length }, (_, i) => i));

  it('100 rounds', () => {
    const loop = (length: number): readonly string[] =>
      play(`<foreach in="${numbers(length)}">${action}</foreach>`, { providers });
    expect(count(loop(100), /^completed x_/)).toBe(100);
    expect(loop(100)).not.toContain('too-many-rounds');
    expect(count(loop(101), /^completed x_/)).toBe(100);
    expect(loop(101)).toContain('too-many-rounds');
    expect(
      count(
        play(`<foreach in="[1, 2, 3]">${action}</foreach>`, { providers, mostRounds: 2 }),
        /^completed x_/,
      ),
    ).toBe(2);
  });

  it('10,000 actions of all loops', () => {
    const nested = `<foreach in="${numbers(100)}"><foreach in="${numbers(100)}">${action}</foreach></foreach>`;
    const lines = play(nested, { providers });
    expect(count(lines, /^completed x_\d+_\d+ /)).toBe(10_000);
    expect(lines).not.toContain('too-many-rounds');
    const more = play(`${nested}<foreach in="[1, 2]">${act('y', { name: 'n' })}</foreach>`, { providers });
    expect(count(more, /^completed y_/)).toBe(0);
    expect(more).toContain('too-many-rounds');
    expect(more).toContain('completed y []');
  });

  it('the parts of all rounds, so that loops without actions end', () => {
    const open = `<foreach in="${numbers(100)}">`;
    const lines = play(`${open.repeat(8)}<thought>x</thought>${'</foreach>'.repeat(8)}`);
    expect(lines.length).toBeLessThan(200_000);
    expect(lines.at(-1)).toBe('max_iterations');
    const few = play(`<foreach in="[1, 2, 3]"><thought>x</thought></foreach>`, { mostRoundParts: 4 });
    expect(few).toEqual([
      '3 rounds of [1, 2, 3]',
      'thought x',
      'thought x',
      'too-many-rounds',
      'max_iterations',
    ]);
  });

  it('the characters of all rounds', () => {
    expect(
      play(`<foreach in="[1, 2, 3]"><thought>four</thought></foreach>`, { mostRoundCharacters: 8 }),
    ).toEqual(['3 rounds of [1, 2, 3]', 'thought four', 'thought four', 'too-many-rounds', 'max_iterations']);
  });
});

describe('the limits of what waits for a block', () => {
  const first = act('a', { name: 'slow' }, { mode: 'async' });

  it('its parts', () => {
    const behind = Array.from({ length: 5 }, (_, i) => act(`b${i}`, { name: 'n' })).join('');
    const lines = play(`${first}<if test="$a"></if>${behind}`, { providers, mostWaiting: 4 });
    expect(lines.filter((line) => /^completed b|large/.test(line))).toEqual([
      'block-too-large',
      'completed b0 1',
      'completed b1 1',
      'completed b2 1',
    ]);
  });

  it('its characters: the begin of a text is kept, wherever it is cut', () => {
    const output = `${first}<if test="$a"><response>0123456789</response></if>`;
    const iterations = [output.split(''), [output]];
    for (const one of iterations)
      expect(play('', { iterations: [one], providers, mostWaitingCharacters: 8 })).toContain(
        'response 01234567',
      );
    expect(play(output, { providers, mostWaitingCharacters: 10 })).not.toContain('block-too-large');
  });

  it('a block without room is left out as a whole', () => {
    const block = `<if test="true"><if test="true"><thought>in</thought></if><else/><thought>else</thought></if>`;
    const lines = play(`${first}<if test="$a">${block}</if><thought>behind</thought>`, {
      providers,
      mostWaiting: 1,
    });
    expect(lines).toEqual([
      'started a {}',
      'block-too-large',
      'thought behind',
      'completed a 1',
      '$a: true',
      'true: true',
      'max_iterations',
    ]);
  });

  it('what a loop keeps waits, too, and the room is free behind it', () => {
    const loop = `<foreach in="[1]"><thought>0123456789</thought></foreach>`;
    expect(play(loop, { mostWaitingCharacters: 8 })).toEqual([
      'block-too-large',
      '1 rounds of [1]',
      'thought 01234567',
      'max_iterations',
    ]);
    const some = loop.repeat(20);
    expect(count(play(some, { mostWaitingCharacters: 14, mostWaiting: 4 }), /^thought/)).toBe(20);
  });
});
