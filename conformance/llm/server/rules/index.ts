/** Every rule of model servers; several may judge one row. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ServerView } from '../view.ts';
import { countRules } from './counts.ts';
import { dialectRules } from './dialects.ts';
import { endRules } from './ends.ts';
import { truthRules } from './truth.ts';

/** In the order of their themes. */
export const serverRules: readonly Rule<ServerView>[] = [
  ...dialectRules,
  ...endRules,
  ...truthRules,
  ...countRules,
];
