/** The suite of whole agents under a Fold gateway: the kit is the gateway and the model, and judges both wires at once. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { joinedJudging } from '../../../src/kit/judge/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import type { MakePeer, Suite } from '../../../src/kit/suite/index.ts';
import { llmEnvironment } from '../../../src/llm/edge/index.ts';
import { foldAgentSuite, simulatedGateway } from '../../fold/agent/suite.ts';
import type { FoldView } from '../../fold/agent/view.ts';
import { llmClientSuite } from '../../llm/client/suite.ts';
import type { ClientView } from '../../llm/client/view.ts';
import { furtherRows, rowsOverBoth } from './further-rows.ts';
import { lawfulWholeAgents } from './lawful/index.ts';
import { agentMutants } from './mutants/index.ts';
import type { BothView } from './records.ts';
import { bothRules } from './rules/index.ts';
import { referenceTools, simulatedModel, wholeAgentPeer } from './target.ts';
import { bothJudging } from './topics.ts';
import { defaultTimeouts } from './view.ts';

/** The views of the parts. */
export type Views = { readonly fold: FoldView; readonly llm: ClientView; readonly both: BothView };

/** A judging with the rules of some rows, without those that have rules over both wires. */
const only = <V>(judging: Judging<V>, rows: readonly string[]): Judging<V> => ({
  ...judging,
  rules: judging.rules.filter(
    ({ requirement }) => rows.includes(requirement) && !rowsOverBoth.includes(requirement),
  ),
});

const foldTarget = foldAgentSuite.target;

/** A gateway that denies a tool only when the scenario has not decided in this time (ms). */
const patientGateway = (options: JsonObject): MakePeer =>
  simulatedGateway({ deny_after_ms: 5000, ...options });

/** Whole agents: the target dials its gateway and its model, and both are the kit. */
export const agentFoldSuite: Suite<Views> = {
  id: 'agent/fold',
  protocol: 'agent',
  role: 'fold',
  furtherLists: [
    { protocol: 'fold', role: 'agent', rows: furtherRows.fold },
    { protocol: 'llm', role: 'client', rows: furtherRows.llm },
  ],
  title: 'Whole agents between a Fold gateway and a model: does what one side asks reach the other?',
  features: [
    ...foldAgentSuite.features,
    { name: 'rejects', advertised: false, text: 'rejects injections that do not fit into the window' },
  ],
  judging: joinedJudging<Views>(
    {
      fold: { wires: ['fold'], judging: only(foldAgentSuite.judging, furtherRows.fold) },
      llm: { wires: ['llm'], judging: only(llmClientSuite.judging, furtherRows.llm) },
      both: { wires: ['fold', 'llm'], judging: { ...bothJudging, rules: bothRules } },
    },
    [],
  ),
  secrets: {
    metadata: [...foldAgentSuite.secrets.metadata, ...llmClientSuite.secrets.metadata],
    fields: [...foldAgentSuite.secrets.fields, ...llmClientSuite.secrets.fields],
    may: (message: JsonObject) => foldAgentSuite.secrets.may(message) || llmClientSuite.secrets.may(message),
  },
  timeouts: {
    ...llmClientSuite.timeouts,
    ...foldAgentSuite.timeouts,
    ...defaultTimeouts,
    /** How long an agent may try again after a failure of its model (ms). */
    ends: 60_000,
    /** How long an agent may wait for a model that falls silent in the middle of an answer (ms). */
    stall: 90_000,
  },
  target: {
    kind: 'dials',
    ready: 'fold:welcome',
    drive: 'llm',
    probe: 'agent-registers',
    advertised: ({ fold }) => (foldTarget.kind === 'dials' ? foldTarget.advertised(fold) : []),
    idle: ({ fold }) => foldTarget.kind !== 'dials' || foldTarget.idle(fold),
    connected: ({ fold }) => foldTarget.kind !== 'dials' || foldTarget.connected(fold),
    obeys: () => false,
    methods: foldTarget.kind === 'dials' ? foldTarget.methods : [],
  },
  sideServers: [
    {
      peer: 'provider',
      variable: 'llm_url',
      simulatedUrl: simulatedModel,
      environment: llmEnvironment,
    },
  ],
  unsupported: () => undefined,
  peers: { ...foldAgentSuite.peers, ...llmClientSuite.peers, 'fold/gateway': patientGateway },
  reports: ['request', 'answered'],
  wires: { 'fold/gateway': 'fold', 'llm/provider': 'llm' },
  ...(foldAgentSuite.forms === undefined ? {} : { forms: foldAgentSuite.forms }),
  referenceTools,
  referenceModel: { window: 8000 },
  conditionalRows: [
    {
      requirement: 'AGENT-61',
      reason: 'the statement says nothing of the outputs of tools: it needs shows: TEXT at tools.quick',
      unless: ({ tools = {} }) =>
        Object.values(tools).some((tool) => typeof tool === 'object' && tool.shows !== undefined),
      excuses: true,
    },
  ],
  statement: {
    target: `target:
  # An argv array, never a shell string. {address} is the gateway's host:port (also in WIREPROOF_ADDRESS). {llm_url} is the
  # model's base URL, which is in the environment, too: ANTHROPIC_BASE_URL, OPENAI_BASE_URL, OLLAMA_HOST, LMSTUDIO_BASE_URL,
  # GOOGLE_GEMINI_BASE_URL.
  command: [./my-agent, --gateway, '{address}']
`,
    more: `# The agent's own tools, which the model calls: a quick one, a slow one (at least 10 s), one that fails, one that asks for
# approval. Scenarios whose tool is not given are left out. {nonce} is a new word in each call: by it, the kit finds the process
# of the slow tool, and sees whether a cancel ends it.
# shows is a text that the output contains: by it, the kit sees whether your model is told that output, or another one.
# tools:
#   quick: { name: read_file, input: { path: README.md }, shows: 'a line of README.md' }
#   slow: { name: bash, input: { command: "sh -c 'sleep 60; : {nonce}'; : {nonce}" } } # the child holds it, too
# The context window (tokens) that the agent counts with. Without it, budgets are not judged.
# model: { window: 200000 }
`,
  },
  reference: (options) => wholeAgentPeer({}, options),
  mutants: agentMutants,
  lawful: lawfulWholeAgents,
};
