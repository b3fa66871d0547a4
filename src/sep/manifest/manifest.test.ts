/** What a manifest means, row by row (spec/sep/README.md, "Context feeds"). */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, Violation } from '../../kit/base/index.ts';
import { denialOf } from '../feeds/internal-actions.ts';
import { mostManifest } from '../feeds/limits.ts';
import { manifestOf } from './manifest.ts';
import type { Manifest, ManifestOptions, ReadManifest } from './manifest.ts';

const tool = { type: 'tool', name: 'x' };
const one = (more: JsonObject = {}): JsonObject => ({ id: 'a', type: 'on_demand', source: tool, ...more });

function read(document: Json, options?: ManifestOptions): ReadManifest {
  const result = manifestOf(document, options);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const manifest = (document: Json, options?: ManifestOptions): Manifest => read(document, options).manifest;

function refused(document: Json, options?: ManifestOptions): Violation {
  const result = manifestOf(document, options);
  if (result.ok) throw new Error('it was not refused');
  return result.error;
}

describe('a feed', () => {
  it.each(['id', 'type', 'source'])('SEP-59: needs its %s', (key) => {
    expect(refused([{ ...one(), [key]: null }]).message).toContain(`expected the key ${key}`);
  });

  it.each(['internal', 'tool', 'relic', 'workflow', 'llm'])(
    'SEP-60: of the type %s is on demand, from that source',
    (type) => {
      const name = type === 'internal' ? { action: 'n' } : { name: 'n' };
      expect(manifest([one({ type, source: name })]).feeds).toMatchObject([
        { trigger: 'on_demand', source: { type, name: 'n', params: {} } },
      ]);
    },
  );

  it('SEP-60: has the type of its source when the two differ, with a warning', () => {
    const { warnings, manifest: found } = read([one({ type: 'relic' })]);
    expect(found.feeds).toMatchObject([{ trigger: 'on_demand', source: { type: 'tool' } }]);
    expect(warnings).toMatchObject([{ code: 'two-types', path: '[0].type' }]);
  });

  it('SEP-62: that is periodic needs an interval above 0', () => {
    expect(refused([one({ type: 'periodic' })]).message).toContain('expected the key interval');
    for (const interval of [0, -1]) {
      const { path } = refused([one({ type: 'periodic', interval })]);
      expect(path).toBe('[0].interval');
    }
    expect(manifest([one({ type: 'periodic', interval: 0.5 })]).feeds).toMatchObject([
      { trigger: 'periodic', interval: 0.5 },
    ]);
  });

  it('has times in seconds, and whole tokens', () => {
    expect(refused([one({ cache_ttl: '5m' })])).toMatchObject({ path: '[0].cache_ttl' });
    expect(refused([one({ max_tokens: 0.5 })])).toMatchObject({ path: '[0].max_tokens' });
    expect(manifest([one({ cache_ttl: 0, max_tokens: 1 })]).feeds).toMatchObject([
      { cacheTtl: 0, maxTokens: 1 },
    ]);
  });

  it.each([
    ['an internal source with a name', { type: 'internal', name: 'system_clock' }],
    ['a tool with an action', { type: 'tool', name: 'x', action: 'y' }],
    ['a tool with a URL', { type: 'tool', name: 'x', url: 'http://127.0.0.1' }],
    ['a remote source without a URL', { type: 'remote', name: 'x' }],
    ['a source without a type', { name: 'x' }],
  ])('is refused: %s', (_, source) => expect(refused([one({ source })]).path).toContain('[0].source'));

  it('may have members that are null: they are absent', () => {
    const written = one({
      interval: null,
      enabled: null,
      cache_ttl: null,
      source: { ...tool, params: null, url: null },
    });
    expect(manifest([written]).feeds).toEqual(manifest([one()]).feeds);
  });

  it('is refused with the id of another one', () => {
    expect(refused({ context_feeds: [one(), one()] })).toMatchObject({
      code: 'duplicate-id',
      path: 'context_feeds[1].id',
    });
  });

  it('may have an id that no reference can name, with a warning', () => {
    expect(read([one({ id: 'my-feed' })]).warnings).toMatchObject([{ code: 'no-name' }]);
  });
});

describe('SEP-65: enabled', () => {
  it.each(['true', '1', 'yes', 'on', 'On'])('is true for the text %s', (enabled) => {
    expect(manifest([one({ enabled })]).feeds[0]?.enabled).toBe(true);
  });

  it.each(['', 'false', '0', 'no', 'off'])('is false for the text "%s"', (enabled) => {
    const { manifest: found, warnings } = read([one({ enabled })]);
    expect([found.feeds[0]?.enabled, warnings]).toEqual([false, []]);
  });

  it('is false for another text, with a warning', () => {
    const { manifest: found, warnings } = read([one({ enabled: '${LEVEL}' })], { env: { LEVEL: 'verbose' } });
    expect(found.feeds[0]?.enabled).toBe(false);
    expect(warnings).toMatchObject([{ code: 'unknown-word', path: '[0].enabled' }]);
  });

  it('is no number', () => expect(refused([one({ enabled: 1 })]).path).toBe('[0].enabled'));
});

describe('SEP-66: a variable of the environment', () => {
  const params = (value: Json): JsonObject => one({ source: { ...tool, params: { value } } });
  const valueOf = (value: Json, env = {}): Json | undefined =>
    manifest([params(value)], { env }).feeds[0]?.source.params['value'];

  it('is replaced in texts at any depth, and not in keys', () => {
    const value = { '${A}': ['${A}/${B}', 1, null] };
    expect(valueOf(value, { A: 'a', B: 'b' })).toEqual({ '${A}': ['a/b', 1, null] });
  });

  it('is not read again, and stays a text', () => {
    expect(valueOf('${A}', { A: '${B}', B: 'b' })).toBe('${B}');
    expect(valueOf('${A}', { A: '12' })).toBe('12');
  });

  it('counts as empty when it is not set, with one warning', () => {
    const { warnings, manifest: found } = read({ context_feeds: [params('<${A}${A}>')] });
    expect(found.feeds[0]?.source.params).toEqual({ value: '<>' });
    expect(warnings).toMatchObject([
      { code: 'unset-variable', path: 'context_feeds[0].source.params.value' },
    ]);
  });

  it.each(['$A', '${}', '${1}', '${A-b}', '${A', '$${', 'constructor'])('is not meant by %s', (text) => {
    expect(valueOf(text, { A: 'a' })).toBe(text);
  });

  it('is no property of every object', () => expect(valueOf('${constructor}')).toBe(''));

  it('cannot make a manifest without bound', () => {
    const env = { A: 'x'.repeat(60_000) };
    expect(refused([params('${A}'.repeat(1000))], { env }).message).toContain(
      `at most ${mostManifest} characters`,
    );
  });
});

describe('a whole manifest', () => {
  it.each([null, {}, [], { context_feeds: null, internal_actions: null }])('may be empty: %j', (document) => {
    expect(manifest(document)).toEqual({
      feeds: [],
      internalActions: { enabled: true, blocked: [] },
      grants: { envNames: [], roots: [], urls: [] },
    });
  });

  it('may have other keys of the agent, with a warning each', () => {
    expect(read({ name: 'agent', model: 'm' }).warnings).toMatchObject([{ path: 'name' }, { path: 'model' }]);
  });

  it.each(['text', 1, true, { context_feeds: {} }, { context_feeds: [1] }, { internal_actions: [] }])(
    'is refused: %j',
    (document) => expect(refused(document).code).toBe('bad-manifest'),
  );

  it('has at most so many feeds', () => {
    const feeds = Array.from({ length: 3 }, (_, i) => one({ id: `f${i}` }));
    expect(refused(feeds, { mostFeeds: 2 }).code).toBe('too-many-feeds');
  });

  it('grants what its feeds name, enabled or not', () => {
    const internal = (action: string, params: JsonObject): JsonObject =>
      one({ id: action, type: 'internal', enabled: false, source: { action, params } });
    const remote = one({ id: 'r', type: 'remote', source: { name: 'f', url: 'http://127.0.0.1:9' } });
    expect(
      manifest([internal('env', { names: ['A', 'B', 'A', 1] }), internal('files', { root: '/d' }), remote])
        .grants,
    ).toEqual({
      envNames: ['A', 'B'],
      roots: ['/d'],
      urls: ['http://127.0.0.1:9'],
    });
  });
});

describe('SEP-74: internal actions', () => {
  const denial = (internal_actions: Json, name: string): string | undefined =>
    denialOf(manifest({ internal_actions }).internalActions, name);

  it('are enabled, and all allowed, by default', () => {
    expect(denial({}, 'set_variable')).toBeUndefined();
    expect(denial(null, 'set_variable')).toBeUndefined();
    // Decision 26: null means absent.
    expect(denial({ enabled: null, blocked_actions: null }, 'set_variable')).toBeUndefined();
  });

  it('are denied when they are disabled', () => {
    expect(denial({ enabled: false, allowed_actions: ['set_variable'] }, 'set_variable')).toMatch(/disables/);
    expect(denial({ enabled: '${ALLOW}' }, 'set_variable')).toMatch(/disables/);
  });

  it('are denied when they are blocked, allowed or not', () => {
    const lists = {
      allowed_actions: ['set_variable', 'add_context_feed'],
      blocked_actions: ['set_variable'],
    };
    expect(denial(lists, 'set_variable')).toMatch(/blocks/);
    expect(denial(lists, 'add_context_feed')).toBeUndefined();
    expect(denial(lists, 'remove_context_feed')).toMatch(/does not allow/);
  });

  it.each([[[]], [null]])('are all denied by an allowed list without items: %j', (allowed_actions) => {
    expect(denial({ allowed_actions }, 'set_variable')).toMatch(/does not allow/);
  });

  it('warn of a name that is none', () => {
    expect(read({ internal_actions: { blocked_actions: ['add_feed'] } }).warnings).toMatchObject([
      { code: 'unknown-action', path: 'internal_actions.blocked_actions[0]' },
    ]);
  });
});
