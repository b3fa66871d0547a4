/**
 * The program of a guard: waits until the kit has ended, however that ends, then kills what the kit has started and left,
 * and removes its folder. The build makes one text of it (generated/guard.ts), which Node runs with -e.
 *
 * Arguments: `own`, the folder for temporary files or an empty text, and the kit's mark. Or `gone`, that folder, and the
 * marks of kits of which nothing but their folders and their variable is known: their process ids may be of others now.
 */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Descendants, pipesOfMarked, signalProgram } from './descendants.ts';
import { startOf } from './own-processes.ts';

/** A program that the kit has started, as its folder notes it. */
interface Note {
  readonly pid: number;
  /** Whether it leads a process group. */
  readonly leads: boolean;
  /** See {@link startOf}; absent where it is not to be seen. */
  readonly start?: string;
  readonly pipes: readonly string[];
}

/** The kit's own stdin, stdout and stderr: a program that shares them does so with the user's programs. */
const pipesOfKit = (process.env['WIREPROOF_GUARD_SPARES'] ?? '').split(' ');

function cleanUp(kind: string, path: string, mark: string): void {
  const notes = kind === 'own' ? notesIn(path) : [];
  // A kit that was killed between a start and its note has noted no pipes of that program.
  const unnoted = kind === 'own' ? pipesOfMarked(mark, pipesOfKit) : [];
  const programs = [{ start: undefined, pid: 0, pipes: unnoted }, ...notes].map(({ pid, start, pipes }) => {
    const root = start === undefined ? {} : { root: { pid, start } };
    const descendants = new Descendants({ mark, pipes, ...root });
    descendants.look(); // before the groups are killed: that ends the tree of parents
    return descendants;
  });
  for (const { pid, leads, start } of notes)
    if ([undefined, start].includes(startOf(pid))) signalProgram(pid, leads, 'SIGKILL');
  for (const one of programs) one.kill();
  if (path !== '') rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function notesIn(path: string): readonly Note[] {
  const names = path !== '' && existsSync(path) ? readdirSync(path) : [];
  return names.flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    try {
      return [JSON.parse(readFileSync(join(path, name), 'utf8')) as Note];
    } catch {
      return []; // it was not written to its end: the mark finds the program
    }
  });
}

/** The kit ends first: a Ctrl-C on the terminal is for the kit. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin.resume().once('end', () => {
  const [kind = '', folder = '', ...marks] = process.argv.slice(1);
  for (const mark of marks) {
    const path = folder === '' ? '' : join(folder, mark);
    // A kit that ended in an orderly way has removed its folder last.
    if (path === '' || existsSync(path)) cleanUp(kind, path, mark);
  }
  process.exit();
});
