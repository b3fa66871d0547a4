/** The operation `sep.run` with a manifest (the page of SEP, Testee operations). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { agentManifest } from '../manifest/source.test-helper.ts';
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

  it.each([
    [{ manifest: 'context_feeds: [{ id: a }]' }, 'bad-manifest', /manifest:1:\d+: not a manifest for SEP/],
    [{ now: 'noon' }, 'bad-input', /expected now to be a time in ISO 8601; came noon/],
  ])('refuses %j with a sentence', (more, code, message) => {
    const answer = run({ iterations: [[]], ...more });
    expect(answer).toEqual({ code, message: expect.stringMatching(message) as string });
  });
});
