/**
 * The suite of token managers: the target is a testee that is shown responses, usages and conversations, and says what
 * it makes of them, a line of JSON each way on its stdin and stdout.
 */
import { lineFraming, testeeOf, tester } from '../../../src/kit/testee/index.ts';
import { testeeStatement } from '../../../src/kit/suite/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { tokensTestee } from '../../../src/tokens/index.ts';
import { managerMutants } from './mutants/index.ts';
import { managerRules } from './rules.ts';
import { managerScenarios } from './scenarios.ts';
import { judgedBy } from './view.ts';
import type { ManagerView } from './view.ts';

/** Token managers: the target answers operations, the kit asks. */
export const tokensManagerSuite: Suite<ManagerView> = {
  id: 'tokens/manager',
  protocol: 'tokens',
  role: 'manager',
  title: 'Token managers: do conversations survive the output limit and the context window?',
  features: [],
  judging: { rules: managerRules, ...judgedBy },
  secrets: { metadata: [], fields: [], may: () => false },
  timeouts: { handshake: 5000, step: 10_000, late: 0 },
  target: {
    kind: 'meets',
    carriers: ['stdio'],
    framing: lineFraming,
    drive: 'operations',
    advertised: () => [],
  },
  scenarios: () => managerScenarios(),
  unsupported: () => undefined,
  peers: { 'tokens/tester': () => tester },
  conditionalRows: [],
  statement: testeeStatement,
  reference: () => testeeOf(tokensTestee),
  mutants: managerMutants,
};
