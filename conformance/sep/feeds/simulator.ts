/** `wireproof simulate sep/feeds --manifest FILE`: serves the feeds of a manifest to executors on other machines. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { Flags } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { switchesOf } from '../../../src/sep/index.ts';
import { readManifest } from '../../../src/sep/edge/index.ts';
import { realSources } from '../executor/live/manifest-flag.ts';
import { served } from './served.ts';
import { playFeeds } from './server-simulator.ts';

/** Serves until it is interrupted. @throws WireproofError 'usage' without a manifest, or for a wrong one */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const flags = new Flags(run);
  const file = flags.text('manifest');
  if (file === undefined)
    throw new WireproofError('usage', '--manifest: expected a YAML file with context_feeds; none is named');
  const { env, stderr } = run.process as Pick<NodeJS.Process, 'env' | 'stderr'>;
  const { manifest, warnings } = readManifest(file, { env });
  for (const warning of warnings) stderr.write(`${warning}\n`);
  // The token of this server is not for others.
  const sources = realSources(manifest.grants, env, undefined);
  const extensions = switchesOf(flags.list('extension'));
  return playFeeds(run, served(manifest.feeds, sources, { extensions }));
}
