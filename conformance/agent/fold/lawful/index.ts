/** Agents that are odd, and right: the rules blame none of them. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
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

/** Every lawful agent. */
export const lawfulWholeAgents: readonly LawfulPeer[] = [
  {
    id: 'sums-up-after-cancel',
    title: 'As soon as a request is cancelled, it asks the model for a summary of it, without tools.',
    allowed:
      'AGENT-01, allows: model requests without tools, once the agent has offered tools, are its own affair',
    make: (options) => (world) => wholeAgentPeer({}, options, asksAgain(1, summaryOf))(world),
  },
  {
    id: 'wraps-outputs',
    title: 'It tells its model the outputs of tools in words of its own, with a mark of what it left out.',
    allowed: 'AGENT-61, allows: words before, after and around the text',
    make: (options) => wholeAgentPeer({ request: wrapsResults }, options),
  },
];
