/** All rules of TOON's live suites, in the order of their themes. */
import type { Rule } from '../../../src/kit/check/index.ts';
import type { ToonView } from '../view.ts';
import { compressionRules } from './compression.ts';
import { frameRules } from './frames.ts';
import { mannerRules, progressRules } from './manners.ts';
import { orchestratorOnlyRules } from './orchestrator.ts';
import { orderRules } from './order.ts';
import { receivingRules } from './receiving.ts';
import { subagentOnlyRules } from './subagent.ts';

/** What either role owes. */
const shared: readonly Rule<ToonView>[] = [
  ...frameRules,
  ...compressionRules,
  ...orderRules,
  ...receivingRules,
  ...mannerRules,
];

/** The rules of a subagent; several may judge one requirement. */
export const subagentRules: readonly Rule<ToonView>[] = [...shared, ...progressRules, ...subagentOnlyRules];

/** The rules of an orchestrator; several may judge one requirement. */
export const orchestratorRules: readonly Rule<ToonView>[] = [...shared, ...orchestratorOnlyRules];
