/** The feature that a client claims by what it sends, also in a form that cannot be read. */
import { describe, expect, it } from 'vitest';
import { Judge } from '../../../src/kit/judge/index.ts';
import { sessionNamed } from '../../sessions.test-helper.ts';
import { kodaClientSuite } from './suite.ts';

/** The features that the client of a hand-written session claims. */
function claimsIn(name: string): readonly string[] {
  const judge = new Judge(kodaClientSuite.judging);
  for (const event of sessionNamed('koda', name).events) judge.step(event);
  const { target } = kodaClientSuite;
  return target.kind === 'meets' ? target.advertised(judge.view) : [];
}

describe('the claim of slash commands', () => {
  it.each([
    ['KODA-82.client.good', ['slash_commands']],
    // KODA-82 is broken by a client whose slash commands are all nested.
    ['KODA-82.client.bad', ['slash_commands']],
    ['KODA-78.client.good', []],
  ])('%s: %j', (name, claims) => {
    expect(claimsIn(name)).toEqual(claims);
  });
});
