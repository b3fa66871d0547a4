/** The feeds of `simulate sep/executor --manifest FILE`, and what gives them their values. */
import { hashSeed, seededRandom } from '../../../../src/kit/world/index.ts';
import type { LiveSession } from '../../../../src/kit/simulate/index.ts';
import type { SimulatorRun } from '../../../../src/kit/suite/index.ts';
import { internalValue } from '../../../../src/sep/index.ts';
import type { Grants, LiveSources, RunnerOptions } from '../../../../src/sep/index.ts';
import { filesSource, readManifest, remoteFeeds } from '../../../../src/sep/edge/index.ts';

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
  return {
    feeds: { feeds },
    internalActions,
    grants,
    sources: realSources(grants, env, live.flags.variable('token-env')),
  };
}

/**
 * Internal sources are real ones. Remote ones are feeds of the servers in the manifest, which get the token. Any other
 * source has its own name and parameters as its value.
 */
export function realSources(
  { envNames, roots, urls }: Grants,
  env: NodeJS.ProcessEnv,
  token: string | undefined,
): LiveSources {
  const random = seededRandom(String(hashSeed(`${Date.now()}`)));
  const files = filesSource({ roots });
  const origins = urls.filter((url) => URL.canParse(url));
  const fetchRemote = remoteFeeds({ origins, ...(token === undefined ? {} : { token }) });
  return (source, { at, signal }) => {
    if (source.type === 'remote') return fetchRemote(source, signal);
    const world = { now: Date.now(), random, env, envNames, facts: { seconds: at } };
    return source.type === 'internal'
      ? internalValue(source, { ...world, files: (params) => files(params, signal) })
      : { value: { name: source.name, parameters: source.params } };
  };
}
