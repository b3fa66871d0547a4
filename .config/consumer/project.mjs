// A stranger's project in a folder of its own: packages of the registry, files, and programs that run in it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const shell = process.platform === 'win32';

/** Runs a program in the project. @returns its stdout @throws Error with its output */
export async function run(folder, program, args, options = {}) {
  const settings = { cwd: folder, maxBuffer: 64 << 20, ...options };
  try {
    return (await promisify(execFile)(program, args, { ...settings, encoding: 'utf8' })).stdout;
  } catch (thrown) {
    const error = /** @type {Error & { stdout?: string, stderr?: string }} */ (thrown);
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim();
    throw new Error(`${[program, ...args].join(' ')} failed: ${said === '' ? error.message : said}`, {
      cause: thrown,
    });
  }
}

/** Makes the project. @returns its folder */
export function makeProject(root, name) {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  write(folder, 'package.json', JSON.stringify({ name, private: true, type: 'module' }));
  return folder;
}

/** Writes a file of the project. */
export function write(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const npmInstall = (folder, ...args) =>
  run(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...args], {
    shell,
    timeout: 180_000,
  });

/** Installs packages beside those that are there. */
export const install = (folder, ...packages) => npmInstall(folder, '--ignore-scripts', ...packages);

/**
 * Installs an old or new version of another program, and lets its scripts run: that of `node` fetches the program.
 *
 * @returns the path of the program; undefined where it cannot be had
 */
export async function fetch(root, name, path) {
  try {
    const folder = makeProject(root, name.replaceAll(/[@.]/g, '-'));
    await npmInstall(folder, name);
    const program = join(folder, 'node_modules', path);
    if (!existsSync(program)) throw new Error(`its package has no ${path}`);
    return program;
  } catch (error) {
    console.log(
      `consumer: ${name} cannot be had here, so nothing is tried with it: ${lineOf(/** @type {Error} */ (error))}`,
    );
    return undefined;
  }
}

const lineOf = ({ message }) => message.split('\n').slice(0, 2).join(' ');
