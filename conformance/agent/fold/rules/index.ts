/** All rules over both wires. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { BothView } from '../records.ts';
import { afterCancelRules } from './after-cancel.ts';
import { approvalRules } from './approvals.ts';
import { budgetRules } from './budget.ts';
import { callRules } from './calls.ts';
import { cancellationRules } from './cancellation.ts';
import { endRules } from './ends.ts';
import { failureRules } from './failures.ts';
import { injectionRules } from './injections.ts';
import { mixingRules } from './mixing.ts';
import { outputRules } from './outputs.ts';
import { priorityRules } from './priorities.ts';
import { processRules } from './processes.ts';

export const bothRules: readonly Rule<BothView>[] = [
  ...cancellationRules,
  ...afterCancelRules,
  ...processRules,
  ...callRules,
  ...outputRules,
  ...approvalRules,
  ...injectionRules,
  ...priorityRules,
  ...endRules,
  ...budgetRules,
  ...failureRules,
  ...mixingRules,
];
