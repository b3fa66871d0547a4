/** The rules for agents on live traffic of many agents. Each agent has its own judge, by its agent_id. */
import { isObject } from '../../../src/kit/base/index.ts';
import { KeyedJudges } from '../../../src/kit/judge/index.ts';
import type { PartyViolation } from '../../../src/kit/judge/index.ts';
import { foldAgentSuite } from './suite.ts';
import type { FoldView } from './view.ts';

/** Makes the judges. An agent that registers under the suggested id of its refusal keeps its judge. */
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
