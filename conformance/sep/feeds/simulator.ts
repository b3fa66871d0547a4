/** `wireproof simulate sep/feeds --manifest FILE`: serves the feeds of a manifest to executors on other machines. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { Flags } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { FeedStore } from '../../../src/sep/index.ts';
import type { FeedSpec, Sources } from '../../../src/sep/index.ts';
import { readManifest } from '../../../src/sep/edge/index.ts';
import type { ServedFeeds, ServedOutcome } from '../../../src/sep/edge/index.ts';
import { realSources } from '../executor/manifest-flag.ts';
import { playFeeds } from './server-simulator.ts';

/** Serves until it is interrupted. @throws WireproofError 'usage' without a manifest, or for a wrong one */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const file = new Flags(run).text('manifest');
  if (file === undefined)
    throw new WireproofError('usage', '--manifest: expected a YAML file with context_feeds; none is named');
  const { env, stderr } = run.process as Pick<NodeJS.Process, 'env' | 'stderr'>;
  const { manifest, warnings } = readManifest(file, { env });
  for (const warning of warnings) stderr.write(`${warning}\n`);
  return playFeeds(run, served(manifest.feeds, realSources(manifest.grants, env)));
}

/**
 * The feeds of a manifest as a server gives them. A value is used again as its `cache_ttl` says, and a periodic one in its
 * interval; with parameters of the client, a value is fetched anew.
 */
export function served(
  feeds: readonly FeedSpec[],
  sources: Sources,
  now: () => number = seconds,
): ServedFeeds {
  const store = new FeedStore({ feeds });
  const began = now();
  const fetch = (spec: FeedSpec): ServedOutcome => {
    const at = now() - began;
    const isDue = store.due(at).some(({ id }) => id === spec.id);
    const begun = isDue ? store.begin(spec.id, at) : undefined;
    if (begun !== undefined) store.settle(begun, answerOf(sources, spec, at), at);
    const { shown, error } = store.entry(spec.id) ?? {};
    if (shown === undefined) return { error: error ?? 'the feed has no value' };
    return { value: shown.value, ...(error === undefined ? {} : { stale: true }) };
  };
  return {
    list: () => feeds.filter(({ enabled }) => enabled),
    fetch: (id, params) => {
      const spec = feeds.find((one) => one.id === id && one.enabled);
      if (spec === undefined) return Promise.resolve({ error: `there is no feed ${id}` });
      if (Object.keys(params).length === 0) return Promise.resolve(fetch(spec));
      const { source } = spec;
      const asked = { ...spec, source: { ...source, params: { ...source.params, ...params } } };
      return Promise.resolve(answerOf(sources, asked, now() - began));
    },
  };
}

const seconds = (): number => performance.now() / 1000;

function answerOf(sources: Sources, { source }: FeedSpec, at: number): ServedOutcome {
  const { after: _, ...outcome } = sources(source, { at });
  return outcome;
}
