/** The limit, the sampling and the stop sequences: LLM-G62, G63 and G64. */
import { held } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { mostStops, rangeOf } from '../tables.ts';
import type { Asked, AskedCheck } from './asked.ts';

/** Whether the model thinks below: Anthropic then takes no other sampling than its default. */
const thinksBelow = ({ below, pair }: Asked): boolean =>
  pair.provider === 'anthropic' && below.effort !== undefined && below.effort !== 'off';

/** LLM-G62: the limit; it may rise by a budget that the gateway added. */
export const limit: AskedCheck = ({ above, below }) => {
  const due = above.limit;
  if (due === undefined) return [];
  const hasOwn = typeof above.effort === 'object';
  const added = typeof below.effort === 'object' && !hasOwn ? below.effort.budget : 0;
  const isKept = below.limit === due || below.limit === due + added;
  return [held('LLM-G62', isKept, () => `expected a limit of ${due} tokens; came ${below.limit ?? 'none'}`)];
};

const words = { temperature: 'temperature', topP: 'top_p' } as const;

/** LLM-G63: temperature and top_p, in the range that both have. */
export const sampling: AskedCheck = (asked) => {
  if (thinksBelow(asked)) return [];
  return [...number(asked, 'temperature'), ...number(asked, 'topP')];
};

function number({ above, below, pair }: Asked, name: keyof typeof words): readonly GatewayFact[] {
  const due = above[name];
  const { least, most } = rangeOf(name, pair.provider);
  if (due === undefined || due < least || due > most) return [];
  const came = below[name];
  // Some of Anthropic's models take only one of the two.
  const hasBoth = above.temperature !== undefined && above.topP !== undefined;
  const hasOne = below.temperature !== undefined || below.topP !== undefined;
  if (came === undefined && pair.provider === 'anthropic' && hasBoth && hasOne) return [];
  return [held('LLM-G63', came === due, () => `expected ${words[name]} ${due}; came ${came ?? 'none'}`)];
}

/** LLM-G64: the stop sequences, or as many of them as the dialect takes. */
export const stop: AskedCheck = ({ above, below, pair }) => {
  const due = above.stop ?? [];
  const most = mostStops(pair.provider);
  if (due.length === 0 || most === 0) return [];
  const came = below.stop ?? [];
  const isKept = same(due, came) || same(due.slice(0, most), came);
  return [
    held(
      'LLM-G64',
      isKept,
      () => `expected the stop sequences ${JSON.stringify(due)}; came ${JSON.stringify(came)}`,
    ),
  ];
};

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));
