/** LLM-S16: the count of a prompt, and the usage of an answer to the same prompt. */
import { exercised, forgetOldest, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { shown } from '../words.ts';
import type { ServerView } from '../view.ts';
import { factRuleWith } from './fact-rule.ts';

/** The most prompts whose counts are kept, and the most characters of a prompt. */
const kept = { prompts: 32, characters: 1 << 16 } as const;

/** "The token count should be considered an estimate": the allowed difference, as a fraction and in tokens. */
const tolerance = { part: 0.05, tokens: 5 } as const;

export const countRules: readonly Rule<ServerView>[] = [
  factRuleWith(
    'LLM-S16',
    () => new Map<string, number>(),
    (fact, event, counted) => {
      if (fact.type === 'count' && fact.prompt.length <= kept.characters) {
        counted.delete(fact.prompt);
        counted.set(fact.prompt, fact.tokens);
        forgetOldest(counted, kept.prompts);
      }
      if (fact.type !== 'terminal') return undefined;
      const { prompt, counts } = fact.answer;
      const count = counted.get(prompt);
      if (count === undefined || typeof counts?.input !== 'number' || !(counts.input >= 0)) return undefined;
      const input = counts.input + (counts.cached ?? 0);
      counted.delete(prompt);
      if (Math.abs(count - input) <= Math.max(tolerance.tokens, tolerance.part * input))
        return exercised(event);
      return violated(
        event,
        `expected the count of this prompt to be about the ${shown(input)} input tokens of its usage; it was ${shown(count)}`,
      );
    },
  ),
];
