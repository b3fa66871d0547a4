/** The feeds of `simulate sep/executor --manifest FILE`, and what gives them their values. */
import { hashSeed, seededRandom } from '../../../src/kit/world/index.ts';
import type { LiveSession } from '../../../src/kit/simulate/index.ts';
import type { SimulatorRun } from '../../../src/kit/suite/index.ts';
import { internalValue } from '../../../src/sep/index.ts';
import type { FeedSource, Grants, RunnerOptions, Sources } from '../../../src/sep/index.ts';
import { filesSource, readManifest } from '../../../src/sep/edge/index.ts';

/** The options of a run that its manifest sets. */
export type RunFeeds = Pick<RunnerOptions, 'feeds' | 'internalActions' | 'grants' | 'sources'>;

/** The options of the flag; none without it. Its warnings are printed. @throws WireproofError 'usage' with line and column */
export function feedsOf({ process }: SimulatorRun, live: LiveSession): RunFeeds {
  const file = live.flags.text('manifest');
  if (file === undefined) return {};
  const { env } = process as Pick<NodeJS.Process, 'env'>;
  const { manifest, warnings } = readManifest(file, { env });
  for (const warning of warnings) live.notify(warning);
  const { feeds, internalActions, grants } = manifest;
  return { feeds: { feeds }, internalActions, grants, sources: realSources(grants, env) };
}

/**
 * Internal sources are real ones. Any other source has its own name and parameters as its value; a remote one fails, because
 * distributed feeds are off.
 */
export function realSources({ envNames, roots }: Grants, env: NodeJS.ProcessEnv): Sources {
  const random = seededRandom(String(hashSeed(`${Date.now()}`)));
  const files = filesSource({ roots });
  return (source: FeedSource, { at }) => {
    if (source.type === 'remote') return { error: 'distributed feeds are off' };
    return source.type === 'internal'
      ? internalValue(source, { now: Date.now(), random, env, envNames, files, facts: { seconds: at } })
      : { value: { name: source.name, parameters: source.params } };
  };
}
