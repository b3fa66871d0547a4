/** The simulated feed server, and a client of it. */
import { describe, expect, it } from 'vitest';
import { fakeRun } from '../../../src/kit/simulate/run.test-helper.ts';
import { until } from '../../../src/kit/world/until.test-helper.ts';
import { remoteFeeds } from '../../../src/sep/edge/index.ts';
import type { ServedFeeds } from '../../../src/sep/edge/index.ts';
import { feedServerFlags } from './flags.ts';
import { playFeeds } from './server-simulator.ts';

const feeds: ServedFeeds = {
  list: () => [{ id: 'load', trigger: 'periodic', interval: 5 }],
  fetch: async (_, params) => ({ value: params }),
};

const source = (url: string) => ({ type: 'remote', name: 'load', url, params: {} }) as const;

describe('a simulated feed server', () => {
  it('serves until it is interrupted, and a client then has no answer', async () => {
    const fake = fakeRun({ listen: '127.0.0.1:0', tokenEnv: 'SET' });
    const played = playFeeds(fake.run, feeds);
    await until(() => fake.err().includes('Ctrl-C stops'));
    const [, url = ''] = /^1 feeds on (\S+)\/feeds: load; /m.exec(fake.err()) ?? [];
    expect(await remoteFeeds({ token: 'value' })(source(url))).toMatchObject({ value: {} });
    expect(await remoteFeeds()(source(url))).toMatchObject({
      error: expect.stringContaining('status 401') as string,
    });
    await until(() => fake.err().includes('401'));
    expect(fake.err()).toMatch(
      /GET \/feeds\/load: 200 in \d+ ms\nGET \/feeds\/load: 401 in \d+ ms: expected/,
    );
    expect(fake.out()).toBe('');
    fake.interrupt();
    expect(await played).toBe('conformant');
    expect(await remoteFeeds()(source(url))).toMatchObject({
      error: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('refuses a variable that is not set, and an open address without a token', async () => {
    await expect(playFeeds(fakeRun({ tokenEnv: 'ABSENT' }).run, feeds)).rejects.toThrow(/--token-env ABSENT/);
    await expect(playFeeds(fakeRun({ listen: '0.0.0.0:0' }).run, feeds)).rejects.toThrow(/give a token/);
  });

  it('has a flag for its token', () => {
    expect(feedServerFlags.map((flag) => flag.flags)).toContain('--token-env <name>');
  });
});
