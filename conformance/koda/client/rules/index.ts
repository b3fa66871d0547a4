/** All rules of clients, in the order of their themes. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { dropsAlone } from '../../shared/rules/receiving.ts';
import { commandTextRules, textRules } from '../../shared/rules/texts.ts';
import type { KodaView } from '../../shared/view.ts';
import { answerRules } from './answers.ts';
import { promptRules } from './prompts.ts';

export const clientRules: readonly Rule<KodaView>[] = [
  ...textRules,
  ...commandTextRules,
  dropsAlone,
  ...answerRules,
  ...promptRules,
];
