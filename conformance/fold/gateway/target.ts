/** The reference gateway as a target of the simulated world, and the simulated peers around any gateway. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, Metadata, Role, TraceEvent, Codec } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, PeerExtras, PeerWorld } from '../../../src/kit/suite/index.ts';
import {
  agentCodec,
  gateway,
  gatewayCodecs,
  ledgerEffects,
  memoryLedger,
  operatorCallCodec,
  operatorReplyCodec,
  scriptedAgent,
  scriptedOperator,
  scriptedPack,
  serverCodec,
  wireOf,
} from '../../../src/fold/index.ts';
import type {
  GatewayCommand,
  GatewayIn,
  GatewayOptions,
  GatewayOut,
  GatewayState,
  PackMessage,
  PackOrder,
  ScriptedAgentOptions,
  ScriptedPackOptions,
} from '../../../src/fold/index.ts';
import { simulatedAuth, simulatedEpoch } from './credentials.ts';

/** A gateway's role, whatever its state. */
export type AnyGateway<S = GatewayState> = Role<S, GatewayIn, GatewayOut, GatewayCommand>;

/** Options of the reference gateway in the simulated world, as a scenario has it. */
export function gatewayOptions(reference: JsonObject = {}): Partial<GatewayOptions> {
  const { auth, ...options } = reference;
  const checks = simulatedAuth(typeof auth === 'string' ? auth : 'none');
  return {
    epoch: simulatedEpoch,
    mcp_endpoint: 'http://localhost/mcp',
    ...(options as Partial<GatewayOptions>),
    ...(checks === undefined ? {} : { auth: checks }),
  };
}

/** A gateway as a peer that others dial, with a ledger in memory. */
export function hostedGateway<S>(role: AnyGateway<S>): MakePeer {
  const extras: PeerExtras<GatewayIn, GatewayOut> = {
    wireOf: gatewayCodecs,
    effect: ledgerEffects(memoryLedger()),
  };
  const { receives, sends } = gatewayCodecs({});
  // A gateway's commands are a part of a peer's: of the others it is sent none.
  return peerOf(role as Role<S, GatewayIn, GatewayOut, never>, receives, sends, extras);
}

/** The reference gateway as the simulated world's target. */
export const simulatedGatewayTarget = (reference: JsonObject = {}): MakePeer =>
  hostedGateway(gateway(gatewayOptions(reference)));

/** The metadata by which a scenario's peer shows who it is. */
const credentialsOf =
  (options: JsonObject, world: PeerWorld): (() => Metadata) =>
  () =>
    world.credentials?.(typeof options['credentials'] === 'string' ? options['credentials'] : 'valid') ?? {};

const packCodecs = (metadata: Metadata): { receives: Codec<PackOrder>; sends: Codec<PackMessage> } => {
  const { receives, sends } = wireOf(metadata[':path']);
  // On a pack's streams only a pack's messages cross.
  return { receives: sends as unknown as Codec<PackOrder>, sends: receives as unknown as Codec<PackMessage> };
};

/** The simulated peers of a gateway, by role. */
export const gatewayPeers: { readonly [role: string]: (options: JsonObject) => MakePeer } = {
  'fold/agent': (options) => (world) => {
    const role = scriptedAgent({
      ...(options as unknown as ScriptedAgentOptions),
      metadata: credentialsOf(options, world),
    });
    return peerOf(role, serverCodec, agentCodec)(world);
  },
  'fold/pack': (options) => (world) => {
    const role = scriptedPack({
      ...(options as unknown as ScriptedPackOptions),
      metadata: credentialsOf(options, world),
    });
    const { receives, sends } = packCodecs({ ':path': '/coven.PackService/Register' });
    return peerOf(role, receives, sends, { wireOf: packCodecs })(world);
  },
  'fold/operator': () => (world) => peerOf(scriptedOperator(), operatorReplyCodec, operatorCallCodec)(world),
};

/** A feature that an event shows a gateway to have. */
export function shownFeature({ from, kind, data }: TraceEvent): string | undefined {
  if (kind === 'mark') {
    const { run } = data;
    return isObject(run) && typeof run['auth'] === 'string' && run['auth'] !== 'none' ? 'auth' : undefined;
  }
  if (from !== 'target') return undefined;
  if (data['registration_error'] !== undefined) return 'registration_error';
  const { welcome } = data;
  return isObject(welcome) && typeof welcome['mcp_token'] === 'string' ? 'mcp' : undefined;
}
