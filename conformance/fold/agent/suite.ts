/** The suite of Fold agents. */
import { saysUnsupported } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { Feature, MakePeer, Suite } from '../../../src/kit/suite/index.ts';
import {
  agent,
  agentCodec,
  agentPaths,
  foldSecrets,
  scriptedGateway,
  serverCodec,
} from '../../../src/fold/index.ts';
import type { AgentOptions, Request } from '../../../src/fold/index.ts';
import type { Statement } from '../../../src/kit/spec/index.ts';
import { foldForms } from '../forms.ts';
import { lawfulAgents } from './lawful/index.ts';
import { agentMutants } from './mutants/index.ts';
import { agentRules } from './rules/index.ts';
import { agentParties } from './parties.ts';
import { targetOptions } from './target.ts';
import { agentJudging } from './topics.ts';
import { defaultTimeouts, responseOf } from './view.ts';
import type { FoldView } from './view.ts';

const features: readonly Feature[] = [
  { name: 'token_usage', advertised: true, text: 'sends a usage event after each model call' },
  { name: 'tool_states', advertised: true, text: 'shows the states of its tools' },
  { name: 'injection', advertised: true, text: 'takes injected context and acknowledges it' },
  { name: 'cancellation', advertised: true, text: 'lets a CancelRequest end a request' },
  { name: 'tools', advertised: false, text: 'uses tools' },
  { name: 'approvals', advertised: false, text: 'asks before it runs gated tools' },
  { name: 'packs', advertised: false, text: "calls the gateway's pack tools" },
  { name: 'sessions', advertised: false, text: 'reports its sessions' },
  { name: 'files', advertised: false, text: 'sends and takes files' },
  { name: 'ssh_auth', advertised: false, text: 'signs its streams with an SSH key' },
];

/** The reference agent as a target. */
export const referenceAgent = (options: Partial<AgentOptions> = {}): MakePeer =>
  peerOf(agent(options), serverCodec, agentCodec);

/** The reference agent as the simulated world's target, with the credentials and the keepalive that some rows need. */
export const simulatedAgent = (): MakePeer => referenceAgent(targetOptions);

/** The simulated gateway, with the options of a scenario. It answers what an agent asks in its own words. */
export const simulatedGateway = (options: JsonObject): MakePeer =>
  peerOf(scriptedGateway({ answers: true, ...options }), agentCodec, serverCodec);

function lastRequest(view: FoldView): Request | undefined {
  const all = [...view.streams.values()].flatMap(({ session }) => [...session.requests.values()]);
  return all.at(-1);
}

/** Whether the texts of the last request were exactly the texts of its directive. */
function obeys(view: FoldView): boolean {
  const request = lastRequest(view);
  if (request?.steps === undefined || request.terminal?.event !== 'done') return false;
  return request.text === request.steps.map((step) => ('say' in step ? step.say : '')).join('');
}

/** Fold agents: the target dials, the kit is the gateway. */
export const foldAgentSuite: Suite<FoldView> = {
  ...foldForms,
  id: 'fold/agent',
  protocol: 'fold',
  role: 'agent',
  title: 'Fold agents: does this agent speak to a gateway as Fold (Coven) demands?',
  features,
  judging: { rules: agentRules, ...agentJudging },
  parties: agentParties,
  secrets: foldSecrets,
  timeouts: {
    ...defaultTimeouts,
    handshake: 5000,
    pack: 30_000,
    silence: 90_000,
    late: 300,
    keepalive: 2500,
  },
  // The reference pings every 5 s; FOLD-A56 needs two.
  simulatedTimeouts: { keepalive: 12_000 },
  target: {
    kind: 'dials',
    ready: 'welcome',
    advertised(view) {
      const streams = [...view.streams.values()].filter(({ session }) => session.register !== undefined);
      const features = streams.at(-1)?.session.features;
      return features === undefined ? undefined : [...features];
    },
    idle: (view) =>
      [...view.streams.values()].every((s) => s.ended !== undefined || s.session.active.size === 0),
    connected: (view) =>
      [...view.streams.values()].some(
        (s) => s.ended === undefined && s.closedByTarget === undefined && s.session.phase === 'ready',
      ),
    obeys,
    probe: 'directive-probe',
    methods: agentPaths,
  },
  unsupported(event) {
    const error = responseOf(event).error ?? '';
    return saysUnsupported(error) ? error.slice(0, 120) : undefined;
  },
  peers: {
    'fold/gateway': simulatedGateway,
  },
  conditionalRows: [
    {
      requirement: 'FOLD-A55',
      reason: 'the target signs no stream: give it a key with auth.ssh_key_file in the statement',
      unless: (statement) => statement.auth?.['ssh_key_file'] !== undefined,
    },
    ...['FOLD-A08', 'FOLD-A09'].map((requirement) => ({
      requirement,
      reason: 'the statement says supervised: true: a supervisor starts the agent again',
      unless: (statement: Statement) => statement.supervised !== true,
      excuses: true as const,
    })),
  ],
  profiles: {
    'coven-compat': {
      expected: [
        {
          id: 'FOLD-A15',
          reason: 'some agents in use send done after error (Fold decisions, 5)',
          message: 'after its error; done came',
          known: true,
        },
      ],
    },
  },
  statement: {
    target: `target:
  # An argv array, never a shell string. {address} is the host:port to dial (also in WIREPROOF_ADDRESS).
  command: [./my-agent, --gateway, '{address}']

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto
`,
    more: `# A gRPC service besides coven.CovenControl and fold.FoldControl.
# service: my.Control

# Whether something else starts the agent again when it ends after a lost stream or a refusal: FOLD-A08 and A09 do not apply.
# supervised: true

# The credentials of the target. The path of the file reaches it as WIREPROOF_SSH_KEY_FILE.
# auth: { ssh_key_file: ./test-key }

# Deviations that are known in the field, reported as known.
# profile: coven-compat

# The agent's own tools: a quick one, a slow one, one that fails, one that asks for approval.
# tools: { slow: { name: bash, input: { command: sleep 5 } } }
`,
  },
  drives: { llm: 'agent/fold' },
  reference: simulatedAgent,
  mutants: agentMutants,
  lawful: lawfulAgents,
};
