/** The registry: one line a protocol. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { Suite } from '../src/kit/check/index.ts';

/** Every suite by its id, loaded when asked for. */
export const suites: { readonly [id: string]: () => Promise<Suite> } = {
  'fold/agent': async () => (await import('./fold/index.ts')).foldAgent,
  'fold/gateway': async () => (await import('./fold/gateway/index.ts')).foldGateway,
};

/** Whole systems by protocol: all its roles at once, in random conversations. */
export const systems: { readonly [protocol: string]: () => Promise<Suite['storm']> } = {
  fold: async () => (await import('./fold/system.ts')).systemStorm,
};

/** Loads a suite; `also`: what else may be named here. @throws WireproofError 'usage' when there is none of that name */
export async function loadSuite(id: string, also: readonly string[] = []): Promise<Suite> {
  const load = Object.hasOwn(suites, id) ? suites[id] : undefined;
  if (load !== undefined) return load();
  const there = [...Object.keys(suites), ...also];
  throw new WireproofError('usage', `unknown suite "${id}"; there are ${there.join(', ')}`);
}
