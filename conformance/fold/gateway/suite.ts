/** The suite of Fold gateways. The kit plays agents, packs and the operator. */
import { isObject, saysUnsupported, unsupportedText } from '../../../src/kit/base/index.ts';
import type { FailedCall } from '../../../src/kit/scenario/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Credentials, Feature, ListeningTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { controlServices, servicePath } from '../../../src/fold/index.ts';
import { foldForms } from '../forms.ts';
import { simulatedCredentials } from './credentials.ts';
import { lawfulGateways } from './lawful/index.ts';
import { gatewayMutants } from './mutants/index.ts';
import { gatewayProbe } from './probe.ts';
import { gatewayRules } from './rules/index.ts';
import { gatewayStatement } from './statement.ts';
import { gatewayPeers, shownFeature, simulatedGatewayTarget } from './target.ts';
import { topicOf } from './topics.ts';
import { lookAtGateway, startGatewayView, stepGatewayView } from './view.ts';
import type { GatewayView } from './view.ts';

const features: readonly Feature[] = [
  { name: 'injection', advertised: false, text: 'pushes context to agents' },
  { name: 'cancellation', advertised: false, text: 'stops requests' },
  { name: 'approvals', advertised: false, text: "brings an operator's decisions to agents" },
  { name: 'usage', advertised: false, text: 'sums token usage, and shows it' },
  { name: 'packs', advertised: false, text: 'has packs (tool providers) served to agents' },
  { name: 'auth', advertised: true, text: 'demands credentials; the statement gives them' },
  { name: 'ssh_auth', advertised: true, text: 'demands SSH signatures' },
  { name: 'jwt_auth', advertised: true, text: 'demands bearer tokens' },
  { name: 'revoked_principal', advertised: true, text: 'knows a principal that was revoked' },
  { name: 'pending_principal', advertised: true, text: 'knows a principal that waits for approval' },
  { name: 'registration_error', advertised: true, text: 'refuses registrations by a RegistrationError' },
  { name: 'mcp', advertised: true, text: 'gives agents an mcp_token' },
];

/** Loads the modules that only real targets need. */
const edge = async (): Promise<typeof import('../../../src/fold/edge/index.ts')> =>
  import('../../../src/fold/edge/index.ts');

const listeningTarget: ListeningTargetKind = {
  kind: 'listens',
  drivers: ['http', 'client-service', 'command', 'none'],
  choose(target, statement) {
    const stated = gatewayStatement(statement)?.operator;
    if (stated?.driver !== undefined) return stated.driver;
    if (stated?.commands?.['send'] !== undefined) return 'command';
    const faced = target.kind === 'command' && target.command.some((arg) => /\{(http_port|url)\}/.test(arg));
    return faced || stated?.url !== undefined ? 'http' : 'client-service';
  },
  driver: async (request) => (await edge()).operatorDriver(request),
  async credentials(statement): Promise<Credentials> {
    if (statement?.auth === undefined) return { scheme: 'none', features: [], of: () => ({}) };
    return (await edge()).statedCredentials(statement.auth);
  },
  simulated: simulatedCredentials,
  shown: shownFeature,
  operates: (role) => role === 'fold/operator',
  services: { known: controlServices, path: servicePath },
  probe: gatewayProbe,
};

/** The gRPC status of an operator's call that the gateway or the driver does not have. */
const unimplemented = 12;

function unsupported({ wire, kind, data }: TraceEvent): string | undefined {
  if (wire !== 'operator' || kind !== 'end' || data['code'] !== unimplemented) return undefined;
  const message = typeof data['message'] === 'string' ? data['message'] : '';
  return saysUnsupported(message) ? message.slice(0, 200) : unsupportedText(message.slice(0, 180));
}

/** The operator's call that an event ends with an error. */
function failedCall(
  { wire, kind, from, stream, data }: TraceEvent,
  trace: readonly TraceEvent[],
): FailedCall | undefined {
  const { code, message } = data;
  if (wire !== 'operator' || kind !== 'end' || from !== 'target' || code === 0) return undefined;
  const call = trace.find((event) => event.stream === stream && event.kind === 'message');
  const [verb = 'call'] = Object.keys(call?.data ?? {});
  const text = typeof message === 'string' ? message.slice(0, 200) : '';
  return { verb, status: `${Number(code)} ${text}`.trim() };
}

/**
 * The `full_response` of agents that have sent no text. An empty `done` is lawful, and published gateways do not show it
 * over ClientService: there, a request would have no end.
 */
const variables = (drive: string): { readonly end: string } => ({
  end: drive === 'client-service' ? 'all done' : '',
});

/** Fold gateways: the target listens, the kit dials. */
export const foldGatewaySuite: Suite<GatewayView> = {
  ...foldForms,
  id: 'fold/gateway',
  protocol: 'fold',
  role: 'gateway',
  title: 'Fold gateways: does this gateway treat agents, packs and operators as Fold (Coven) demands?',
  features,
  judging: {
    rules: gatewayRules,
    topicOf,
    view: { start: startGatewayView, look: lookAtGateway, step: stepGatewayView },
  },
  secrets: {
    metadata: ['x-ssh-*'],
    fields: ['mcp_token', 'secrets'],
    may: (message) => isObject(message) && message['welcome'] !== undefined,
  },
  timeouts: {
    handshake: 5000,
    step: 10_000,
    prompt: 5000,
    ack: 5000,
    cancel: 10_000,
    approval: 300_000,
    pack: 30_000,
    silence: 90_000,
    shutdown: 10_000,
    late: 300,
    watch: 2500,
  },
  // Longer than the time for which a gateway must keep a silent agent (FOLD-G44).
  simulatedTimeouts: { watch: 100_000 },
  target: listeningTarget,
  unsupported,
  failedCall,
  peers: gatewayPeers,
  wires: { 'fold/operator': 'operator' },
  variables,
  conditionalRows: ['FOLD-G44', 'FOLD-G54'].map((requirement) => ({
    requirement,
    reason:
      'the kit watches silent agents for 2.5 s only (watch): --timeout watch=100s watches them long enough',
    unless: ({ timeouts }) => timeouts?.['watch'] !== undefined,
  })),
  statement: {
    target: `target:
  # An argv array, never a shell string. {listen} is the host:port for gRPC, {http_port} the port for its HTTP
  # face, {tmp} an empty folder that is removed afterwards (also in WIREPROOF_LISTEN, WIREPROOF_HTTP_PORT and
  # WIREPROOF_TMP). For a gateway that runs already: connect: host:port.
  command: [./my-gateway, --grpc, '{listen}', --http, '127.0.0.1:{http_port}', --data, '{tmp}']

# How the kit plays its operator (wireproof explain operator).
operator:
  driver: http # or client-service, command, or none
  # url: http://127.0.0.1:8080
  # token_env: MY_TOKEN
  # paths: { cancel: /v2/stop } # paths of the HTTP face that differ from the published ones
  # commands: # calls to make by command, all of them with driver: command. {url}, {address}, {host} and {port} say where
  #   # the gateway is. A send prints its events as JSON, one object a line (spec/fold/operator.schema.json).
  #   send: [my-ctl, send, --agent, '{agent_id}', '{content}']
  #   cancel: [my-ctl, cancel, '{request_id}', '{reason}']
  #   inject: [my-ctl, inject, '{agent_id}', '{priority}', '{content}']
  #   approve: [my-ctl, approve, '{agent_id}', '{tool_id}', '{approved}', '{approve_all}']

# The gRPC service of agents, if it is neither coven.CovenControl nor fold.FoldControl.
# service: my.Control
`,
    more: `# The credentials of the kit's agents, where the gateway demands them (FOLD-G11 to G13). For SSH: ssh_key_file,
# revoked_ssh_key_file or pending_ssh_key_file. auto_register: approved or pending, for unknown SSH keys.
# auth: { jwt_secret_env: MY_SECRET, revoked_principal: mallory }
`,
  },
  reference: simulatedGatewayTarget,
  mutants: gatewayMutants,
  lawful: lawfulGateways,
};
