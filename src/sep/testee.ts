/** The reference of SEP as a testee of the suites `sep/parser` and `sep/executor`: one request in, one answer out. */
import { extensionNames } from './parser/extensions.ts';
import type { ExtensionSwitches } from './parser/extensions.ts';
import type { InternalWorld } from './feeds/builtin.ts';
import { clip, dispatcher, RequestRefusal, schemaRefusal, pathOf } from '../kit/base/index.ts';
import type { Json, JsonObject } from '../kit/base/index.ts';
import { playRun } from './executor/scripted-run.ts';
import type { RunScript } from './executor/scripted-run.ts';
import { scriptedSources } from './executor/sources.ts';
import type { ScriptedErrors, ScriptedValues } from './executor/sources.ts';
import { parseRequest, runRequest } from './generated/validators.ts';
import type { Manifest } from './manifest/manifest.ts';
import { parseSep } from './parser/parser.ts';

const hello = {
  virtual_time: true,
  features: [
    'thought_actions',
    'non_final_responses',
    'variables',
    'dependencies',
    'timeouts',
    'retries',
    'transcripts',
    'feeds',
    'response_ends',
    'diagnostics',
    'internal_actions',
    ...extensionNames,
  ],
};

/** What a testee needs to run manifests. */
export interface ManifestRunner {
  /** Reads the YAML text of a manifest. @throws Error with the reason, when it is no manifest */
  readonly read: (text: string, env: { readonly [name: string]: string }) => { readonly manifest: Manifest };
  /** The randomness of a run, for the source `random`. */
  readonly random: () => InternalWorld['random'];
}

/** The testee with a reader of manifests: `sep.run` takes a `manifest` then. See {@link sepTestee}. */
export const sepTesteeWith = (manifests: ManifestRunner): ((request: JsonObject) => JsonObject) =>
  dispatcher({
    name: 'wireproof reference',
    version: '0.1.0',
    operations: { 'sep.parse': parse, 'sep.run': (request) => run(request, manifests) },
    hello: { ...hello, features: [...hello.features, 'manifests', 'internal_sources'] },
  });

/**
 * Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` of an operation that it does not know. Never
 * throws.
 *
 * @example
 * sepTestee({ id: 1, op: 'sep.parse', chunks: ['<thought>Hm', 'm'] });
 * // { id: 1, ok: { events: [{ type: 'thought', text: 'Hm' }, { type: 'thought', text: 'm' }, …] } }
 */
export const sepTestee: (request: JsonObject) => JsonObject = dispatcher({
  name: 'wireproof reference',
  version: '0.1.0',
  operations: {
    'sep.parse': parse,
    'sep.run': (request) => run(request, undefined),
  },
  hello,
});

/** The members of `sep.parse`. */
interface ParseRequest {
  readonly chunks?: readonly string[];
  readonly bytes?: readonly string[];
  readonly extensions?: ExtensionSwitches;
}

function parse(request: JsonObject): JsonObject {
  demand(parseRequest, request);
  const { chunks, bytes = [], extensions = {} } = request as ParseRequest;
  const events = parseSep(chunks ?? bytes.map((hex) => Buffer.from(hex, 'hex')), { extensions });
  return { events: events as unknown as Json };
}

function run(request: JsonObject, manifests: ManifestRunner | undefined): JsonObject {
  demand(runRequest, request);
  const { iterations, providers = {}, variables = {}, extensions = {} } = request as unknown as RunScript;
  const feeds = feedsOf(request, manifests);
  return {
    ...(playRun({ iterations, providers, variables, extensions, ...feeds }) as unknown as JsonObject),
  };
}

/** The members of a request about feeds. */
interface FeedRequest {
  readonly manifest?: string;
  readonly env?: { readonly [name: string]: string };
  readonly feeds?: ScriptedValues;
  readonly feed_errors?: ScriptedErrors;
  readonly now?: string;
}

/** The feeds of a run. An internal action adds feeds without a manifest, too. @throws RequestRefusal */
function feedsOf(request: FeedRequest, manifests: ManifestRunner | undefined): Partial<RunScript> {
  const { manifest: text, env = {}, feeds: values = {}, feed_errors: errors = {} } = request;
  const { now = '1970-01-01T00:00:00Z' } = request;
  const began = Date.parse(now);
  if (Number.isNaN(began))
    throw new RequestRefusal('bad-input', `expected now to be a time in ISO 8601; came ${clip(now, 60)}`);
  if (manifests === undefined) {
    if (text === undefined) return { sources: scriptedSources({ values, errors }) };
    throw new RequestRefusal('bad-input', 'this testee reads no manifests; sepTesteeWith takes a reader');
  }
  const { feeds, internalActions, grants } = manifestIn(text ?? '', env, manifests);
  const world = { now: began, random: manifests.random(), env, envNames: grants.envNames };
  return { feeds: { feeds }, internalActions, grants, sources: scriptedSources({ values, errors }, world) };
}

function manifestIn(text: string, env: NonNullable<FeedRequest['env']>, { read }: ManifestRunner): Manifest {
  try {
    return read(text, env).manifest;
  } catch (error) {
    throw new RequestRefusal('bad-manifest', error instanceof Error ? error.message : String(error));
  }
}

/** @throws RequestRefusal with the position of what is malformed */
function demand(validator: Parameters<typeof schemaRefusal>[0], request: JsonObject): void {
  const refused = schemaRefusal(validator, request);
  if (refused === undefined) return;
  const { fault, expected, came } = refused;
  const path = pathOf(fault.instancePath);
  throw new RequestRefusal(
    'bad-input',
    `expected ${path === '' ? 'the request' : path} to be ${expected}; came ${came}`,
  );
}
