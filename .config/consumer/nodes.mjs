// The installed command, under each Node.js: it checks the example agent.
import { join } from 'node:path';
import { fetch, run } from './project.mjs';

/** The versions beside the one that runs this. The package `node` carries the program of each. */
export const otherNodes = [20, 22, 24, 26].filter(
  (major) => major !== Number.parseInt(process.versions.node, 10),
);

/** The programs of the versions, by major; without those that cannot be had or do not run on this machine. */
export async function fetchNodes(root) {
  const found = await Promise.all(
    otherNodes.map(async (major) => {
      const program = await fetch(root, `node@${major}`, 'node/bin/node');
      return program === undefined ? [] : [/** @type {const} */ ([major, program])];
    }),
  );
  const own = Number.parseInt(process.versions.node, 10);
  return new Map([[own, process.execPath], ...found.flat()]);
}

/** Has the installed command check the example, both under this Node.js. @returns its version */
export async function checkUnder(project, program) {
  const wireproof = join(project, 'node_modules/wireproof/dist/bin/wireproof.cjs');
  const example = join(project, 'node_modules/wireproof/conformance/examples/fold-agent.mjs');
  const args = ['check', 'fold/agent', '--trace', 'off', '--timeout', 'handshake=30s'];
  const said = await run(project, program, [wireproof, ...args, '--', program, example, '{address}']);
  if (!/^conformant: /m.test(said)) throw new Error(`the installed command said under ${program}: ${said}`);
  return (await run(project, program, ['--version'])).trim();
}
