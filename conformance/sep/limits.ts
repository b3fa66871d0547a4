/** The limits of SEP, for `wireproof limits`. */
import type { Limit } from '../../src/kit/suite/index.ts';
import {
  maxIterations,
  mostBody,
  mostRetries,
  mostSubstituted,
  mostUnread,
  mostValue,
} from '../../src/sep/index.ts';
import { extensionLimits } from './extension-limits.ts';
import { effectLimits } from './effect-limits.ts';
import { feedLimits } from './feed-limits.ts';
import { limitNames } from './executor/live/limits-flag.ts';
import type { LimitName } from './executor/live/limits-flag.ts';
import { mostOutput } from './executor/simulator.ts';
import { feedServerLimitRows } from './feeds/server-limits.ts';

/** The option of the executors of `wireproof/sep`, and the flag of the simulator. */
const both = (name: LimitName): string =>
  `${limitNames[name]} of Runner, playRun and StreamingProtocolParser; --limit ${name}=… of simulate sep/executor`;

const characters = (most: number): string => `${most >> 20} Mi characters`;

export const sepLimits = (): readonly Limit[] => [
  {
    limit: "SEP: the body of an action in the kit's parser",
    value: `${characters(mostBody)}; a larger one is reported, and the output is read on`,
    set_by: `mostBody of SepParser; ${both('body')}`,
  },
  {
    limit: "SEP: the iterations of the kit's executor",
    value: `${maxIterations}; a script has as many as its outputs`,
    set_by: `maxIterations of Runner and playRun; --limit iterations=… of simulate sep/executor`,
  },
  {
    limit: 'SEP: the further attempts of an action, whatever its retry says',
    value: `${mostRetries}; a larger retry is reported`,
    set_by: both('retries'),
  },
  {
    limit: 'SEP: an output, parameters with their references, the values in a response, a transcript',
    value: `${characters(mostValue)}; the attempt or the action fails, the reference stays, the outcome is left out`,
    set_by: both('value'),
  },
  {
    limit: 'SEP: what references put into the texts of a run',
    value: `${characters(mostSubstituted)}; the action fails, the reference stays`,
    set_by: both('substituted'),
  },
  {
    limit: 'SEP: the events of a stream that nobody has taken',
    value: `${mostUnread}; then no more of the stream is read`,
    set_by: 'mostUnread of StreamingProtocolParser',
  },
  ...feedLimits,
  ...extensionLimits,
  ...effectLimits,
  {
    limit: 'SEP: the output on stdin of simulate sep/executor',
    value: `${characters(mostOutput)}; a larger one ends the run`,
    set_by: '-',
  },
  ...feedServerLimitRows(),
];
