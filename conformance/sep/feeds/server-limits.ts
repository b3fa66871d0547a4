/** The limits of the feed server and its client, for `wireproof limits`. */
import type { Limit } from '../../../src/kit/suite/index.ts';
import {
  feedClientLimits,
  feedServerLimits,
  mostAnswer,
  mostRequest,
  mostUnreadBytes,
  pipelined,
} from '../../../src/sep/edge/index.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;

export const feedServerLimitRows = (): readonly Limit[] => {
  const { timeout, transfer, mostFetches, mostConnections } = feedServerLimits;
  return [
    {
      limit: 'SEP: the parameters of a feed in a request to the feed server',
      value: `${mostRequest >> 10} KiB; a larger body is refused with 413`,
      set_by: '-',
    },
    {
      limit: 'SEP: an answer of the feed server',
      value: `${mostAnswer >> 20} MiB; a larger value is an error of 502`,
      set_by: '-',
    },
    {
      limit: 'SEP: the large answers of the feed server that clients have not read',
      value: `${mostUnreadBytes >> 20} MiB; further ones are refused with 503`,
      set_by: '-',
    },
    {
      limit: 'SEP: the open requests of a connection to the feed server',
      value: `${pipelined}; a connection with more is closed`,
      set_by: '-',
    },
    {
      limit: 'SEP: the time of a fetch by the feed server',
      value: `${seconds(timeout)}; then the answer is 504`,
      set_by: 'timeout of serveFeeds',
    },
    {
      limit: 'SEP: the time for a request to the feed server to arrive, and for its answer to be read',
      value: `${seconds(transfer)}; then the connection is closed`,
      set_by: 'transfer of serveFeeds',
    },
    {
      limit: 'SEP: the fetches of the feed server at a time',
      value: `${mostFetches}; more are refused with 503`,
      set_by: 'mostFetches of serveFeeds',
    },
    {
      limit: 'SEP: the connections of the feed server at a time',
      value: `${mostConnections}; more are closed`,
      set_by: 'mostConnections of serveFeeds',
    },
    {
      limit: 'SEP: the time of a fetch of a remote feed',
      value: `${seconds(feedClientLimits.timeout)}; then the fetch has failed`,
      set_by: 'timeout of remoteFeeds',
    },
    {
      limit: 'SEP: the answer to a fetch of a remote feed',
      value: `${feedClientLimits.mostBytes >> 20} MiB; at a larger one the fetch has failed`,
      set_by: 'mostBytes of remoteFeeds',
    },
  ];
};
