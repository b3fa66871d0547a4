/**
 * Installs gateways into a folder outside the tree: WIREPROOF_GATEWAYS, else wireproof/gateways in the user's cache. A version that
 * is there is not installed again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const cache =
  process.env['WIREPROOF_GATEWAYS'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wireproof/gateways');

/** The longest time (ms) of one step. */
const longest = 600_000;

/**
 * What each registry's client runs, and the folder of the programs that it installs.
 *
 * @type {Record<string, (folder: string, name: string, version: string) => { bin: string, steps: string[][] }>}
 */
const clients = {
  npm: (folder, name, version) => ({
    bin: join(folder, 'node_modules/.bin'),
    steps: [['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${version}`]],
  }),
  pip: (folder, name, version) => ({
    bin: join(folder, 'bin'),
    steps: [
      ['python3', '-m', 'venv', folder],
      [join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`],
    ],
  }),
  cargo: (folder, name, version) => ({
    bin: join(folder, 'bin'),
    steps: [['cargo', 'install', '--quiet', '--locked', '--root', folder, '--version', version, name]],
  }),
};

/**
 * Runs a step.
 *
 * @param {string[]} step the program and its arguments
 * @throws Error with one sentence when it fails, or takes too long
 */
function run([program = '', ...args]) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: longest });
  if (status === 0) return;
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n');
  const why = lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
  throw new Error(`${program} ${args[0]} failed: ${error?.message ?? why}`);
}

/**
 * Installs a gateway.
 *
 * @param {import('./list.mjs').Gateway} gateway
 * @returns {NodeJS.ProcessEnv} an environment in which its programs are found
 * @throws Error with one sentence when the client of its registry is missing or fails
 */
export function installed({ name, registry, package: named, version }) {
  const folder = join(cache, `${name}-${version}`);
  const { bin, steps } = clients[registry](folder, named, version);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const step of steps) run(step);
    writeFileSync(done, version);
  }
  return { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
}
