/** The limits of manifests and feeds, for `wireproof limits`. */
import type { Limit } from '../../src/kit/suite/index.ts';
import {
  feedTimeout,
  leastInterval,
  mostFeeds,
  mostFeedValue,
  mostInjected,
  mostManifest,
} from '../../src/sep/index.ts';
import { mostFileCharacters, mostFiles, mostLookedAt, mostReadingTime } from '../../src/sep/edge/index.ts';

const characters = (most: number): string => `${most >> 20} Mi characters`;

export const feedLimits: readonly Limit[] = [
  {
    limit: 'SEP: a manifest, with the values of its variables',
    value: `${mostManifest >> 10} Ki characters; a larger one is refused`,
    set_by: '-',
  },
  {
    limit: 'SEP: the feeds of a run, those of internal actions included',
    value: `${mostFeeds}; more are refused`,
    set_by: 'mostFeeds of feeds, an option of Runner, playRun and StreamingProtocolParser',
  },
  {
    limit: 'SEP: the value of a feed as JSON; all values that are injected before an output',
    value: `${characters(mostFeedValue)}, the fetch fails; ${characters(mostInjected)}, what has no room is left out`,
    set_by: 'mostFeedValue and mostInjected of feeds',
  },
  {
    limit: 'SEP: the time of a fetch of a feed; the least time between two fetches of a periodic one',
    value: `${feedTimeout} s, the fetch fails; ${leastInterval} s`,
    set_by: 'feedTimeout of Runner, playRun and StreamingProtocolParser; leastInterval of feeds',
  },
  {
    limit: 'SEP: the internal source files',
    value: `${mostFiles} files, ${mostFileCharacters >> 10} Ki characters, ${mostLookedAt} files and folders looked at; ${mostReadingTime / 1000} s`,
    set_by: 'mostFiles, mostCharacters, mostLookedAt and mostTime of filesSource',
  },
];
