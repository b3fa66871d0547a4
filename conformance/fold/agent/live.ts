/** The rules for agents on live traffic of many agents. Each agent has its own judge, by its agent_id. */
import { KeyedJudges } from '../../../src/kit/judge/index.ts';
import type { PartyViolation } from '../../../src/kit/judge/index.ts';
import { agentParties } from './parties.ts';
import { foldAgentSuite } from './suite.ts';
import type { FoldView } from './view.ts';

/** Makes the judges. */
export const liveJudges = (violated: (violation: PartyViolation) => void): KeyedJudges<FoldView> =>
  new KeyedJudges(foldAgentSuite.judging, agentParties, violated);
