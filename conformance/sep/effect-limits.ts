/** The limits of transformations, rollbacks and partial results, for `wireproof limits`. */
import type { Limit } from '../../src/kit/suite/index.ts';
import {
  mostFeedValue,
  mostParts,
  mostTransformSteps,
  mostValue,
  rollbackTimeout,
} from '../../src/sep/index.ts';

const characters = (most: number): string => `${most >> 20} Mi characters`;

export const effectLimits: readonly Limit[] = [
  {
    limit: 'SEP: the steps of the transform of a feed',
    value: `${mostTransformSteps}; a feed with more is refused`,
    set_by: '-',
  },
  {
    limit: 'SEP: each value between the steps of a transform, as JSON',
    value: `${characters(mostFeedValue)}; at a larger one the fetch has failed`,
    set_by: 'mostFeedValue of feeds',
  },
  {
    limit: 'SEP: the time of a rollback without a timeout',
    value: `${rollbackTimeout} s; then it has failed, and the next one begins`,
    set_by: 'rollbackTimeout of Runner, playRun and StreamingProtocolParser',
  },
  {
    limit: 'SEP: the parts of an attempt; the characters of them all',
    value: `${mostParts}; ${characters(mostValue)}; what exceeds one is dropped, with one remark`,
    set_by: 'mostParts and mostValue of Runner, playRun and StreamingProtocolParser',
  },
];
