/** Manifests as YAML: those of the source are read as it means them, and faults have file, line and column. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../../kit/base/index.ts';
import { packageRoot } from '../../kit/spec/index.ts';
import type { FeedSpec } from '../feeds/feed.ts';
import { advanced, agentManifest, examples, firstDraft, security } from '../manifest/source.test-helper.ts';
import { parseManifest, readManifest } from './manifest-file.ts';

const env = { JOURNAL_ROOT: '/var/journal', REPO_ROOT: '/repo' };

const feedsOf = (text: string, given = env): readonly FeedSpec[] =>
  parseManifest(text, { env: given }).manifest.feeds;

const refusal = (text: string): string => {
  try {
    parseManifest(text, { file: 'm.yaml' });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    return (error as WireproofError).message;
  }
};

const clock = { type: 'internal', name: 'system_clock', params: { format: 'ISO8601', timezone: 'UTC' } };

describe('the manifests of the source', () => {
  // SEP-58: lists, flow maps, nested params; `interval: 30  # seconds`. SEP-66: ${JOURNAL_ROOT}.
  it.each([
    ['Agent Manifest Configuration', agentManifest],
    ['the first draft', firstDraft],
  ])('SEP-58: %s', (_, text) => {
    expect(parseManifest(text, { env }).warnings).toEqual([]);
    expect(feedsOf(text)).toEqual([
      { id: 'current_datetime', trigger: 'on_demand', source: clock, enabled: true },
      {
        id: 'system_metrics',
        trigger: 'periodic',
        interval: 30,
        source: { type: 'tool', name: 'system_monitor_tool', params: { metrics: ['cpu', 'memory'] } },
        enabled: true,
      },
      {
        id: 'journal_tree',
        trigger: 'on_demand',
        source: { type: 'tool', name: 'filesystem', params: { path: '/var/journal', format: 'tree' } },
        enabled: true,
      },
    ]);
  });

  it('Advanced Features: feeds without a head', () => {
    expect(feedsOf(advanced.caching)).toMatchObject([{ id: 'expensive_data', cacheTtl: 300 }]);
    expect(feedsOf(advanced.sizeLimits)).toMatchObject([{ id: 'large_dataset', maxTokens: 1000 }]);
    expect(feedsOf(advanced.sizeLimits)[0]?.source).toEqual({
      type: 'relic',
      name: 'data_warehouse',
      params: {},
    });
  });

  it.each([
    [undefined, false],
    ['', false],
    ['false', false],
    ['0', false],
    ['true', true],
    ['1', true],
    ['TRUE', true],
  ])('SEP-65: Conditional Loading with DEBUG_MODE=%s is %s', (mode, enabled) => {
    const given = mode === undefined ? {} : { DEBUG_MODE: mode };
    expect(parseManifest(advanced.conditional, { env: given }).manifest.feeds).toMatchObject([
      { id: 'debug_info', enabled },
    ]);
  });

  it('SEP-74: Security', () => {
    expect(parseManifest(security).manifest.internalActions).toEqual({
      enabled: true,
      allowed: ['add_context_feed', 'remove_context_feed'],
      blocked: [],
    });
  });

  it('SEP-61: Context Feed Examples have tools, relics, workflows and models as sources', () => {
    expect(feedsOf(examples.repository)).toMatchObject([
      { id: 'repo_structure', source: { type: 'tool', params: { path: '/repo', max_depth: 3 } } },
      { id: 'recent_commits', source: { type: 'tool', params: { count: 10, format: 'oneline' } } },
    ]);
    expect(feedsOf(examples.monitoring)).toMatchObject([
      { id: 'docker_status', trigger: 'periodic', interval: 60 },
      { id: 'service_health', trigger: 'periodic', interval: 30, source: { type: 'relic' } },
    ]);
    expect(feedsOf(examples.documents)).toMatchObject([
      {
        cacheTtl: 3600,
        maxTokens: 5000,
        source: { type: 'workflow', params: { paths: ['docs/', 'README.md'] } },
      },
    ]);
    // A reference to another feed stays: it is no variable of the environment.
    expect(feedsOf(examples.llm)).toMatchObject([
      { source: { type: 'llm', name: 'summarize', params: { context: '$repo_structure' } } },
    ]);
  });
});

describe('the manifest of the page', () => {
  const page = readFileSync(join(packageRoot(), 'spec/sep/README.md'), 'utf8');
  const [, text = ''] = /```yaml\n(context_feeds:[^]*?)```/.exec(page) ?? [];

  it('means what the page says', () => {
    const read = parseManifest(text, { env: { WITH_DOCS: 'yes', NOTES: 'n.md' } });
    expect(read.warnings).toEqual([]);
    expect(read.manifest.internalActions).toEqual({ enabled: true, blocked: ['clear_context_feeds'] });
    expect(read.manifest.feeds).toMatchObject([
      { id: 'current_datetime', trigger: 'on_demand', source: clock },
      { id: 'system_metrics', trigger: 'periodic', interval: 30 },
      {
        id: 'docs',
        enabled: true,
        cacheTtl: 3600,
        maxTokens: 5000,
        source: { params: { paths: ['docs/', 'n.md'] } },
      },
    ]);
  });
});

describe('a refusal names file, line and column', () => {
  const feed = (more: string): string => `context_feeds:\n  - id: a\n    type: on_demand\n${more}`;

  it.each([
    ['what is no YAML', 'context_feeds: [', /^m\.yaml:1:17: not YAML/],
    [
      'SEP-59: a feed without a source',
      feed(''),
      /^m\.yaml:2:5: .*context_feeds\[0\]: expected the key source; came the keys id, type/,
    ],
    [
      'a misspelled limit',
      feed('    cach_ttl: 3\n    source: { type: tool, name: x }\n'),
      /^m\.yaml:4:15: .*came the key "cach_ttl"/,
    ],
    [
      'an unknown trigger',
      'context_feeds:\n  - id: a\n    type: hourly\n    source: {}\n',
      /^m\.yaml:3:11: .*expected one of on_demand, periodic, .*came "hourly"/,
    ],
    [
      'a source without a name',
      feed('    source:\n      type: tool\n'),
      /^m\.yaml:5:7: .*expected the key name of a source of the type tool/,
    ],
    [
      'the same id again',
      '- { id: a, type: tool, source: { name: x } }\n- { id: a, type: tool, source: { name: y } }\n',
      /^m\.yaml:2:9: .*\[1\]\.id: expected an id that no other feed has; came "a" again/,
    ],
    [
      'a number that is none of JSON',
      feed('    source: { type: tool, name: x, params: { a: .inf } }\n'),
      /^m\.yaml:4:49: .*came Infinity/,
    ],
  ])('%s', (_, text, expected) => expect(refusal(text)).toMatch(expected));

  it('and so does a warning', () => {
    const { warnings } = parseManifest(advanced.conditional, { file: 'm.yaml' });
    expect(warnings).toEqual([
      'm.yaml:3:12: [0].enabled: expected the variable DEBUG_MODE to be set; it counts as empty',
    ]);
  });
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-manifest-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read, or refused with its path', () => {
    const file = join(folder, 'agent.yaml');
    writeFileSync(file, agentManifest);
    expect(readManifest(file, { env }).manifest.feeds).toHaveLength(3);
    expect(() => readManifest(join(folder, 'none.yaml'))).toThrow(
      /none\.yaml: no such file; expected a manifest/,
    );
  });
});

describe('hostile texts', () => {
  const piece = fc.constantFrom(
    '- id: a\n',
    '  type: periodic\n',
    '  interval: ',
    '1e999\n',
    '  source: {',
    '}',
    '[',
    '"',
    '${A}',
    '${A',
    ': ',
    '\n',
    '&a ',
    '*a',
    '!!x ',
    '? ',
    '\t',
    '\u0000',
    '|',
    '#',
  );

  it('are read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 40 }), (pieces) => {
        try {
          parseManifest(pieces.join(''), { env: { A: '${A}: {' } });
        } catch (error) {
          expect(error).toBeInstanceOf(WireproofError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
