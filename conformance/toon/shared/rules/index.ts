/** The rules of both roles of TOON, in the order of their themes. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ToonView } from '../view.ts';
import { compressionRules } from './compression.ts';
import { frameRules } from './frames.ts';
import { mannerRules } from './manners.ts';
import { orderRules } from './order.ts';
import { receivingRules } from './receiving.ts';

/** Several may judge one requirement. */
export const sharedRules: readonly Rule<ToonView>[] = [
  ...frameRules,
  ...compressionRules,
  ...orderRules,
  ...receivingRules,
  ...mannerRules,
];
