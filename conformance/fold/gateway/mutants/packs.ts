/** Gateways that violate FOLD-G47 and G52 when they accept packs and offer their tools. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { PackMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromPacks, toAgents, withCode } from './faults.ts';
import type { GatewayFault, FaultContext } from './faults.ts';
import { mutant } from './mutant.ts';

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

/** Mutants of this theme. */
export const packMutants: readonly Mutant[] = [
  mutant('FOLD-G47', 'offers-all', 'It offers every agent all tools.', offersAll),
  mutant(
    'FOLD-G47',
    'offers-for-any',
    'It offers a tool to an agent that has one of the capabilities it requires.',
    offersForAny,
  ),
  mutant(
    'FOLD-G52',
    'newest-pack-wins',
    'It takes a second pack of the same pack_id.',
    manifests(newestPackWins),
  ),
  mutant(
    'FOLD-G52',
    'newest-tool-wins',
    "It takes a pack with the name of another's tool.",
    manifests(newestToolWins),
  ),
  mutant(
    'FOLD-G52',
    'pack-without-id',
    'It takes a pack without a pack_id.',
    manifests((manifest) => ({
      ...manifest,
      pack_id: (manifest.pack_id ?? '') === '' ? 'pack-1' : (manifest.pack_id ?? ''),
    })),
  ),
  mutant(
    'FOLD-G52',
    'pack-twice-precondition',
    'It refuses a second pack with FAILED_PRECONDITION (9).',
    () => withCode(6, 9, 'pack'),
  ),
  mutant(
    'FOLD-G52',
    'pack-without-id-exists',
    'It refuses a pack without a pack_id with ALREADY_EXISTS (6).',
    () => withCode(3, 6, 'pack'),
  ),
];
