/** KODA-62 and 78: the prompts of a client. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { sessionRule } from '../../shared/rules/session-rule.ts';
import { clientCommand } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';

const waitsForTurnEnd = sessionRule({
  requirement: 'KODA-62',
  listens: ['command.user_prompt'],
  step(event, { turn, before }, { timeouts }): Findings {
    // A prompt that crossed the turn_start on the wire was sent before it.
    if (turn !== undefined)
      return event.at - turn.at < timeouts.crossing
        ? undefined
        : violated(event, 'expected no user_prompt while a turn runs; one came', [turn.seq]);
    return before === undefined ? undefined : exercised(event);
  },
});

const beginsWithPrompt = sessionRule({
  requirement: 'KODA-78',
  listens: ['command'],
  step: (event, { commanded }): Findings => {
    if (commanded) return undefined;
    const { type } = clientCommand(event);
    return type === 'user_prompt'
      ? exercised(event)
      : violated(event, `expected user_prompt as the first command; came ${type}`);
  },
});

export const promptRules: readonly Rule<KodaView>[] = [waitsForTurnEnd, beginsWithPrompt];
