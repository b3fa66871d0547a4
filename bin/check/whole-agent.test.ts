/** `wireproof check fold/agent --drive llm`: the reference as a whole agent, its gateway and its model are the kit. */
import { it } from 'vitest';
import { expectConformant } from './whole-agent.test-helper.ts';

// The other dialects: whole-agent.thorough.test.ts.
it('the reference is conformant in the dialect anthropic, with every MUST exercised', () =>
  expectConformant('anthropic'));
