/** The registry: one line a suite. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import type { Sweep, SweepOptions } from './llm/client/sweep.ts';

/** Every suite by its id, loaded when asked for. */
export const suites: { readonly [id: string]: () => Promise<Suite> } = {
  'fold/agent': async () => (await import('./fold/agent/suite.ts')).foldAgentSuite,
  'fold/gateway': async () => (await import('./fold/gateway/suite.ts')).foldGatewaySuite,
  'toon/codec': async () => (await import('./toon/codec/suite.ts')).toonCodecSuite,
  'toon/subagent': async () => (await import('./toon/subagent/suite.ts')).toonSubagentSuite,
  'toon/orchestrator': async () => (await import('./toon/orchestrator/suite.ts')).toonOrchestratorSuite,
  'llm/client': async () => (await import('./llm/client/suite.ts')).llmClientSuite,
  'llm/server': async () => (await import('./llm/server/suite.ts')).llmServerSuite,
  'tokens/manager': async () => (await import('./tokens/manager/suite.ts')).tokensManagerSuite,
};

/** Whole systems by protocol: all its roles at once, in random conversations. */
export const systems: { readonly [protocol: string]: () => Promise<Suite['storm']> } = {
  fold: async () => (await import('./fold/system/system.ts')).systemStorm,
};

/** Suites whose target is a testee: `wireproof testee` runs their references as programs. */
export const testees: readonly string[] = ['toon/codec', 'tokens/manager', 'llm/client'];

/** Sweeps by suite: one thing tried at every place. */
export const sweeps: {
  readonly [suite: string]: () => Promise<(options: SweepOptions) => Sweep>;
} = {
  'llm/client': async () => (await import('./llm/client/sweep.ts')).sweep,
};

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
