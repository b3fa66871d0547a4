/**
 * The suite of LLM clients. The target is a testee that runs a turn of an agent against the kit's provider, and reports
 * its result. A client is any code that turns a stream into text, tool calls and executions.
 */
import { lenientTester, lineFraming } from '../../../src/kit/testee/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { llmEnvironment, llmSecrets } from '../../../src/llm/edge/index.ts';
import { programForms } from './agent-tool.ts';
import { lawfulClients } from './lawful/index.ts';
import { clientMutants } from './mutants/index.ts';
import { clientRules } from './rules/index.ts';
import { clientScenarios, helloScenario } from './scenarios.ts';
import { client, provider } from './target.ts';
import { advertisedOf, chatProviders, helloOf } from './claimed.ts';
import { clientJudging } from './topics.ts';
import { notJudgedOf } from './view.ts';
import type { ClientView } from './view.ts';

/** Clients of model providers: the target sends requests, the kit streams answers. */
export const llmClientSuite: Suite<ClientView> = {
  id: 'llm/client',
  protocol: 'llm',
  role: 'client',
  title: 'LLM clients: streams that are cut, lie or break off',
  features: [
    ...dialects.map((name) => ({
      name,
      advertised: true,
      text: `speaks ${name} (hello's dialects, or seen)`,
    })),
    { name: 'streaming', advertised: true, text: 'streams responses (unless hello says streams: false)' },
    {
      name: 'websocket',
      advertised: true,
      text: "asks OpenAI Responses on a WebSocket (ws in hello's carriers, or seen)",
    },
    ...chatProviders.map((name) => ({
      name,
      advertised: true,
      text: `knows what ${name} adds to OpenAI Chat (hello's providers)`,
    })),
    { name: 'thinking', advertised: false, text: 'sends thinking blocks back (Anthropic)' },
  ],
  judging: { rules: clientRules, ...clientJudging },
  secrets: llmSecrets,
  timeouts: {
    handshake: 5000,
    step: 15_000,
    late: 100,
    /** How long an abort may take (ms). */
    abort: 2000,
    released: 5000,
    /** Time in addition to the caller's timeout (ms). */
    slack: 2000,
    /** A client that waits longer for a stalled stream counts as waiting forever (ms). */
    hang: 30_000,
    stalled: 31_000,
    /** How long a whole program may run (ms). */
    program: 20_000,
  },
  target: {
    kind: 'meets',
    carriers: ['stdio', 'http'],
    framing: lineFraming,
    drive: 'turns',
    advertised: advertisedOf,
    notJudged: notJudgedOf,
    hello: { scenario: helloScenario.name, of: helloOf, untestableRows: () => ({}) },
  },
  sideServers: [
    {
      peer: 'provider',
      variable: 'llm_url',
      simulatedUrl: 'http://llm.simulated',
      environment: llmEnvironment,
    },
  ],
  scenarios: clientScenarios,
  forms: programForms,
  unsupported: () => undefined,
  takesBack: ({ wire, data }) =>
    wire === 'testee' && data['unsupported'] === true ? 'it does not speak this dialect' : undefined,
  peers: { 'llm/provider': provider, 'llm/tester': () => lenientTester },
  reports: ['request', 'answered'],
  wires: { 'llm/tester': 'testee' },
  conditionalRows: [],
  statement: {
    target: `target:
  # An argv array, never a shell string: a testee that answers llm.turn on its stdin and stdout (spec/llm/README.md),
  # or a whole program, with carrier: http. That one finds the kit's provider in its environment.
  command: [python3, my_testee.py]

# stdio (a testee) or http (a whole program).
# carrier: stdio
`,
    more: `# Whole programs: the tool that the model calls, an input with which a call succeeds, and the witness that it ran:
# a file (makes), a text in its result (shows), or both. A file also shows when it ran. Without a witness, nobody can tell
# a call that was run from one that was refused, so LLM-C01, C02, C05 and C16 are not observed.
# {nonce} is a new word in each call. {tmp} is an empty folder, which is removed afterwards (also in WIREPROOF_TMP).
# The input must not contain the text of shows: an agent that quotes a refused call must not look as if it had run it.
# The call must run without a question to the user. The kit sends it complete first, to see that the witness works.
# tools:
#   # A shell.
#   quick: { name: bash, input: { command: 'touch {tmp}/{nonce}.txt' }, makes: '{tmp}/{nonce}.txt' }
#   # Or a tool that writes files.
#   # quick: { name: write, input: { file_path: '{tmp}/{nonce}.txt', content: x }, makes: '{tmp}/{nonce}.txt' }
#   # Or a tool that makes no file. Its result is wp123-ran; the input has no such text.
#   # quick: { name: bash, input: { command: 'printf %s-%s {nonce} ran' }, shows: '{nonce}-ran' }

# How many processes of a program may run at the same time. Programs share their configuration, so the default is 1.
# parallel: 4
`,
  },
  reference: (options) => client({}, options),
  mutants: clientMutants,
  lawful: lawfulClients,
};
