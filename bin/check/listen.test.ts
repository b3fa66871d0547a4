/** `wireproof check --listen`: a target started by hand plays every scenario, when it comes back late and when it was sent away. */
import { expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { example, startNode, startWireproof } from '../run.test-helper.ts';
import type { RunningProgram } from '../run.test-helper.ts';

/** Plays with the example agent, which is started again each time when it ends. */
it('plays on with an agent that was refused, lost and shut down', { timeout: 90_000 }, async () => {
  const names = ['register-welcome-held', 'split-writes', 'shutdown-busy', 'shutdown-idle'];
  const chosen = names.flatMap((name) => ['--scenario', name]);
  const kit = startWireproof(['check', 'fold/agent', '--listen', '127.0.0.1:0', '--json', ...chosen]);
  const [, address = ''] = await kit.prints(/waiting at (\S+) for the target\n/);
  const agents: RunningProgram[] = [];
  const start = (): void => {
    const agent = startNode([example], { env: { WIREPROOF_ADDRESS: address } });
    agents.push(agent);
    void agent.ended.then(() => kit.child.exitCode === null && start());
  };
  start();
  const { stdout } = await kit.ended;
  await agents.at(-1)?.stop();
  const { scenarios } = JSON.parse(stdout) as Report;
  expect(scenarios.map(({ name, outcome }) => [name, outcome])).toEqual(names.map((name) => [name, 'done']));
  expect(agents.length).toBeGreaterThan(1);
});
