/** The verdict on a whole agent does not depend on the dialect that it speaks to its model. */
import { describe, expect, it } from 'vitest';
import { scenariosOf, simulate } from '../../../src/kit/suite/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { agentFoldSuite } from './suite.ts';
import { wholeAgentPeer } from './target.ts';

const scenarios = scenariosOf(agentFoldSuite);

/** The mutants whose fault some dialects do not show, and those dialects. */
const hidden: { readonly [mutant: string]: readonly string[] } = {
  // Ollama and Gemini do not send a call that was cut.
  'runs-cut-calls': ['ollama', 'gemini'],
  // A channel's error has no status, so nothing says that it is final.
  'tries-all-again': ['lmstudio'],
};

/** The requirements that a target violates in scenarios, and how the scenarios ended. */
function played(
  make: typeof agentFoldSuite.reference,
  dialect: string,
  chosen = scenarios,
): { rows: string[]; ends: string[] } {
  const rows = new Set<string>();
  const ends = new Set<string>();
  for (const scenario of chosen) {
    const target = make({ ...scenario.reference, dialect });
    const { found, played: end } = simulate({ suite: agentFoldSuite, scenario, target, seed: '1' });
    ends.add(end.outcome);
    for (const [row, { violations }] of found) if (violations.length > 0) rows.add(row);
  }
  return { rows: [...rows], ends: [...ends] };
}

describe.each(dialects)('over %s', (dialect) => {
  it('the reference violates nothing, and plays every scenario to its end', { timeout: 60_000 }, () => {
    expect(played((options) => wholeAgentPeer({}, options), dialect)).toEqual({ rows: [], ends: ['done'] });
  });

  it('every mutant is caught', { timeout: 60_000 }, () => {
    const shown = agentFoldSuite.mutants().filter(({ id }) => hidden[id]?.includes(dialect) !== true);
    const missed = shown.filter(({ make, breaks }) => {
      const lists = ({ exercises }: (typeof scenarios)[number]): boolean => exercises.includes(breaks);
      const isCaught = (chosen: typeof scenarios): boolean =>
        played(make, dialect, chosen).rows.includes(breaks);
      return !isCaught(scenarios.filter(lists)) && !isCaught(scenarios.filter((one) => !lists(one)));
    });
    expect(missed.map(({ id }) => id)).toEqual([]);
  });
});
