/** TOON (Task Orchestration Over Node), as the command knows it. */
import type { JsonObject } from '../../src/kit/base/index.ts';
import { vectorInput } from '../../src/kit/spec/index.ts';
import type { Protocol, VectorMaker } from '../../src/kit/suite/index.ts';

async function vectors(): Promise<VectorMaker> {
  const [{ toonCases }, { judgeAnswer }, { toonTestee }] = await Promise.all([
    import('./codec/cases/index.ts'),
    import('./codec/judge.ts'),
    import('../../src/toon/index.ts'),
  ]);
  return {
    cases: toonCases,
    referenceFault(op, test) {
      const request: JsonObject = { ...vectorInput(test), id: test.id, op };
      return judgeAnswer(test, request, toonTestee(request), { codes: true });
    },
  };
}

/** See the file's head. */
export const toon: Protocol = {
  name: 'toon',
  title: 'TOON (Task Orchestration Over Node: binary frames between orchestrator and subagent)',
  suites: {
    codec: async () => (await import('./codec/suite.ts')).toonCodecSuite,
    subagent: async () => (await import('./subagent/suite.ts')).toonSubagentSuite,
    orchestrator: async () => (await import('./orchestrator/suite.ts')).toonOrchestratorSuite,
  },
  testees: ['codec'],
  vectors,
  topics: {
    drive: `toon/subagent: spec/toon/README.md has the grammar of directives; conformance/examples/toon_subagent.py obeys them.
`,
    testees: `toon/codec: spec/toon/README.md lists the operations, such as toon.decode.
`,
  },
  examples: [
    { command: 'check toon/codec -- python3 my_testee.py', text: 'does this codec?', root: true },
    { command: 'check toon/subagent -- ./my-subagent', text: 'speaks on its stdin and stdout' },
    {
      command: 'check toon/subagent -- ./my-subagent {address}',
      text: 'dials the kit; {url}: over WebSocket',
    },
    { command: 'testee toon/codec', text: 'the reference codec as a testee' },
    { command: 'fixtures generate toon --seed 7 --out vectors', text: 'golden vectors' },
    { command: 'fixtures verify toon vectors', text: 'check a folder of them' },
  ],
};
