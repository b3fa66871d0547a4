/**
 * The rows of Fold gateways that one agent can judge. Its own stream does not show operators, packs and other agents, so
 * the rows that depend on them are left out. Rows that a planned stop excuses are left out, too.
 */
import type { Suite } from '../../../src/kit/suite/index.ts';
import { welcomeFirst } from './rules/registration.ts';
import { foldGatewaySuite } from './suite.ts';
import type { GatewayView } from './view.ts';

/** The rows whose rules only need the agent's own stream. */
const ownRows: ReadonlySet<string> = new Set([
  'FOLD-G03', // the agent_id in Welcome
  'FOLD-G04', // server_id and instance_id
  'FOLD-G08', // RegistrationError
  'FOLD-G14', // no injection to an agent that does not advertise it
  'FOLD-G15', // no cancel to an agent that does not advertise it
  'FOLD-G17', // request_id
  'FOLD-G18', // thread_id
  'FOLD-G33', // decisions only about tools that the agent asked about
  'FOLD-G34', // injection_id and priority
  'FOLD-G47', // required capabilities of offered tools
]);

/** The suite of gateways as one agent sees it. It has one of the two rules of FOLD-G02: another agent may have the id. */
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
