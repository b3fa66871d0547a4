/** All rules of model servers. Several rules may judge one requirement. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ServerView } from '../view.ts';
import { countRules } from './counts.ts';
import { dialectRules } from './dialects.ts';
import { endRules } from './ends.ts';
import { formRules } from './forms.ts';
import { leavingRules } from './leaving.ts';
import { stopRules } from './stops.ts';
import { truthRules } from './truth.ts';

export const serverRules: readonly Rule<ServerView>[] = [
  ...dialectRules,
  ...endRules,
  ...truthRules,
  ...stopRules,
  ...countRules,
  ...formRules,
  ...leavingRules,
];
