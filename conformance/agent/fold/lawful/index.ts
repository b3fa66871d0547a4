/** Agents that are odd, and right: the rules blame none of them. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { wholeAgentWith } from '../mutants/mutant.ts';
import type { WholeAgentFaults } from '../mutants/mutant.ts';
import { asksAgain } from '../asks-again.ts';
import { withResults } from '../edited-results.ts';
import { wholeAgentPeer } from '../target.ts';

/** A request for a summary: the same conversation under another system text, without tools. */
const summaryOf = ({ tools: _tools, ...body }: JsonObject): JsonObject => ({
  ...body,
  system: 'Say in one sentence what was asked for.',
});

/** Puts words around the results of tools in a model request. */
const wrapsResults = withResults((content) => `<output>\n${content}\n[0 lines were left out]\n</output>`);

const oddities: WholeAgentFaults = {
  'sums-up-after-cancel': {
    make: (options) => (world) => wholeAgentPeer({}, options, asksAgain(1, summaryOf))(world),
  },
  'wraps-outputs': { make: (options) => wholeAgentPeer({ request: wrapsResults }, options) },
};

export const lawfulWholeAgents: () => readonly LawfulPeer[] = lawfulOf(
  'agent/fold',
  [oddities],
  wholeAgentWith,
);
