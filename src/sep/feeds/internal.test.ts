/** Internal actions, row by row (spec/sep/README.md, "Internal actions"). */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { internalActionNames } from './internal-actions.ts';
import { manifestOf } from '../manifest/manifest.ts';
import type { FeedSpec } from './feed.ts';
import { actInternally } from './internal.ts';
import type { InternalContext, InternalOutcome } from './internal.ts';
import { FeedStore } from './store.ts';

const metrics: FeedSpec = {
  id: 'system_metrics',
  trigger: 'periodic',
  interval: 30,
  source: { type: 'tool', name: 'system_monitor_tool', params: { metrics: ['cpu'], unit: '%' } },
  enabled: true,
};

/** "Adding a Feed". */
const recentErrors = {
  id: 'recent_errors',
  type: 'on_demand',
  source: { type: 'relic', name: 'log_service', params: { filter: 'ERROR', since: '1h' } },
};

function world(more: Partial<InternalContext> = {}) {
  const store = new FeedStore({ feeds: [metrics] });
  const act = (name: string, parameters: JsonObject = {}, now = 0): InternalOutcome =>
    actInternally({ name, parameters }, { store, now, ...more });
  const settle = (value: Json, now = 0): void => {
    const fetch = store.begin('system_metrics', now);
    if (fetch !== undefined) store.settle(fetch, { value }, now);
  };
  return { store, act, settle };
}

const errorOf = (outcome: InternalOutcome): string => ('error' in outcome ? outcome.error : '');

describe('SEP-71: add, remove and update', () => {
  it('add a feed as the source does', () => {
    const { store, act } = world();
    expect(act('add_context_feed', recentErrors)).toEqual({ output: { added: 'recent_errors' } });
    expect(store.specs[1]).toEqual({
      id: 'recent_errors',
      trigger: 'on_demand',
      source: recentErrors.source,
      enabled: true,
    });
    expect(store.due(0).map(({ id }) => id)).toContain('recent_errors');
  });

  it('remove a feed as the source does', () => {
    const { store, act } = world();
    act('add_context_feed', recentErrors);
    expect(act('remove_context_feed', { id: 'recent_errors' })).toEqual({
      output: { removed: 'recent_errors' },
    });
    expect(store.specs).toEqual([metrics]);
  });

  it('SEP-73: update merges, reschedules and keeps the id', () => {
    // "Change from 30s to 60s".
    const { store, act, settle } = world();
    settle(1);
    expect(act('update_context_feed', { id: 'system_metrics', interval: 60 })).toEqual({
      output: { updated: 'system_metrics' },
    });
    expect(store.specs).toEqual([{ ...metrics, interval: 60 }]);
    expect([store.nextDue(0), store.valueOf('system_metrics')]).toEqual([60, 1]);
  });

  it('SEP-73: update merges the source and its params, and null removes', () => {
    const { store, act } = world();
    act('update_context_feed', {
      id: 'system_metrics',
      cache_ttl: 9,
      source: { params: { unit: null, host: 'a' } },
    });
    expect(store.specs[0]?.source.params).toEqual({ metrics: ['cpu'], host: 'a' });
    expect(store.specs[0]?.cacheTtl).toBe(9);
    act('update_context_feed', { id: 'system_metrics', type: 'on_demand', interval: null, cache_ttl: null });
    expect(store.specs[0]).toMatchObject({ trigger: 'on_demand' });
    expect(store.specs[0]).not.toHaveProperty('interval');
  });

  it('another source takes no params of the old one, which may hold secrets', () => {
    const { store, act } = world();
    act('update_context_feed', { id: 'system_metrics', source: { name: 'echo' } });
    expect(store.specs[0]?.source).toEqual({ type: 'tool', name: 'echo', params: {} });
  });

  it('a source of another type replaces the old one', () => {
    const { store, act } = world();
    const source = { type: 'internal', action: 'system_clock' };
    expect(act('update_context_feed', { id: 'system_metrics', source })).toHaveProperty('output');
    expect(store.specs[0]?.source).toEqual({ type: 'internal', name: 'system_clock', params: {} });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['another type', { type: 'relic' }, { type: 'relic', name: 'system_monitor_tool', params: {} }],
    ['the same name again', { name: 'system_monitor_tool' }, { ...metrics.source }],
    ['no URL, as before', { url: null }, { ...metrics.source }],
  ])('keeps the members of the source that an update does not name: %s', (_, source, expected) => {
    const { store, act } = world();
    expect(act('update_context_feed', { id: 'system_metrics', source })).toHaveProperty('output');
    expect(store.specs[0]?.source).toEqual(expected);
  });

  it('SEP-72: adding an existing feed, and changing an unknown one, fails', () => {
    const { store, act } = world();
    expect(errorOf(act('add_context_feed', { ...recentErrors, id: 'system_metrics' }))).toMatch(
      /is there already/,
    );
    for (const name of ['remove_context_feed', 'update_context_feed', 'get_context_feed'])
      expect(errorOf(act(name, { id: 'none' }))).toMatch(/there is none with the id none/);
    expect(store.specs).toEqual([metrics]);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['add_context_feed', { ...recentErrors, source: null }, /the key source/],
    ['add_context_feed', { ...recentErrors, type: 'periodic' }, /the key interval/],
    ['add_context_feed', { ...recentErrors, colour: 1 }, /came the key "colour"/],
    ['add_context_feed', { ...recentErrors, enabled: '${DEBUG}' }, /enabled: expected true or false/],
    ['add_context_feed', { ...recentErrors, source: { type: 'internal', name: 'env' } }, /the key action/],
    ['update_context_feed', { id: 'system_metrics', interval: 0 }, /interval: /],
    ['update_context_feed', { id: 'system_metrics', interval: null }, /the key interval/],
    ['update_context_feed', { interval: 3 }, /the key id/],
    ['update_context_feed', { id: 'system_metrics', source: 3 }, /source: expected an object/],
    ['remove_context_feed', {}, /the key id/],
    ['remove_context_feed', { id: 'system_metrics', now: true }, /came the key "now"/],
    ['list_context_feeds', { all: 1 }, /came the key "all"/],
    ['set_variable', { name: 'a' }, /the key value/],
    ['set_variable', { name: '1a', value: 1 }, /begins with no digit/],
    ['drop_table', {}, /expected one of add_context_feed, .*; came "drop_table"/],
    ['constructor', {}, /expected one of/],
  ])('%s with %j fails, and changes nothing', (name, parameters, expected) => {
    const { store, act } = world();
    expect(errorOf(act(name, parameters))).toMatch(expected);
    expect(store.specs).toEqual([metrics]);
  });

  it('a feed is no larger than a manifest, also by many updates', () => {
    const { store, act } = world();
    let doubled: Json = 'x';
    for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
    const source = { ...recentErrors.source, params: { doubled } };
    expect(errorOf(act('add_context_feed', { ...recentErrors, source }))).toMatch(
      /at most 262144 characters/,
    );
    const add = (key: string): string =>
      errorOf(
        act('update_context_feed', {
          id: 'system_metrics',
          source: { params: { [key]: 'x'.repeat(100_000) } },
        }),
      );
    expect([add('a'), add('b'), add('a')]).toEqual(['', '', '']);
    expect(add('c')).toMatch(/at most 262144 characters/);
    expect(Object.keys(store.specs[0]?.source.params ?? {})).toEqual(['metrics', 'unit', 'a', 'b']);
  });

  it('SEP-66: expand no variable of the environment', () => {
    const { store, act } = world();
    act('add_context_feed', {
      ...recentErrors,
      source: { type: 'tool', name: 'x', params: { a: '${HOME}' } },
    });
    expect(store.specs[1]?.source.params).toEqual({ a: '${HOME}' });
  });
});

describe('SEP-76: the others', () => {
  it('list shows the feeds without their params, which may hold secrets', () => {
    const { act, settle } = world();
    settle('x');
    expect(act('list_context_feeds')).toEqual({
      output: [
        {
          id: 'system_metrics',
          type: 'periodic',
          interval: 30,
          source: { type: 'tool', name: 'system_monitor_tool' },
          enabled: true,
          has_value: true,
        },
      ],
    });
  });

  it('clear removes all feeds', () => {
    const { store, act } = world();
    expect(act('clear_context_feeds')).toEqual({ output: { removed: 1 } });
    expect(store.specs).toEqual([]);
  });

  it('get asks for a fetch, or gives a value that is younger than its cache_ttl (SEP-63)', () => {
    const { act, settle } = world();
    const get = (now: number): InternalOutcome => act('get_context_feed', { id: 'system_metrics' }, now);
    expect(get(0)).toEqual({ fetch: 'system_metrics' });
    settle(5);
    expect(get(1)).toEqual({ fetch: 'system_metrics' });
    act('update_context_feed', { id: 'system_metrics', cache_ttl: 10 });
    expect([get(9), get(10)]).toEqual([{ output: 5 }, { fetch: 'system_metrics' }]);
    act('update_context_feed', { id: 'system_metrics', enabled: false });
    expect(errorOf(get(10))).toMatch(/is not/);
  });

  it('set and delete variables', () => {
    const { act } = world({ hasVariable: (name) => name === 'a' });
    expect(act('set_variable', { name: 'a', value: null })).toEqual({
      output: null,
      variable: { set: 'a', value: null },
    });
    expect(act('delete_variable', { name: 'a' })).toEqual({
      output: { deleted: 'a' },
      variable: { delete: 'a' },
    });
    expect(errorOf(act('delete_variable', { name: 'b' }))).toMatch(/none with the name b/);
  });
});

describe('SEP-75: a denied action', () => {
  it.each(internalActionNames)('%s fails with the reason, and changes nothing', (name) => {
    const { store, act } = world({ policy: { enabled: true, blocked: [name] } });
    expect(act(name, { id: 'system_metrics' })).toEqual({
      error: `the manifest blocks the internal action ${name}`,
    });
    expect(store.specs).toEqual([metrics]);
  });
});

describe('what a manifest does not name', () => {
  const remote = { id: 'r', type: 'remote', source: { name: 'feed', url: 'http://127.0.0.1:9' } };

  it('no remote feed of a model reaches', () => {
    expect(errorOf(world().act('add_context_feed', remote))).toMatch(
      /source\.url: expected a URL of the feeds/,
    );
    const read = manifestOf([{ ...remote, id: 'mine' }]);
    const { grants } = read.ok ? read.value.manifest : { grants: undefined };
    expect(world({ ...(grants && { grants }) }).act('add_context_feed', remote)).toEqual({
      output: { added: 'r' },
    });
  });
});
