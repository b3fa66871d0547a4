/** Random conversations of the reference client with the simulated provider: one dialect after the other, seed by seed. */
import type { MakePeer, PlayConversation } from '../../../src/kit/suite/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { randomTurns } from './random-answers.ts';
import { scenarioFor } from './scenarios.ts';
import { llmClientSuite } from './suite.ts';

/** The conversation of a seed with this client; default: the reference. */
export function conversation(
  seed: number,
  target: MakePeer = llmClientSuite.reference(),
): ReturnType<PlayConversation> {
  const dialect = dialects[seed % dialects.length] ?? dialects[0];
  const turns = randomTurns(seededRandom(`${seed} llm`), dialect);
  const scenario = scenarioFor({ name: 'conversation', title: 'A random conversation', turns }, dialect);
  const { events, played, found } = simulate({
    suite: llmClientSuite,
    scenario,
    target,
    seed: String(seed),
  });
  const early = played.outcome === 'done' ? [] : [`ended early: ${played.reason ?? ''}`];
  const violations = [...found].flatMap(([row, of]) =>
    of.violations.map(({ seq, message }) => `${row} at ${seq}: ${message}`),
  );
  return { events, failures: [...early, ...violations] };
}

/** Random conversations of the reference client. */
export const clientConversation: PlayConversation = (seed) => conversation(seed);
