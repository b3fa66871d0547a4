/** The reference as a testee that also takes manifests, which are YAML. */
import type { JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { sepTesteeWith } from '../testee.ts';
import { parseManifest } from './manifest-file.ts';

/**
 * Answers `sep.parse` and `sep.run`, with a `manifest` or without. Never throws.
 *
 * @example
 * const manifest = 'context_feeds: [{ id: load, type: tool, source: { type: tool, name: top } }]';
 * const iterations = [['<response>$load</response>']];
 * sepManifestTestee({ id: 1, op: 'sep.run', iterations, manifest, feeds: { top: [0.5] } });
 * // { id: 1, ok: { events: [{ type: 'context_feed', id: 'load', text: '0.5', … }, …], … } }
 */
export const sepManifestTestee: (request: JsonObject) => JsonObject = sepTesteeWith({
  read: (text, env) => parseManifest(text, { env }),
  random: () => seededRandom('sep.run'),
});
