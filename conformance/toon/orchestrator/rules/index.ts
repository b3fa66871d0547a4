/** All rules of orchestrators; several may judge one requirement. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { sharedRules } from '../../shared/rules/index.ts';
import type { ToonView } from '../../shared/view.ts';
import { orchestratorOnlyRules } from './answers.ts';

/** In the order of their themes. */
export const orchestratorRules: readonly Rule<ToonView>[] = [...sharedRules, ...orchestratorOnlyRules];
