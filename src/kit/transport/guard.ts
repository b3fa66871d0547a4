/**
 * Starts the guard of the kit: a small process in a session of its own that ends what the kit has started, when the kit has
 * ended. It notices the end by a pipe of the kit, so a `kill -9` of the kit is an end as any other. Until then it is a shell
 * that waits, where there is a shell: it takes a megabyte, and starts sooner than Node.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { guardVariable } from './descendants.ts';
import { guardProgram } from './generated/guard.ts';
import { standardPipesOf } from './own-processes.ts';

/** Waits for the end of stdin. Nothing is left to do when the folder has gone: $3/$4. Its arguments: node, kind, folder, mark. */
const waiting = `trap '' HUP INT QUIT TERM
while read -r _; do :; done
[ -n "$3" ] && [ ! -e "$3/$4" ] && exit
exec "$1" -e "$WIREPROOF_GUARD_PROGRAM" "$2" "$3" "$4"`;
const shell = '/bin/sh';

/** Variables without which Node may not start. No other is passed on: `NODE_OPTIONS` may load a user's modules. */
const needed = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

/**
 * Starts the guard of this kit, and does not wait for it. It neither keeps the process running nor its terminal open.
 *
 * @param folder - the folder that has the kit's folder, whose name is the mark; undefined: the kit has none
 */
export function startGuard(folder: string | undefined, mark: string): void {
  const args = ['own', folder ?? '', mark];
  if (existsSync(shell)) start(shell, ['-c', waiting, 'wireproof-guard', process.execPath, ...args], mark);
  else start(process.execPath, ['-e', guardProgram, ...args], mark);
}

/** Ends what kits have left whose guard has ended, too; does not wait for it. */
export function cleanUpAfter(folder: string, marks: readonly string[]): void {
  if (marks.length > 0) start(process.execPath, ['-e', guardProgram, 'gone', folder, ...marks], 'gone');
}

function start(file: string, args: readonly string[], mark: string): void {
  const kept = needed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const guard = spawn(file, args, {
    detached: true,
    windowsHide: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      ...(Object.fromEntries(kept) as NodeJS.ProcessEnv),
      [guardVariable]: mark,
      WIREPROOF_GUARD_PROGRAM: guardProgram,
      WIREPROOF_GUARD_SPARES: standardPipesOf(process.pid).join(' '),
    },
  });
  // Without a guard, the kit works as it does with one. What it leaves when it is killed stays until its next start.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  if (mark === 'gone') guard.stdin.end();
  else if (guard.stdin instanceof Socket) guard.stdin.unref();
}
