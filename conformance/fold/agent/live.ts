/** The agent rules on live traffic of many agents: one judge an agent, by the id under which it registers. */
import { isObject } from '../../../src/kit/base/index.ts';
import { KeyedJudges } from '../../../src/kit/judge/index.ts';
import type { PartyViolation } from '../../../src/kit/judge/index.ts';
import { foldAgentSuite } from './suite.ts';
import type { FoldView } from './view.ts';

/** Makes the judges; an agent that registers under the id that its refusal suggested is the same agent. */
export const liveJudges = (violated: (violation: PartyViolation) => void): KeyedJudges<FoldView> =>
  new KeyedJudges(
    foldAgentSuite.judging,
    {
      keyOf({ from, kind, data: { register } }) {
        if (from !== 'target' || kind !== 'message' || !isObject(register)) return undefined;
        return typeof register['agent_id'] === 'string' ? register['agent_id'] : '';
      },
      nextKeyOf({ kind, data: { registration_error: error } }) {
        const id = kind === 'message' && isObject(error) ? error['suggested_id'] : undefined;
        return typeof id === 'string' && id !== '' ? id : undefined;
      },
    },
    violated,
  );
