/** Gateways that violate FOLD-G47 and G52 when they accept packs and offer their tools. */
import { member } from '../../../../src/kit/suite/index.ts';
import type { PackMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromPacks, toAgents, withCode } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** Edits the offer of tools to an agent with such capabilities. */
const offers =
  (isOffered: (needs: readonly string[], has: readonly string[]) => boolean) => (): GatewayFault =>
    toAgents(
      member('welcome', (welcome, context, peer) => {
        const has = agentOn(context, peer)?.listing?.capabilities ?? [];
        const available_tools = [...context.state.tools.values()]
          .map(({ definition }) => definition)
          .filter(({ required_capabilities: needs = [] }) => isOffered(needs, has));
        return [{ ...welcome, available_tools }];
      }),
    );

type Manifest = Extract<PackMessage, { manifest: unknown }>['manifest'];

/** Edits the manifest of a pack. */
const manifests = (edit: (manifest: Manifest, context: FaultContext) => Manifest) => (): GatewayFault =>
  fromPacks(member('manifest', (manifest, context) => [edit(manifest, context)]));

const newestPackWins = (manifest: Manifest, { state }: FaultContext): Manifest => {
  state.packs.delete(manifest.pack_id ?? '');
  return manifest;
};

const newestToolWins = (manifest: Manifest, { state }: FaultContext): Manifest => {
  for (const { name = '' } of manifest.tools ?? []) state.tools.delete(name);
  return manifest;
};

export const packFaults: GatewayFaults = {
  'offers-all': offers(() => true),
  'offers-for-any': offers((needs, has) => needs.length === 0 || needs.some((name) => has.includes(name))),
  'newest-pack-wins': manifests(newestPackWins),
  'newest-tool-wins': manifests(newestToolWins),
  'pack-without-id': manifests((manifest) => ({
    ...manifest,
    pack_id: (manifest.pack_id ?? '') === '' ? 'pack-1' : (manifest.pack_id ?? ''),
  })),
  'pack-twice-precondition': () => withCode(6, 9, 'pack'),
  'pack-without-id-exists': () => withCode(3, 6, 'pack'),
};
