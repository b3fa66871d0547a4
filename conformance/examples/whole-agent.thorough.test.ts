/** The whole agents, one on a provider's SDK and one on plain HTTP, judged by the built command as a stranger would. */
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { checked, program } from '../command.test-helper.ts';
import type { CheckedProgram } from '../command.test-helper.ts';
import { changed, example, pythonFor } from './python.test-helper.ts';
import { nodeFaults, pythonFaults } from './whole-agent-faults.test-helper.ts';

const { path: python, why } = pythonFor(
  'import sys, grpc, google.protobuf; sys.exit(sys.version_info < (3, 8) and "older than 3.8")',
  'python3-grpcio python3-protobuf',
);

/** Long enough for a busy machine. */
const patient = ['--timeout', 'handshake=30s'];

/** Checks an agent with its statement: SHOULD rows count, too. */
const check = (
  statement: string,
  target: readonly string[],
  more: readonly string[] = [],
): Promise<CheckedProgram> =>
  checked(['--statement', example(statement), '--strict', ...patient, ...more], target, {
    env: { PYTHONPATH: example('') }, // a changed example is elsewhere, and needs coven_pb2.py
  });

function expectConformant({ report, failed, code, stderr }: CheckedProgram): void {
  const { verdict, scope } = report ?? {};
  expect({ code, verdict, failed, stderr }).toMatchObject({ code: 0, verdict: 'conformant', failed: [] });
  expect(scope?.must.exercised).toBe(scope?.must.applicable);
  // The statement has a window, and says that injections are refused.
  const passed = report?.requirements.filter((one) => one.verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['AGENT-08', 'AGENT-13', 'AGENT-14']));
}

/** A shorter patience with an agent that hangs: 20 s of silence, and not 120 s. */
const hangs: { readonly [row: string]: readonly string[] } = {
  'FOLD-A33': ['--timeout', 'answer=20s', '--timeout', 'ends=20s'],
};

/** Checks the row of a fault, with the agent that has it. */
async function expectNamed(statement: string, target: readonly string[], row: string): Promise<void> {
  const { failed, code } = await check(statement, target, ['--only', row, ...(hangs[row] ?? [])]);
  expect({ code, failed }).toEqual({ code: 1, failed: [row] });
}

describe('the time that a whole agent has', () => {
  it('is not that of a step, once it has asked the model: it may try again later', async () => {
    // The SDK waits for 0.375 s at the least before it asks an overloaded model again.
    const more = ['--scenario', 'provider-overloaded', '--only', 'AGENT-10', '--timeout', 'step=200ms'];
    const target = [process.execPath, example('whole-agent.mjs'), '{address}'];
    const { report, code } = await check('whole-agent.yaml', target, more);
    const verdicts = report?.requirements.map(({ id, verdict }) => [id, verdict]);
    expect([code, verdicts]).toEqual([0, [['AGENT-10', 'pass']]]);
  });
});

describe('whole-agent.mjs with one fault', () => {
  it.each(nodeFaults)('%s: its row fails', async (fault, right, wrong, row) => {
    const text = changed('whole-agent.mjs', [
      [right, wrong],
      ['${import.meta.dirname}/../..', packageRoot()],
    ]);
    const file = program(`whole agent that ${fault}.mjs`, text);
    await expectNamed('whole-agent.yaml', [process.execPath, file, '{address}'], row);
  });
});

describe('whole_agent.py', () => {
  it('is conformant, with every applicable MUST exercised', async (context) => {
    if (python === undefined) return context.skip(why);
    expectConformant(await check('whole_agent.yaml', [python, example('whole_agent.py'), '{address}']));
  });
});

describe.skipIf(python === undefined)('whole_agent.py with one fault', () => {
  it.each(pythonFaults)('%s: its row fails', async (fault, right, wrong, row) => {
    const changes: [string, string][] = [[right, wrong]];
    // It also closes the exchange from the thread that reads the gateway.
    if (row === 'AGENT-02') changes.push(['if self.exchange: self.exchange.close()', 'pass']);
    const file = program(`whole agent that ${fault}.py`, changed('whole_agent.py', changes));
    await expectNamed('whole_agent.yaml', [python ?? '', file, '{address}'], row);
  });
});
