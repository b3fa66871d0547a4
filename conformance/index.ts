/** The registry: one line a suite. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { JsonObject } from '../src/kit/base/index.ts';
import type { Suite } from '../src/kit/check/index.ts';
import type { Sweep, SweepOptions } from './llm/client/sweep.ts';

/** Every suite by its id, loaded when asked for. */
export const suites: { readonly [id: string]: () => Promise<Suite> } = {
  'fold/agent': async () => (await import('./fold/index.ts')).foldAgent,
  'fold/gateway': async () => (await import('./fold/gateway/index.ts')).foldGateway,
  'toon/codec': async () => (await import('./toon/codec/index.ts')).toonCodecSuite,
  'toon/subagent': async () => (await import('./toon/index.ts')).toonSubagent,
  'toon/orchestrator': async () => (await import('./toon/index.ts')).toonOrchestrator,
  'llm/client': async () => (await import('./llm/client/index.ts')).llmClient,
  'llm/server': async () => (await import('./llm/server/index.ts')).llmServer,
  'tokens/manager': async () => (await import('./tokens/index.ts')).tokensManagerSuite,
};

/** Whole systems by protocol: all its roles at once, in random conversations. */
export const systems: { readonly [protocol: string]: () => Promise<Suite['storm']> } = {
  fold: async () => (await import('./fold/system.ts')).systemStorm,
};

/** Reference implementations that answer testee operations, by suite. */
export const testees: { readonly [suite: string]: () => Promise<(request: JsonObject) => JsonObject> } = {
  'toon/codec': async () => (await import('../src/toon/index.ts')).toonTestee,
  'tokens/manager': async () => (await import('../src/tokens/index.ts')).tokensTestee,
};

/** Sweeps by suite: one thing tried at every place. */
export const sweeps: {
  readonly [suite: string]: () => Promise<(options: SweepOptions) => Sweep>;
} = {
  'llm/client': async () => (await import('./llm/client/sweep.ts')).sweep,
};

/** Suites whose reference is a testee that dials what its requests name. */
export const diallingTestees: readonly string[] = ['llm/client'];

/** The protocols that have suites. */
export const protocols: readonly string[] = [
  ...new Set(Object.keys(suites).map((id) => id.replace(/\/.*/, ''))),
];

/** Loads a suite; `also`: what else may be named here. @throws WireproofError 'usage' when there is none of that name */
export async function loadSuite(id: string, also: readonly string[] = []): Promise<Suite> {
  const load = Object.hasOwn(suites, id) ? suites[id] : undefined;
  if (load !== undefined) return load();
  const there = [...Object.keys(suites), ...also];
  throw new WireproofError('usage', `unknown suite "${id}"; there are ${there.join(', ')}`);
}
