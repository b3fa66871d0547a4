/**
 * AGENT-21 as a user sees it: the process of a cancelled tool is looked for by the {nonce} of the statement ("Clean up any
 * in-flight tool executions": Fold Protocol Enhancements, 4. Request Cancellation, Agent Behavior).
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequirementOutcome } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { checked, program, untilNoProcess } from '../run.test-helper.ts';

const built = (door: string): string =>
  JSON.stringify(pathToFileURL(join(packageRoot(), 'dist/src', door, 'index.js')).href);

/** The parts of the reference as a program that a stranger could write. With `leaves`, a cancel stops no tool. */
const agent = program(
  'tool-process-agent.mjs',
  `import { runTool } from ${built('agent')};
import { ToolHost, agentDial, hostAgent } from ${built('agent/edge')};
import { dialGrpc, dialHttp } from ${built('kit/transport')};
import { realClock, seededRandom } from ${built('kit/world')};

const [address, baseUrl, fault] = process.argv.slice(2);
if (fault === 'leaves') {
  const { take } = ToolHost.prototype;
  ToolHost.prototype.take = function (effect) {
    if (effect.do !== 'cancel') take.call(this, effect);
  };
}
const method = '/coven.CovenControl/AgentStream';
const agent = hostAgent({
  agent: { llm: { baseUrl, dialect: 'anthropic', model: 'm' }, tools: [runTool], random: seededRandom },
  root: process.cwd(),
  clock: realClock(),
  dial: agentDial(dialGrpc({ address, method, maxReceive: 1 << 24 }), dialHttp({ maxReceive: 1 << 24 })),
});
process.once('SIGTERM', () => agent.stop().then(() => process.exit(0)));
agent.begin();
`,
);

/** Plays the scenario with a slow tool of these arguments. @returns the row */
async function played(
  name: string,
  args: readonly string[],
  { fault = '', ...more }: { readonly fault?: string; readonly note?: string } = {},
): Promise<RequirementOutcome | undefined> {
  const input = { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60_000)', ...args], ...more };
  const statement = program(
    `tool-process-${name}.yaml`,
    `suite: fold/agent\ndrive: llm\ntools: { slow: { name: run, input: ${JSON.stringify(input)} } }\n`,
  );
  const patient = ['handshake', 'step', 'cancel'].flatMap((time) => ['--timeout', `${time}=60s`]);
  const { report, stderr } = await checked(
    [
      ...['fold/agent', '--drive', 'llm', '--statement', statement],
      ...patient,
      ...['--scenario', 'cancel-mid-process'],
    ],
    [process.execPath, agent, '{address}', '{llm_url}', fault],
  );
  expect(stderr).toBe('');
  return report?.requirements.find(({ id }) => id === 'AGENT-21');
}

describe.skipIf(process.platform === 'win32')('the process of a tool', () => {
  it('that a cancel ends is seen, and seen gone', async () => {
    expect(await played('ends', ['tool-process-ends', '{nonce}'])).toMatchObject({ verdict: 'pass' });
  });

  it('that goes on after a cancel fails the row', async () => {
    const { verdict, message = '' } =
      (await played('leaves', ['tool-process-leaves', '{nonce}'], { fault: 'leaves' })) ?? {};
    expect(verdict).toBe('fail');
    const sentence =
      /^expected the process of the tool "slow" to be gone within (\d+) ms of the CancelRequest for \S+; it was still there after (\d+) ms$/u;
    expect(message).toMatch(sentence);
    const [, within, after] = sentence.exec(message)?.map(Number) ?? [];
    // A busy machine makes the limit of 2 s longer, by no more than the time that passed.
    expect(within).toBeGreaterThanOrEqual(2000);
    expect(after).toBeGreaterThan(within ?? Infinity);
    expect(after).toBeLessThan((within ?? 0) + 1000);
    await untilNoProcess('tool-process-leaves');
  });

  it('cannot be found without {nonce} in the input, and the report says so', async () => {
    expect(await played('nameless', ['tool-process-nameless'])).toMatchObject({
      verdict: 'untestable',
      reason: 'the input of tools.slow has no {nonce}',
    });
  });

  it('cannot be found when no command line shows the word, and the report says so', async () => {
    expect(await played('wordless', ['tool-process-wordless'], { note: '{nonce}' })).toMatchObject({
      verdict: 'untestable',
      reason: 'no process was seen whose command line holds the {nonce} of tools.slow',
    });
  });
});
