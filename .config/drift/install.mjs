/**
 * Fetches the newest SDKs into a folder outside the tree: WIREPROOF_DRIFT, else wireproof/drift in the user's cache. npm runs under
 * the newest Node.js that SDKs ask for: under an older one it silently picks older SDKs. Only their own files are fetched, since
 * their typings are all that is read.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const cache =
  process.env['WIREPROOF_DRIFT'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wireproof/drift');

/** The major version of Node.js under which npm runs; the package `node` carries the program. */
const nodeMajor = 24;

/** The longest time (ms) of one step. */
const longest = 300_000;

export const quiet = [
  '--no-audit',
  '--no-fund',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--loglevel=error',
];

/**
 * Fetches packages.
 *
 * @param {readonly string[]} names
 * @returns {Map<string, { version: string, fileOf: (path: string) => string | undefined }>} by name
 * @throws Error with one sentence when the registry or a program cannot be had
 */
export function fetched(names) {
  mkdirSync(cache, { recursive: true });
  const packs = mkdtempSync(join(cache, 'packs-'));
  try {
    const said = run(['npm', 'pack', '--json', '--pack-destination', packs, ...quiet, ...names], modern());
    /** @type {{ name: string, version: string, filename: string }[]} */
    const all = Object.values(JSON.parse(said));
    return new Map(all.map((one) => [one.name, { version: one.version, fileOf: unpacked(packs, one) }]));
  } finally {
    rmSync(packs, { recursive: true, force: true });
  }
}

/**
 * An environment in which `node` is the modern one.
 *
 * @param {string} [at] the folder that keeps it
 */
export function modern(at = cache) {
  const folder = join(at, `node-${nodeMajor}`);
  const programs = join(folder, 'node_modules/node/bin');
  if (!existsSync(programs)) run(['npm', 'install', ...quiet, '--prefix', folder, `node@${nodeMajor}`]);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH']}` };
  const version = run([join(programs, 'node'), '--version'], env).trim();
  if (!version.startsWith(`v${nodeMajor}.`))
    throw new Error(`the package node@${nodeMajor} has Node.js ${version}`);
  return env;
}

/** Unpacks a package unless this version is there. @returns its files, by path */
function unpacked(packs, { filename, version }) {
  const folder = join(cache, filename.replace(/\.tgz$/, ''));
  if (!existsSync(join(folder, 'package.json'))) {
    const made = join(packs, version);
    mkdirSync(made, { recursive: true });
    run(['tar', '-xzf', join(packs, filename), '-C', made, '--strip-components=1']);
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  }
  return (path) => {
    const file = join(folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
}

/**
 * Runs a step.
 *
 * @param {string[]} step the program and its arguments
 * @returns its stdout
 * @throws Error with one sentence when it fails, or takes too long
 */
export function run([program = '', ...args], env = process.env) {
  const settings = { env, encoding: /** @type {const} */ ('utf8'), timeout: longest, maxBuffer: 64 << 20 };
  const { status, error, stdout, stderr } = spawnSync(program, args, settings);
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]} failed: ${error?.message ?? reasonIn(stdout ?? '', stderr ?? '')}`);
}

/** Why a program failed: npm says it as JSON on stdout, others on stderr. */
function reasonIn(stdout, stderr) {
  try {
    return JSON.parse(stdout).error.summary.split('\n')[0];
  } catch {
    const lines = stderr.split('\n').filter((line) => line.trim() !== '');
    return lines.find((line) => /failed|No matching|404/.test(line)) ?? lines[0] ?? 'it said nothing';
  }
}
