/**
 * `check --watch`: checks again when files change. Each check is a process of its own, which an interrupt ends as it ends
 * any check: with the target stopped.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { statSync, watch as watchFiles } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import { draftEnding } from '../../src/kit/spec/index.ts';
import { Supervision } from '../../src/kit/transport/index.ts';
import { operands } from '../check/options.ts';
import type { CheckFlags } from '../check/options.ts';
import { subjectsOf } from '../check/subjects.ts';
import { exitCodes } from '../output/exit.ts';
import { printError } from '../output/terminal.ts';
import '../output/interrupt.ts';

/** The flags of `check --watch`. */
export interface WatchFlags extends CheckFlags {
  readonly watchPath: readonly string[];
}

/** The wait for more changes after one (ms): an editor or a compiler writes several files. */
const settling = 200;
/** Folders whose changes are not those of a source. */
const ignored = new Set(['.git', 'node_modules', '.wireproof', '__pycache__']);

/** Runs the verb until an interrupt. */
export async function watch(
  firstOperand: string | undefined,
  otherOperands: readonly string[],
  flags: WatchFlags,
): Promise<void> {
  const { suite, command } = operands(firstOperand, otherOperands, process.argv);
  const paths = watchedPaths(suite, command, flags);
  const written = flags.report.map((text) => resolve(text.slice(text.indexOf('=') + 1)));
  const changes = new Changes(new Set(written));
  const watchers = paths.map((path) => changes.watch(path));
  const runs = new Runs();
  const stop = (): void => runs.stop();
  process.on('wireproof:interrupt', stop);
  for (;;) {
    changes.forget();
    await runs.next();
    if (runs.stopped) break;
    const shown = paths.map((path) => relative(process.cwd(), path) || '.').join(', ');
    printError(`\nwatching ${shown}; Ctrl-C ends\n`);
    const changed = await Promise.race([changes.next(), runs.ended]);
    if (changed === undefined) break;
    printError(`changed: ${changed.map((path) => JSON.stringify(path)).join(', ')}; checking again\n`);
  }
  for (const one of watchers) one.close();
  process.off('wireproof:interrupt', stop);
  process.exitCode = exitCodes.interrupted;
}

/**
 * The files and folders to watch: those of --watch-path, or the files in the target's command, with the statement.
 *
 * @throws WireproofError 'usage' when there are none
 */
function watchedPaths(
  suite: string | undefined,
  command: readonly string[],
  flags: WatchFlags,
): readonly string[] {
  const missing = flags.watchPath.find((path) => kindOf(path) === undefined);
  if (missing !== undefined)
    throw new WireproofError('usage', `--watch-path ${missing}: no such file or folder`);
  if (flags.watchPath.length > 0) return flags.watchPath.map((path) => resolve(path));
  const stated = subjectsOf(suite, command, flags).flatMap(({ statement }) =>
    (statement?.target?.command ?? []).map((word) => resolve(statement?.folder ?? '.', word)),
  );
  const words = command.length > 0 ? command.map((word) => resolve(word)) : stated;
  const files = [...new Set(words)].filter((path) => kindOf(path) === 'file' && path !== process.execPath);
  if (files.length === 0)
    throw new WireproofError(
      'usage',
      'the command names no file to watch; name files or folders with --watch-path, such as --watch-path src',
    );
  return files;
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return 'folder';
  return stats?.isFile() === true ? 'file' : undefined;
}

/** The changes since the last run. */
class Changes {
  readonly #seen = new Set<string>();
  readonly #written: ReadonlySet<string>;
  #wake: () => void = () => {};

  /** @param written - files that checks write themselves */
  constructor(written: ReadonlySet<string>) {
    this.#written = written;
  }

  /** Watches a file or a folder. A file by its folder, because an editor may put another file in its place. */
  watch(path: string): FSWatcher {
    const isFolder = kindOf(path) === 'folder';
    const folder = isFolder ? path : dirname(path);
    const watcher = watchFiles(folder, { recursive: isFolder }, (_, name) => {
      if (name === null || (!isFolder && name !== basename(path))) return;
      if (name.split(sep).some((part) => ignored.has(part))) return;
      // A report is written beside its place first.
      if (this.#written.has(resolve(folder, name).replace(draftEnding, ''))) return;
      this.#seen.add(relative(process.cwd(), resolve(folder, name)));
      this.#wake();
    });
    // A folder that is deleted ends its own watch, not the command.
    return watcher.on('error', () => watcher.close());
  }

  /** Forgets what has changed. */
  forget(): void {
    this.#seen.clear();
  }

  /** Waits for a change, and until no more come. @returns the paths that changed; a change during a run is one, too */
  async next(): Promise<readonly string[]> {
    if (this.#seen.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    for (let before = -1; before !== this.#seen.size;) {
      before = this.#seen.size;
      await new Promise((resolve) => setTimeout(resolve, settling));
    }
    return [...this.#seen];
  }
}

/** The checks, one after the other. */
class Runs {
  #child: ChildProcess | undefined;
  #end: () => void = () => {};
  stopped = false;
  /** Settles at the interrupt. */
  readonly ended: Promise<undefined> = new Promise((resolve) => (this.#end = () => resolve(undefined)));

  /** Runs a check to its end. In a process group of its own, so that one Ctrl-C is one interrupt for it. */
  async next(): Promise<void> {
    if (this.stopped) return;
    const supervision = new Supervision({ leads: true });
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...argumentsOf(process.argv.slice(2))], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
      env: { ...process.env, ...supervision.environment },
    });
    supervision.started(child, { piped: false });
    this.#child = child;
    await new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    supervision.end();
    this.#child = undefined;
  }

  /** Interrupts the check; the second time it ends at once. */
  stop(): void {
    this.stopped = true;
    this.#child?.kill('SIGINT');
    this.#end();
  }
}

/** The arguments of a single check: without the flags of watching. The command of the target stays as it is. */
function argumentsOf(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const own = argv.slice(0, end);
  const kept = own.filter(
    (word, i) => word !== '--watch' && !/^--watch-path(?:=|$)/.test(word) && own[i - 1] !== '--watch-path',
  );
  return [...kept, ...argv.slice(end)];
}
