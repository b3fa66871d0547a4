/** A SEP feed server as a simulated peer: it serves feeds on `--listen`, and prints a line for each answer. */
import { LiveSession } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { serveFeeds } from '../../../src/sep/edge/index.ts';
import type { FeedAnswer, ServedFeeds } from '../../../src/sep/edge/index.ts';

/**
 * Serves feeds until it is interrupted.
 *
 * @throws WireproofError 'usage' for a wrong flag, 'environment' when the port cannot be had
 */
export async function playFeeds(run: SimulatorRun, feeds: ServedFeeds): Promise<SimulatorEnd> {
  const live = new LiveSession(run, {
    suite: { id: 'sep/executor', protocol: 'sep', role: 'executor' },
    textOf: () => undefined,
    target: 'executors that ask for feeds',
    stdoutTaken: true,
  });
  const { flags } = live;
  const token = flags.variable('token-env');
  const origins = flags.text('allow-origin')?.split(',') ?? [];
  const server = await serveFeeds({
    ...flags.address('listen'),
    feeds,
    token,
    origins: origins.map((origin) => origin.trim()),
    onAnswer: (answer) => {
      if (!flags.on('quiet')) live.notify(lineOf(answer));
    },
  });
  try {
    const ids = feeds.list().map(({ id }) => id);
    live.notify(`${ids.length} feeds on ${server.url}/feeds: ${ids.join(', ')}; Ctrl-C stops`);
    await live.ended;
    return 'conformant';
  } finally {
    await server.close();
  }
}

const lineOf = ({ method, path, status, ms, error }: FeedAnswer): string =>
  `${method} ${path}: ${status} in ${Math.round(ms)} ms${error === undefined ? '' : `: ${error}`}`;
