/** All rules of subagents; several may judge one requirement. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { sharedRules } from '../../shared/rules/index.ts';
import { progressRules } from '../../shared/rules/manners.ts';
import type { ToonView } from '../../shared/view.ts';
import { subagentOnlyRules } from './work.ts';

/** In the order of their themes. */
export const subagentRules: readonly Rule<ToonView>[] = [
  ...sharedRules,
  ...progressRules,
  ...subagentOnlyRules,
];
