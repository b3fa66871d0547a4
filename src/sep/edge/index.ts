/** Files of SEP for the kit's own command. */
export { filesSource, mostFileCharacters, mostFiles, mostLookedAt, mostReadingTime } from './files-source.ts';
export type { FilesSource, FilesSourceOptions } from './files-source.ts';
export { parseManifest, readManifest } from './manifest-file.ts';
export type { ManifestFile } from './manifest-file.ts';
export { sepManifestTestee } from './manifest-testee.ts';
export { readProviders, readRunScript } from './script-file.ts';
export type { PacedScript } from './script-file.ts';
export { feedClientLimits, remoteFeeds } from './feed-client.ts';
export type { FetchRemoteFeed, RemoteFeedOptions } from './feed-client.ts';
export { mostAnswer, mostRequest } from './feed-contract.ts';
export { mostUnreadBytes } from './feed-places.ts';
export { feedServerLimits, pipelined, serveFeeds } from './feed-server.ts';
export type { FeedServer, FeedServerLimits, FeedServerOptions } from './feed-server.ts';
export type { FeedAnswer, ServedFeed, ServedFeeds, ServedOutcome } from './served-feeds.ts';
export type { RemoteOutcome } from './remote-exchange.ts';
