/** All rules of Fold's agents, in the order of their requirements. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { FoldView } from '../view.ts';
import { approvalRules } from './approvals.ts';
import { concurrencyRules } from './concurrency.ts';
import { cancellationRules } from './cancellation.ts';
import { featureRules } from './features.ts';
import { injectionRules } from './injection.ts';
import { lifecycleRules } from './lifecycle.ts';
import { priorityRules } from './priorities.ts';
import { registrationRules } from './registration.ts';
import { requestRules } from './requests.ts';
import { reconnectionRules } from './reconnection.ts';
import { toolRules } from './tools.ts';
import { usageRules } from './usage.ts';

/** Every rule, each for one requirement. */
export const agentRules: readonly Rule<FoldView>[] = [
  ...registrationRules,
  ...reconnectionRules,
  ...featureRules,
  ...requestRules,
  ...concurrencyRules,
  ...toolRules,
  ...approvalRules,
  ...usageRules,
  ...injectionRules,
  ...priorityRules,
  ...cancellationRules,
  ...lifecycleRules,
];
