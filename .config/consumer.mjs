// A stranger's projects: they install the packed tarball, compile against its types, run its command and its examples, and
// test with its helpers, each with another Node.js, TypeScript and vitest. Prints the sizes of the package, too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkUnder, fetchNodes } from './consumer/nodes.mjs';
import { install, makeProject, run, write } from './consumer/project.mjs';
import { compileAll, doorsText } from './consumer/types.mjs';
import { useText } from './consumer/use.mjs';
import { tryVitests } from './consumer/vitests.mjs';
import { doors } from './doors.mjs';
import { pack } from './pack.mjs';
import { checkSizes, measureSizes } from './sizes.mjs';

const root = mkdtempSync(join(tmpdir(), 'wireproof-consumer-'));
const ours = resolve('node_modules/typescript/bin/tsc');

/** The doors without peer packages, by the names of their users. */
const names = Object.keys(doors)
  .filter((name) => name !== 'vitest')
  .map((name) => (name === 'index' ? 'wireproof' : `wireproof/${name}`));

/** Runs the compiled files: every door is there, by import and by require, and what they export works. */
async function runCompiled(project) {
  await run(project, process.execPath, ['doors.js']);
  const required = `for (const door of ${JSON.stringify(names)}) if (Object.keys(require(door)).length === 0) throw door;`;
  if (process.features.require_module)
    await run(project, process.execPath, ['--input-type=commonjs', '-e', required]);
  const said = await run(project, process.execPath, ['use.js']);
  if (!said.startsWith('hello ')) throw new Error(`the consumer said ${said}`);
}

try {
  const packed = pack(root);
  const tarball = join(root, packed.filename);
  // They are fetched while the rest runs.
  const nodes = fetchNodes(root);
  const project = makeProject(root, 'consumer');
  await install(project, tarball);
  const sizes = await measureSizes(packed, project);
  write(project, 'doors.ts', doorsText(names));
  write(project, 'use.ts', useText);
  const compilers = await compileAll(root, project, ours);
  await runCompiled(project);
  const programs = [...(await nodes).values()];
  const [checked, vitests] = await Promise.all([
    Promise.all(programs.map((program) => checkUnder(project, program))),
    tryVitests(root, tarball, await nodes, ours),
  ]);
  console.log(`consumer: checks the example under Node ${checked.join(', ')}`);
  console.log(`consumer: compiles with TypeScript ${compilers}; tests with vitest ${vitests}`);
  checkSizes(sizes);
} finally {
  rmSync(root, { recursive: true, force: true });
}
