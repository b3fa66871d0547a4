/** The reference as a whole agent: its statement, its command, and what its check must say. */
import { expect } from 'vitest';
import { checked, program, reference } from '../run.test-helper.ts';

/** The tools of the reference, and the window that its flags give it. */
export const statement: string = program(
  'whole-agent.yaml',
  `suite: fold/agent
drive: llm
tools:
  quick: { name: echo, input: { text: 'quick and complete {nonce}' }, shows: 'complete {nonce}' }
  slow: { name: run, input: ${JSON.stringify({ command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60_000)', '{nonce}'] })} }
  failing: { name: fail, input: { message: it cannot be done } }
  gated: { name: write, input: { text: gated and complete } }
model: { window: 8000 }
`,
);

/** The reference as a target that speaks a dialect. */
export const agent = (dialect: string): readonly string[] =>
  reference(
    ...['simulate', 'fold/agent', '--connect', '{address}', '--llm', '{llm_url}', '--dialect', dialect],
    ...['--window', '8000', '--idle', '10s', '--run', '--approve', 'write', '--quiet', '--no-rules'],
  );

const patient = ['handshake', 'step', 'cancel', 'ends'].flatMap((name) => ['--timeout', `${name}=60s`]);
// The agent waits 10 s for a silent model. A scenario is silent for a second, and on a busy machine for longer.
export const args: readonly string[] = [
  'fold/agent',
  '--drive',
  'llm',
  '--statement',
  statement,
  '--timeout',
  'stall=60s',
  ...patient,
];

/** It is conformant in a dialect, with every MUST exercised. */
export async function expectConformant(dialect: string): Promise<void> {
  const { code, report, failed, stderr } = await checked(args, agent(dialect));
  const unplayed = report?.scenarios.filter(({ outcome }) => outcome !== 'done');
  expect({ code, verdict: report?.verdict, failed, unplayed, stderr }).toEqual({
    code: 0,
    verdict: 'conformant',
    failed: [],
    unplayed: [],
    stderr: '',
  });
  const { exercised, applicable } = report?.scope.must ?? {};
  expect(exercised).toBe(applicable);
  // The statement's slow tool is a process, which a cancel ends.
  const row = report?.requirements.find(({ id }) => id === 'AGENT-21');
  expect(row?.verdict).toBe(process.platform === 'win32' ? 'untestable' : 'pass');
}
