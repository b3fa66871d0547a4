/** Colours as https://no-color.org and https://force-color.org have them. */
import { describe, expect, it } from 'vitest';
import { usesColour } from './color.ts';

describe('colour', () => {
  it.each([
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ NO_COLOR: '', FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{}, true, true],
    [{}, false, false],
  ] as const)('%j, terminal %s: %s', (env, isTTY, expected) => {
    expect(usesColour({ isTTY }, env)).toBe(expected);
  });
});
