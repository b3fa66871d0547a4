/** The reference gateway as a target of the simulated world, and the simulated peers of gateways. */
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

export type AnyGateway<S = GatewayState> = Role<S, GatewayIn, GatewayOut, GatewayCommand>;

/** The options of the reference gateway in the simulated world. `reference`: the scenario's options for it. */
export function gatewayOptions(reference: JsonObject = {}): Partial<GatewayOptions> {
  const { auth, ...options } = reference;
  const checks = simulatedAuth(typeof auth === 'string' ? auth : 'none');
  return {
    epoch: simulatedEpoch,
    mcp_endpoint: 'http://localhost/mcp',
    ...options,
    ...(checks === undefined ? {} : { auth: checks }),
  };
}

/** A gateway as a peer that other peers dial. Its ledger is in memory. */
export function hostedGateway<S>(role: AnyGateway<S>): MakePeer {
  const extras: PeerExtras<GatewayIn, GatewayOut> = {
    wireOf: gatewayCodecs,
    effect: ledgerEffects(memoryLedger()),
  };
  const { receives, sends } = gatewayCodecs({});
  // A gateway knows only some commands of a peer. It never receives the others.
  return peerOf(role, receives, sends, extras);
}

/** The reference gateway as the simulated world's target. */
export const simulatedGatewayTarget = (reference: JsonObject = {}): MakePeer =>
  hostedGateway(gateway(gatewayOptions(reference)));

/** The credentials of a scenario's peer, as metadata. */
const credentialsOf =
  (options: JsonObject, world: PeerWorld): (() => Metadata) =>
  () =>
    world.credentials?.(typeof options['credentials'] === 'string' ? options['credentials'] : 'valid') ?? {};

const packCodecs = (metadata: Metadata): { receives: Codec<PackOrder>; sends: Codec<PackMessage> } => {
  const { receives, sends } = wireOf(metadata[':path']);
  // A pack's streams only carry a pack's messages.
  return { receives: sends as Codec<PackOrder>, sends: receives as Codec<PackMessage> };
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

/** A feature of a gateway that an event proves. */
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
