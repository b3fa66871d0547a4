/** The manifest of an agent: its context feeds, and the internal actions that its model may use. */
import { isArray, isObject, ok, pathOf, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result, Violation } from '../../kit/base/index.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { namedTexts } from '../feeds/enabled.ts';
import type { FeedSpec } from '../feeds/feed.ts';
import { mostFeeds as defaultMostFeeds, mostManifest } from '../feeds/limits.ts';
import type { FeedLimits } from '../feeds/limits.ts';
import { specOf, violationOf, withoutNulls } from '../feeds/written.ts';
import type { WrittenFeed } from '../feeds/written.ts';
import { manifest as validator } from '../generated/validators.ts';
import { expandVariables } from './expand.ts';
import type { Environment } from './expand.ts';
import { grantsOf } from '../feeds/grants.ts';
import type { Grants } from '../feeds/grants.ts';
import { isInternalAction } from '../feeds/internal-actions.ts';
import type { InternalActionPolicy } from '../feeds/internal-actions.ts';

/** A manifest that was read. */
export interface Manifest {
  /** The feeds in their order. No two have the same id. */
  readonly feeds: readonly FeedSpec[];
  readonly internalActions: InternalActionPolicy;
  readonly grants: Grants;
}

/** A manifest, and what its author should know of it. */
export interface ReadManifest {
  readonly manifest: Manifest;
  readonly warnings: readonly Violation[];
}

/** How a manifest is read. */
export interface ManifestOptions extends Pick<FeedLimits, 'mostFeeds'> {
  /** The values of `${NAME}`. Absent: none is set. */
  readonly env?: Environment;
}

/**
 * Reads the document of a manifest: an object with `context_feeds` and `internal_actions`, or a list of feeds. Variables
 * are replaced first. Other keys beside these two belong to the agent: each gives a warning. Never throws.
 *
 * @example
 * const read = manifestOf({ context_feeds: [{ id: 'now', type: 'internal', source: { action: 'system_clock' } }] });
 * const feeds = read.ok ? read.value.manifest.feeds : [];
 * feeds.map(({ id, trigger }) => [id, trigger]); // [['now', 'on_demand']]
 */
export function manifestOf(document: Json, options: ManifestOptions = {}): Result<ReadManifest, Violation> {
  const tooLarge = refusalOf(extentOf(document, mostManifest, new WeakMap()), 'a manifest', mostManifest);
  if (tooLarge !== undefined) return refuse({ code: 'bad-manifest', path: '', message: tooLarge });
  const expanded = expandVariables(document, options.env ?? {}, mostManifest);
  if (!expanded.ok) return expanded;
  const { value, unset } = expanded.value;
  const warnings = [...unset].map(([name, path]) =>
    warningOf('unset-variable', path, `expected the variable ${name} to be set; it counts as empty`),
  );
  // A list has no keys: its paths begin with the number of a feed.
  const isList = isArray(value);
  const whole = isList ? { context_feeds: value } : (value ?? {});
  const read = readWhole(whole, warnings, options.mostFeeds ?? defaultMostFeeds);
  const place = (path: string): string => (isList ? path.replace(/^context_feeds/, '') : path);
  if (!read.ok) return refuse({ ...read.error, path: place(read.error.path) });
  return ok({
    manifest: read.value,
    warnings: warnings.map((one) =>
      one.code === 'unset-variable' ? one : { ...one, path: place(one.path) },
    ),
  });
}

const warningOf = (code: string, path: string, message: string): Violation => ({ code, path, message });

function readWhole(whole: Json, warnings: Violation[], mostFeeds: number): Result<Manifest, Violation> {
  const prepared = isObject(whole) ? withPlainFeeds(whole, warnings) : whole;
  const bad = violationOf(validator, prepared, 'bad-manifest');
  if (bad !== undefined) return refuse(bad);
  const { context_feeds, internal_actions } = prepared as unknown as WrittenManifest;
  const feeds = specsOf(context_feeds ?? [], warnings, mostFeeds);
  if (!feeds.ok) return feeds;
  const internalActions = policyOf(internal_actions ?? {}, warnings);
  return ok({ feeds: feeds.value, internalActions, grants: grantsOf(feeds.value) });
}

/** The members of a manifest, after the schema has taken it. */
interface WrittenManifest {
  readonly context_feeds?: readonly WrittenFeed[] | null;
  readonly internal_actions?: WrittenPolicy | null;
}

interface WrittenPolicy {
  readonly enabled?: boolean | string;
  readonly allowed_actions?: readonly string[] | null;
  readonly blocked_actions?: readonly string[] | null;
}

/** The manifest with feeds whose `enabled` is no text, and which have no members that are null. */
function withPlainFeeds(whole: JsonObject, warnings: Violation[]): JsonObject {
  for (const key of Object.keys(whole))
    if (key !== 'context_feeds' && key !== 'internal_actions')
      warnings.push(
        warningOf(
          'unknown-key',
          pathOf(`/${key}`),
          'expected context_feeds or internal_actions; SEP does not read this key',
        ),
      );
  const { context_feeds: feeds, internal_actions: policy } = whole;
  const plain = { ...whole, ...(isObject(policy) && { internal_actions: withoutNullEnabled(policy) }) };
  if (!isArray(feeds)) return plain;
  const plainFeeds = feeds.map((feed, i) => {
    const written = withoutNulls(feed);
    if (!isObject(written) || typeof written['enabled'] !== 'string') return written;
    return { ...written, enabled: enabledOf(written['enabled'], `context_feeds[${i}].enabled`, warnings) };
  });
  return { ...plain, context_feeds: plainFeeds };
}

/** null means absent; but in `allowed_actions` it is a list without items. */
const withoutNullEnabled = ({ enabled = null, ...policy }: JsonObject): JsonObject => ({
  ...policy,
  ...(enabled !== null && { enabled }),
});

/** What a text in `enabled` means (SEP-65). Another text than those means false. */
function enabledOf(text: string, path: string, warnings: Violation[]): boolean {
  const named = namedTexts.get(text.toLowerCase());
  if (named === undefined) {
    const words = [...namedTexts.keys()].filter((word) => word !== '').join(', ');
    warnings.push(warningOf('unknown-word', path, `expected one of ${words}; another text means false`));
  }
  return named ?? false;
}

function specsOf(
  written: readonly WrittenFeed[],
  warnings: Violation[],
  mostFeeds: number,
): Result<readonly FeedSpec[], Violation> {
  if (written.length > mostFeeds)
    return refuse(
      warningOf(
        'too-many-feeds',
        'context_feeds',
        `expected at most ${mostFeeds} feeds; came ${written.length}`,
      ),
    );
  const specs = new Map<string, FeedSpec>();
  for (const [i, feed] of written.entries()) {
    const path = `context_feeds[${i}]`;
    const spec = specOf(feed);
    if (!spec.ok) return refuse({ ...spec.error, path: `${path}.${spec.error.path}` });
    if (specs.has(feed.id))
      return refuse(
        warningOf(
          'duplicate-id',
          `${path}.id`,
          `expected an id that no other feed has; came ${JSON.stringify(feed.id)} again`,
        ),
      );
    specs.set(feed.id, spec.value);
    warnOfFeed(feed, spec.value, path, warnings);
  }
  return ok([...specs.values()]);
}

/** What is allowed in a feed, and rarely meant. */
function warnOfFeed(
  { id, type, interval }: WrittenFeed,
  { source, trigger }: FeedSpec,
  path: string,
  warnings: Violation[],
): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(id))
    warnings.push(
      warningOf(
        'no-name',
        `${path}.id`,
        'expected letters, digits and _, with no digit first: no $name can refer to this id',
      ),
    );
  if (type !== trigger && type !== source.type)
    warnings.push(
      warningOf(
        'two-types',
        `${path}.type`,
        `expected ${source.type}, which its source has; came ${type}: that of the source counts`,
      ),
    );
  if (interval !== undefined && trigger === 'on_demand')
    warnings.push(
      warningOf(
        'no-interval',
        `${path}.interval`,
        'expected an interval in a periodic feed only; it means nothing here',
      ),
    );
}

/** The policy of internal actions (SEP-74). A list without items in YAML is null: it allows none. */
function policyOf(written: WrittenPolicy, warnings: Violation[]): InternalActionPolicy {
  const { enabled = true, allowed_actions: allowed, blocked_actions: blocked } = written;
  for (const [key, names] of [
    ['allowed_actions', allowed ?? []],
    ['blocked_actions', blocked ?? []],
  ] as const)
    for (const [i, name] of names.entries())
      if (!isInternalAction(name))
        warnings.push(
          warningOf(
            'unknown-action',
            `internal_actions.${key}[${i}]`,
            'expected the name of an internal action; there is none with this name',
          ),
        );
  return {
    enabled: typeof enabled === 'string' ? enabledOf(enabled, 'internal_actions.enabled', warnings) : enabled,
    ...(allowed !== undefined && { allowed: allowed ?? [] }),
    blocked: blocked ?? [],
  };
}
