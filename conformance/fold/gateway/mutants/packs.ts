/** Gateways that violate FOLD-G47 and G52 when they accept packs and offer their tools. */
import type { PackMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromPacks, toAgents, withCode } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

const offersAll = (): GatewayFault =>
  toAgents((m, { state }) => {
    if (m.welcome === undefined) return [m];
    const available_tools = [...state.tools.values()].map(({ definition }) => definition);
    return [{ welcome: { ...m.welcome, available_tools } }];
  });

/** Accepts an agent with one of the required capabilities of a tool. */
const offersForAny = (): GatewayFault =>
  toAgents((m, context, peer) => {
    if (m.welcome === undefined) return [m];
    const has = agentOn(context, peer)?.listing?.capabilities ?? [];
    const available_tools = [...context.state.tools.values()]
      .map(({ definition }) => definition)
      .filter(
        ({ required_capabilities: needs = [] }) =>
          needs.length === 0 || needs.some((name) => has.includes(name)),
      );
    return [{ welcome: { ...m.welcome, available_tools } }];
  });

type Manifest = Extract<PackMessage, { manifest: unknown }>['manifest'];

/** Edits the manifest of a pack. */
const manifests = (edit: (manifest: Manifest, context: FaultContext) => Manifest) => (): GatewayFault =>
  fromPacks((m, context) => ['manifest' in m ? { manifest: edit(m.manifest, context) } : m]);

const newestPackWins = (manifest: Manifest, { state }: FaultContext): Manifest => {
  state.packs.delete(manifest.pack_id ?? '');
  return manifest;
};

const newestToolWins = (manifest: Manifest, { state }: FaultContext): Manifest => {
  for (const { name = '' } of manifest.tools ?? []) state.tools.delete(name);
  return manifest;
};

export const packFaults: GatewayFaults = {
  'offers-all': offersAll,
  'offers-for-any': offersForAny,
  'newest-pack-wins': manifests(newestPackWins),
  'newest-tool-wins': manifests(newestToolWins),
  'pack-without-id': manifests((manifest) => ({
    ...manifest,
    pack_id: (manifest.pack_id ?? '') === '' ? 'pack-1' : (manifest.pack_id ?? ''),
  })),
  'pack-twice-precondition': () => withCode(6, 9, 'pack'),
  'pack-without-id-exists': () => withCode(3, 6, 'pack'),
};
