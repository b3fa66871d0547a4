// Runs the built command under attack, and measures it: peak memory, time, exit code, output, processes left behind.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const command = resolve('dist/bin/wireproof.cjs');
const marker = 'WIREPROOF_ATTACK';

/** The most output of a command that is kept (characters). */
const keptOutput = 1 << 20;

/** The longest time in which what a command has started may end after it (ms). */
const longestEnd = 5000;

/** The full path of a hostile program. */
export const hostile = (name) => resolve('.config/attack', name);

/** The peak resident memory of a process (MB); 0: it is gone. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The number of open sockets of a process; 0: it is gone. */
export function socketsOf(pid) {
  try {
    const files = readdirSync(`/proc/${pid}/fd`);
    return files.filter((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;
  } catch {
    return 0;
  }
}

/** The processes that inherited the marker of a run. */
const marked = (id) => withVariable(`${marker}=${id}`);

/** The guards of a kit. */
const guardsOf = (pid) => withVariable(`WIREPROOF_GUARD=wireproof-${pid}-`);

/** The processes with this text in their environment. */
function withVariable(text) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

/**
 * Starts `wireproof ARGS…`. `ended`: its figures. `limit` (s): it is ended then, which is a failure of the kit. `input`: a
 * hostile program and its arguments; its stdout is the command's stdin.
 *
 * @param {readonly string[]} args
 * @param {{ limit?: number, env?: NodeJS.ProcessEnv, prefix?: readonly string[], cwd?: string, input?: [file: string, ...string[]] }} [options]
 */
export function start(args, { limit = 60, env = {}, prefix = [], cwd, input } = {}) {
  const id = randomUUID();
  const began = performance.now();
  const [file, ...rest] = [...prefix, process.execPath, command, ...args];
  const child = spawn(file, rest, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env, [marker]: id },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (input !== undefined) feed(child.stdin, input);
  /** @type {any} its figures and its methods are added below */
  const run = { child, stdout: '', stderr: '', peak: 0 };
  const keep = (name) => (text) => {
    if (run[name].length < keptOutput) run[name] += text;
  };
  child.stdout?.setEncoding('utf8').on('data', keep('stdout'));
  child.stderr?.setEncoding('utf8').on('data', keep('stderr'));
  const sampling = setInterval(() => (run.peak = Math.max(run.peak, peakOf(child.pid))), 50);
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, limit * 1000);
  run.ended = new Promise((done) => {
    child.on('close', async (code, signal) => {
      clearInterval(sampling);
      clearTimeout(timer);
      const look = () => [...marked(id), ...guardsOf(child.pid)];
      await sleep(300);
      let left = look();
      for (let waited = 300; left.length > 0 && waited < longestEnd; waited += 200, left = look())
        await sleep(200);
      for (const pid of left) process.kill(Number(pid), 'SIGKILL');
      const seconds = (performance.now() - began) / 1000;
      done({ ...run, code, signal, hung, seconds, orphans: left.length });
    });
  });
  run.line = (pattern) =>
    new Promise((found, failed) => {
      const look = () => {
        const match = pattern.exec(run.stdout) ?? pattern.exec(run.stderr);
        if (match !== null) found(match);
        else if (child.exitCode !== null) failed(new Error(`the command ended: ${run.stderr.slice(-500)}`));
        else setTimeout(look, 20);
      };
      look();
    });
  /** The processes that it has started. */
  run.targets = () =>
    marked(id)
      .map(Number)
      .filter((pid) => pid !== child.pid);
  /** The guards that it has started. */
  run.guards = () => guardsOf(child.pid).map(Number);
  run.stop = () => {
    child.kill('SIGTERM');
    return run.ended;
  };
  return run;
}

/** Pipes the stdout of a hostile program into a command, until the command reads no more. */
function feed(stdin, [file, ...args]) {
  const writer = spawn(process.execPath, [hostile(file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  stdin.on('error', () => writer.stdout.destroy());
  writer.stdout.pipe(stdin);
}

/** Runs a command to its end. */
export const run = (args, options) => start(args, options).ended;
