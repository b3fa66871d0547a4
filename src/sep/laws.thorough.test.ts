/** The law of cuts with 100,000 random cuts (SEP-03). */
import { describe, it } from 'vitest';
import { holdCuts, kindsOfCuts } from './cuts.test-helper.ts';

/** The number of cuts of each kind. */
const count = 33_334;

describe('SEP-03: 100,000 random cuts change no event', () => {
  it.each(kindsOfCuts)('between %s', { timeout: 600_000 }, (kind) => holdCuts(kind, count));
});
