/** Every rule of clients; several may judge one row, each from another side. */
import type { Rule } from '../../../src/kit/check/index.ts';
import { callRules } from './rules-calls.ts';
import { programRules } from './rules-program.ts';
import { requestRules } from './rules-requests.ts';
import { resultRules } from './rules-results.ts';
import { timeRules } from './rules-time.ts';
import type { ClientView } from './view.ts';

/** All of them. */
export const clientRules: readonly Rule<ClientView>[] = [
  ...callRules,
  ...programRules,
  ...resultRules,
  ...requestRules,
  ...timeRules,
];
