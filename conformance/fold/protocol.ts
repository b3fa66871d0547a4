/** Fold, as the command knows it. */
import type { Protocol } from '../../src/kit/suite/index.ts';

/** See the file's head. */
export const fold: Protocol = {
  name: 'fold',
  title: 'Fold (agent ↔ gateway over gRPC, published as Coven)',
  suites: {
    agent: async () => (await import('./agent/suite.ts')).foldAgentSuite,
    gateway: async () => (await import('./gateway/suite.ts')).foldGatewaySuite,
  },
  system: async () => (await import('./system/system.ts')).systemStorm,
  limits: async () => [
    {
      limit: 'message a target may send (gRPC)',
      value: '4 MiB (larger ones are taken up to 16 MiB, and judged)',
      set_by: '-',
    },
  ],
  topics: {
    drive: `fold/agent: spec/fold/README.md has the grammar of directives; conformance/examples/fold-agent.mjs obeys them.
`,
    operator: `fold/gateway:
  http            the published HTTP/SSE face: POST /api/send, /api/tools/approve, GET /api/agents and so on;
                  cancel and inject are POST /api/cancel and /api/inject, for which no path is published
  client-service  the published gRPC ClientService; it has no cancel and no inject
  command         commands of yours, given in the statement: operator.commands
The kit takes http when the target's command mentions {http_port}, else client-service; --operator overrides this.
`,
  },
  examples: [
    {
      command: 'check fold/agent -- ./my-agent --gateway {address}',
      text: 'does this agent conform?',
      root: true,
    },
    { command: 'check fold/gateway -- ./my-gateway {listen}', text: 'does this gateway?', root: true },
    { command: 'check fold/agent --listen 127.0.0.1:50051', text: 'then start the agent by hand' },
    {
      command: 'check fold/gateway -- ./my-gateway --grpc {listen} --http 127.0.0.1:{http_port}',
      text: 'with its HTTP face',
    },
    { command: 'check fold/gateway --connect 127.0.0.1:50051', text: 'a gateway that runs already' },
    {
      command: 'check fold/agent --scenario cancel-mid-tool -v -- ./my-agent {address}',
      text: 'one scenario',
    },
    { command: 'selftest fold/agent', text: 'every mutant of the agent' },
    { command: 'selftest fold/agent --seeds 10000', text: 'an agent and random gateways, a seed each' },
    { command: 'selftest fold --seeds 10000', text: 'gateway, agents, packs and operator together' },
    { command: 'list scenarios fold/agent', text: 'the scenarios of a suite' },
    { command: 'explain FOLD-A15', text: 'a requirement, and how it is checked', root: true },
    { command: 'init fold/agent', text: 'write a statement to fill in', root: true },
  ],
};
