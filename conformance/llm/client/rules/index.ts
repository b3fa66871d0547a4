/** All rules of clients. Several rules may judge one requirement. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { callRules } from './calls.ts';
import { interactionRules } from './interactions.ts';
import { keptRules } from './kept.ts';
import { noticedRules } from './noticed.ts';
import { programRules } from './program.ts';
import { requestRules } from './requests.ts';
import { resultRules } from './results.ts';
import { socketRules } from './sockets.ts';
import { timeRules } from './time.ts';
import type { ClientView } from '../view.ts';

export const clientRules: readonly Rule<ClientView>[] = [
  ...callRules,
  ...noticedRules,
  ...programRules,
  ...resultRules,
  ...requestRules,
  ...keptRules,
  ...interactionRules,
  ...socketRules,
  ...timeRules,
];
