/** The operation `sep.run` with a manifest (the page of SEP, Testee operations). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { agentManifest } from '../manifest/source.test-helper.ts';
import { sepTestee } from '../testee.ts';
import { sepManifestTestee } from './manifest-testee.ts';

/** The document's agent, with its example of a feed that is enabled by the environment, and its allowed actions. */
const manifest = `${agentManifest}
  - id: "debug_info"
    type: "on_demand"
    enabled: "\${DEBUG_MODE}"
    source: { type: internal, action: debug_context }
internal_actions:
  enabled: true
  allowed_actions: [add_context_feed, remove_context_feed]
`;

const run = (more: JsonObject): JsonObject => {
  const { ok, error } = sepManifestTestee({ id: 1, op: 'sep.run', manifest, ...more });
  return (ok ?? error) as JsonObject;
};

const logger =
  '<action type="tool" mode="sync" id="log_event">{"name":"logger","parameters":{"timestamp":"$current_datetime","system_load":"$system_metrics"}}</action>';

describe('sep.run', () => {
  it('has the values of feeds, at the time that the request gives (the example "Accessing Feeds in Actions")', () => {
    const { events } = run({
      iterations: [[logger]],
      providers: { logger: [{ output: 'ok' }] },
      feeds: { system_monitor_tool: [{ cpu: 45.2 }] },
      now: '2024-06-15T12:34:56Z',
    });
    expect(events).toContainEqual({
      type: 'started',
      id: 'log_event',
      parameters: { timestamp: '2024-06-15T12:34:56Z', system_load: { cpu: 45.2 } },
      at: 0,
    });
  });

  it('reads enabled from the environment that the request gives (SEP-65)', () => {
    const fetched = (env: JsonObject): unknown[] =>
      (run({ iterations: [[]], env })['events'] as JsonObject[]).flatMap(({ type, id }) =>
        type === 'context_feed' ? [id] : [],
      );
    expect(fetched({})).toEqual(['current_datetime']);
    expect(fetched({ DEBUG_MODE: 'true' })).toEqual(['current_datetime', 'debug_info']);
  });

  it('fails an internal action that the manifest does not allow (SEP-74, SEP-75)', () => {
    const update =
      '<action type="internal" mode="sync" id="u">{"name":"update_context_feed","parameters":{"id":"system_metrics","interval":60}}</action>';
    expect(run({ iterations: [[update]] })['events']).toContainEqual(
      expect.objectContaining({ type: 'failed', id: 'u' }),
    );
  });

  it('fails the fetches that the request names, which use no value (Decision 33)', () => {
    const said = '<response final="false">$load </response>';
    const { events } = run({
      manifest: 'context_feeds: [{ id: load, type: tool, source: { name: top } }]',
      iterations: [[said], [said], [said]],
      feeds: { top: ['high', 'low'] },
      feed_errors: { top: { 2: 'no network' } },
    });
    const texts = (events as JsonObject[]).filter(({ type }) => type === 'response').map(({ text }) => text);
    expect(texts.join('')).toBe('high high low ');
    expect(events).toContainEqual(expect.objectContaining({ type: 'diagnostic', code: 'feed-failed' }));
  });

  it('has the feeds that an internal action adds, without a manifest (SEP-71)', () => {
    const add =
      '<action type="internal" mode="sync" id="a">{"name":"add_context_feed","parameters":{"id":"errors","type":"relic","source":{"name":"log"}}}</action>';
    const request = { id: 1, op: 'sep.run', iterations: [[add], ['<response>$errors</response>']] };
    for (const testee of [sepManifestTestee, sepTestee])
      expect(testee({ ...request, feeds: { log: ['disk full'] } })['ok']).toMatchObject({
        events: expect.arrayContaining([
          expect.objectContaining({ type: 'response', text: 'disk full' }),
        ]) as JsonObject[],
      });
  });

  it('takes manifests, as its hello says', () => {
    const featuresOf = (testee: typeof sepTestee): unknown =>
      (testee({ id: 1, op: 'hello' })['ok'] as JsonObject)['features'];
    expect(featuresOf(sepManifestTestee)).toEqual(expect.arrayContaining(['manifests', 'internal_actions']));
    expect(featuresOf(sepTestee)).not.toContain('manifests');
  });

  it.each([
    [{ manifest: 'context_feeds: [{ id: a }]' }, 'bad-manifest', /manifest:1:\d+: not a manifest for SEP/],
    [{ feed_errors: { top: { 0: 'no' } } }, 'bad-input', /feed_errors/],
    [{ now: 'noon' }, 'bad-input', /expected now to be a time in ISO 8601; came noon/],
  ])('refuses %j with a sentence', (more, code, message) => {
    const answer = run({ iterations: [[]], ...more });
    expect(answer).toEqual({ code, message: expect.stringMatching(message) as string });
  });
});
