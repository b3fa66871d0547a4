/**
 * The rows of Fold's gateways that one agent can judge. Its own stream shows no operator, no pack and no other agent:
 * every row that depends on one of these is left out, and so is every row that a planned stop excuses.
 */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { welcomeFirst } from './rules/registration.ts';
import { foldGatewaySuite } from './suite.ts';
import type { GatewayView } from './view.ts';

/** Rows of which every rule goes by the agent's own stream. */
const ownRows: ReadonlySet<string> = new Set([
  'FOLD-G03', // the agent_id in Welcome
  'FOLD-G04', // server_id and instance_id
  'FOLD-G08', // RegistrationError
  'FOLD-G14', // no injection that was not advertised
  'FOLD-G15', // no cancel that was not advertised
  'FOLD-G17', // request_id
  'FOLD-G18', // thread_id
  'FOLD-G33', // decisions only about what the agent asked
  'FOLD-G34', // injection_id and priority
  'FOLD-G47', // required capabilities of offered tools
  'FOLD-G53', // an mcp_token of its own
]);

/** The suite of gateways as one agent sees it. Of FOLD-G02 only one half: another agent may have the id. */
export const agentSideSuite: Suite<GatewayView> = {
  ...foldGatewaySuite,
  judging: {
    ...foldGatewaySuite.judging,
    rules: [
      welcomeFirst,
      ...foldGatewaySuite.judging.rules.filter(({ requirement }) => ownRows.has(requirement)),
    ],
  },
};
