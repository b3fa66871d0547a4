/** Many shards of a suite, merged, have the report of the run without shards. */
import { expect, it } from 'vitest';
import { example, reference } from '../run.test-helper.ts';
import { expectShardsAsWhole, path, reportAt } from './report-shards.test-helper.ts';

it('seven shards of the reference of tokens/manager', async () => {
  const target = reference('testee', 'tokens/manager');
  await expectShardsAsWhole({ suite: 'tokens/manager', target, flags: [], of: 7 });
  expect(reportAt(path('merged.json')).verdict).toBe('conformant');
});

it('three shards of the example agent', () =>
  expectShardsAsWhole({
    suite: 'fold/agent',
    target: ['node', example, '{address}'],
    flags: ['--only', 'FOLD-A1*', '--only', 'FOLD-A4*'],
    of: 3,
  }));

/** Scenarios that share a process, of both shards. */
const scenarios = [
  'plain-message',
  'plain-three-at-once',
  'burst',
  'thinking-and-text',
  'request-fails',
].flatMap((name) => ['--scenario', name]);

it('two shards of the example agent, whose scenarios share a process', () =>
  expectShardsAsWhole({
    suite: 'fold/agent',
    target: ['node', example, '{address}'],
    flags: scenarios,
    of: 2,
  }));
