// A suite of tests with the package's helpers, under each vitest, whose matchers also have their types.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, makeProject, run, write } from './project.mjs';

/** Each version of vitest that the package takes, and a Node.js that runs it. */
const pairs = [
  { version: 3, under: 20 },
  { version: 4, under: 22 },
  { version: 5, under: 24 },
];

const tests = `import { expect, test } from 'vitest';
import { simulateFoldAgent, simulateFoldGateway } from 'wireproof/fold/simulate';
import { describeConformance } from 'wireproof/vitest';

const command = [process.execPath, 'node_modules/wireproof/dist/bin/wireproof.cjs', 'testee', 'toon/codec'];
describeConformance('toon/codec', { command }, { only: ['TOON-01'] });

test('a gateway saw a conforming agent', { timeout: 60_000 }, async () => {
  await using gateway = await simulateFoldGateway();
  await using agent = await simulateFoldAgent({ gateway: gateway.address, agent_id: 'a-1' });
  await gateway.agent();
  await gateway.send('hello');
  expect(gateway).toHaveSent({ register: { agent_id: 'a-1' } });
  await expect(gateway).toConformTo('fold/agent');
  await agent.close();
});
`;

/** The types of vitest need more than ours: they are not checked, only used. */
const compilerOptions = {
  ...{ module: 'node20', target: 'es2022', lib: ['es2023', 'esnext.disposable', 'dom'] },
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
};

/** Runs the tests under every vitest that has a Node.js here. @returns the versions, in words */
export async function tryVitests(root, tarball, nodes, tsc) {
  const versions = await Promise.all(
    pairs.map(async ({ version, under }) => {
      const program = nodes.get(under);
      if (program === undefined) {
        console.log(`consumer: vitest ${version} is not tried: Node ${under} cannot be had here`);
        return undefined;
      }
      const folder = makeProject(root, `vitest-${version}`);
      await install(folder, tarball, `vitest@${version}`, `@types/node@${under}`);
      write(folder, 'agent.test.ts', tests);
      write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      await run(folder, process.execPath, [tsc, '-p', '.']);
      const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
      await run(folder, program, [vitest, 'run', '--reporter=json', '--outputFile=report.json']);
      const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      if (!report.success || report.numPassedTests < 3)
        throw new Error(`vitest ${version} under Node ${under}: ${JSON.stringify(report)}`);
      return `${version} (Node ${under})`;
    }),
  );
  return versions.filter((version) => version !== undefined).join(', ');
}
