/** The limits of blocks, conditions, loops and templates, for `wireproof limits`. */
import type { Limit } from '../../src/kit/suite/index.ts';
import {
  mostBlockLevels,
  mostCompared,
  mostConditionCharacters,
  mostConditionLevels,
  mostExpanded,
  mostRoundCharacters,
  mostRoundParts,
  mostRounds,
  mostTemplates,
  mostThoughtDepth,
  mostWaiting,
  mostWaitingCharacters,
} from '../../src/sep/index.ts';

const characters = (most: number): string => `${most >> 20} Mi characters`;
const runs = 'of Runner, playRun and StreamingProtocolParser';

export const extensionLimits: readonly Limit[] = [
  {
    limit: 'SEP: blocks inside of each other; the depth of a thought',
    value: `${mostBlockLevels}, the tag is text; ${mostThoughtDepth}, a deeper one has this depth`,
    set_by: '-',
  },
  {
    limit: 'SEP: a condition',
    value: `${mostConditionCharacters} characters and ${mostConditionLevels} levels; of another one, no part counts`,
    set_by: '-',
  },
  {
    limit: 'SEP: what the conditions of a run compare',
    value: `${mostCompared / 1e6} million values, or 64 characters of texts for each; then no part of a condition counts`,
    set_by: '-',
  },
  {
    limit: 'SEP: the rounds of a loop; the actions of all loops of a run',
    value: `${mostRounds}; ${mostExpanded}; then a loop has no more rounds`,
    set_by: `mostRounds and mostExpanded ${runs}`,
  },
  {
    limit: 'SEP: the tags and texts of all rounds of a run; their characters',
    value: `${mostRoundParts}; ${characters(mostRoundCharacters)}; then a loop has no more rounds`,
    set_by: `mostRoundParts and mostRoundCharacters ${runs}`,
  },
  {
    limit: 'SEP: the tags and texts of an output that wait for a block; their characters',
    value: `${mostWaiting}; ${characters(mostWaitingCharacters)}; what has no room is left out`,
    set_by: `mostWaiting and mostWaitingCharacters ${runs}`,
  },
  {
    limit: 'SEP: the templates of a run',
    value: `${mostTemplates}; more are refused`,
    set_by: `mostTemplates ${runs}, and of SepParser`,
  },
];
