/** The choice among tools, and whether several may be called at once: LLM-G60 and G61. */
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import { held } from '../facts.ts';
import { askedCell, carriesName } from '../tables.ts';
import type { AskedCheck } from './asked.ts';
import { mayForceFormat } from './tools.ts';

type Choice = FullRequest['choice'];

/** A choice as a word of the table. */
export const choiceWord = (choice: Choice): string =>
  typeof choice === 'object' ? 'one' : (choice ?? 'unset');

const shown = ({ choice, tools, unknown }: FullRequest): string => {
  if (tools.length === 0) return 'no tools';
  if (typeof choice === 'object') return `the tool ${choice.name}`;
  return (
    choice ?? (unknown['tool_choice'] === undefined ? 'no choice' : JSON.stringify(unknown['tool_choice']))
  );
};

/** LLM-G60: the choice is that of the table. */
export const choice: AskedCheck = (asked) => {
  const { above, below, pair } = asked;
  const due = above.choice;
  if (due === undefined || above.tools.length === 0 || mayForceFormat(asked)) return [];
  const cell = askedCell(`choice_${choiceWord(due)}`, pair.provider);
  if (cell === undefined || cell.undecided) return [];
  const isUnread = below.choice === undefined && below.unknown['tool_choice'] !== undefined;
  const word = below.tools.length === 0 ? 'no-tools' : isUnread ? 'unread' : choiceWord(below.choice);
  const isKept = cell.may.includes(word) && (word !== 'one' || sameName(asked));
  return [held('LLM-G60', isKept, () => `expected the tool choice ${shown(above)}; came ${shown(below)}`)];
};

const sameName: (asked: Parameters<AskedCheck>[0]) => boolean = ({ above, below, pair }) =>
  typeof above.choice !== 'object' ||
  !carriesName(pair.provider, above.choice.name) ||
  (typeof below.choice === 'object' && below.choice.name === above.choice.name);

/** LLM-G61: the wish for one call at a time. */
export const parallel: AskedCheck = ({ above, below, pair }) => {
  const cell = askedCell('parallel_off', pair.provider);
  // Where no tool may be called, the wish says nothing.
  const asks = above.parallel === false && above.tools.length > 0 && above.choice !== 'none';
  if (!asks || cell === undefined || cell.undecided) return [];
  return [
    held(
      'LLM-G61',
      below.parallel === false,
      () => 'expected the wish for one call at a time; came no such wish',
    ),
  ];
};
