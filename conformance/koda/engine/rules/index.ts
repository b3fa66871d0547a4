/** All rules of engines, in the order of their themes. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { dropsAlone } from '../../shared/rules/receiving.ts';
import { eventTextRules, textRules } from '../../shared/rules/texts.ts';
import type { KodaView } from '../../shared/view.ts';
import { approvalRules } from './approvals.ts';
import { capRules } from './caps.ts';
import { contentRules } from './contents.ts';
import { footerRules } from './footer.ts';
import { idRules } from './ids.ts';
import { interruptRules } from './interrupts.ts';
import { pauseRules } from './pauses.ts';
import { queueRules } from './queue.ts';
import { repeatRules } from './repeats.ts';
import { responseRules } from './responses.ts';
import { toolRules } from './tools.ts';
import { turnRules } from './turns.ts';

export const engineRules: readonly Rule<KodaView>[] = [
  ...textRules,
  ...eventTextRules,
  dropsAlone,
  ...turnRules,
  ...idRules,
  ...responseRules,
  ...toolRules,
  ...repeatRules,
  ...approvalRules,
  ...pauseRules,
  ...capRules,
  ...interruptRules,
  ...footerRules,
  ...queueRules,
  ...contentRules,
];
