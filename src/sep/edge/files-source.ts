/**
 * The internal source `files`: the texts of the files in a folder, for "auto injesting full repositories, documents". It
 * stays inside its root, follows no link, and is bounded in files and characters.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { clip, isArray } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { Slices } from '../../kit/world/index.ts';
import type { FeedOutcome } from '../feeds/feed.ts';
import { fits, mostPattern, splitPath, splitPattern } from './glob.ts';
import type { SplitPath } from './glob.ts';

/** Options of a source of files. */
export interface FilesSourceOptions {
  /** The folders that may be read, with all that is in them: `grants.roots` of the manifest. */
  readonly roots: readonly string[];
  /** Where relative roots begin. Default: the working folder. */
  readonly base?: string;
  /** The most files that are read. Default: {@link mostFiles}. */
  readonly mostFiles?: number;
  /** The most characters of all files. Default: {@link mostFileCharacters}. */
  readonly mostCharacters?: number;
  /** The most files and folders that are looked at. Default: {@link mostLookedAt}. */
  readonly mostLookedAt?: number;
  /** The longest time of one reading (ms). Default: {@link mostReadingTime}. */
  readonly mostTime?: number;
}

/** The most files that are read, by default. */
export const mostFiles = 1000;

/** The most characters of all files, by default: with paths and escapes, most fit into the value of a feed. */
export const mostFileCharacters: number = 512 * 1024;

/** The most files and folders that are looked at, by default. */
export const mostLookedAt = 50_000;

/** The most patterns of a list. */
const mostPatterns = 100;

/** The longest time of one reading, by default (ms). */
export const mostReadingTime = 10_000;

/** What a manifest or a model asks for. */
interface Wanted {
  readonly root: string;
  readonly include: readonly SplitPath[];
  readonly exclude: readonly SplitPath[];
}

/** Reads files for a feed. The signal ends the reading. Never rejects. */
export type FilesSource = (params: JsonObject, signal?: AbortSignal) => Promise<FeedOutcome>;

/**
 * Makes the source `files {root, include, exclude}` of `InternalWorld`. Its value is `{files: [{path, text}], left_out}`:
 * files in the order of their paths. `left_out` counts files that have no room. Binary files are skipped, and so is `.git`, unless `exclude` is given.
 */
export function filesSource(options: FilesSourceOptions): FilesSource {
  const slices = new Slices();
  return async (params, signal) => {
    const wanted = wantedOf(params);
    if (typeof wanted === 'string') return { error: wanted };
    try {
      const root = grantedRoot(wanted.root, options);
      if (root === undefined)
        return {
          error: `expected a root in a folder that a files feed of the manifest names; came ${JSON.stringify(clip(wanted.root, 200))}`,
        };
      const pace = new Pace(slices, options.mostTime ?? mostReadingTime, signal);
      return { value: await new Reading(root, wanted, options, pace).value() };
    } catch (error) {
      return {
        error: `the files cannot be read: ${clip(error instanceof Error ? error.message : String(error), 300)}`,
      };
    }
  };
}

/** @returns why the parameters are refused, or what they ask for */
function wantedOf({ root, include = ['**'], exclude = ['**/.git'], ...others }: JsonObject): Wanted | string {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return `expected no params but root, include and exclude; came ${JSON.stringify(clip(unknown, 60))}`;
  if (typeof root !== 'string' || root === '' || root.includes('\0'))
    return 'expected the path of a folder in root';
  if (!isPatterns(include) || !isPatterns(exclude))
    return `expected at most ${mostPatterns} patterns of at most ${mostPattern} characters in include and exclude`;
  return { root, include: include.map(splitPattern), exclude: exclude.map(splitPattern) };
}

const isPatterns = (value: Json): value is readonly string[] =>
  isArray(value) &&
  value.length <= mostPatterns &&
  value.every((one) => typeof one === 'string' && one.length <= mostPattern);

/** The real path of a root, if it is in a granted folder; undefined: it is not. */
function grantedRoot(root: string, { roots, base = '.' }: FilesSourceOptions): string | undefined {
  const real = (path: string): string | undefined => {
    try {
      return realpathSync(resolve(base, path));
    } catch {
      return undefined;
    }
  };
  const path = real(root);
  const isGranted = roots.some((granted) => {
    const folder = real(granted);
    return folder !== undefined && path !== undefined && isWithin(path, folder);
  });
  return isGranted ? path : undefined;
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The time of one reading. Readings share the slices. */
class Pace {
  readonly #slices: Slices;
  readonly #most: number;
  readonly #end: number;
  readonly #signal: AbortSignal | undefined;

  constructor(slices: Slices, most: number, signal: AbortSignal | undefined) {
    this.#slices = slices;
    this.#most = most;
    this.#end = performance.now() + most;
    this.#signal = signal;
  }

  get isOver(): boolean {
    return this.#slices.isOver;
  }

  /** Waits for the next slice. @throws Error when the time of the reading is over */
  async next(): Promise<void> {
    await this.#slices.next();
    if (this.#signal?.aborted === true) throw new Error('the fetch has ended');
    if (performance.now() >= this.#end)
      throw new Error(
        `it took more than ${this.#most} ms; ask for fewer files, with fewer or shorter patterns`,
      );
  }
}

/** The reading of one folder. */
class Reading {
  readonly #root: string;
  readonly #wanted: Wanted;
  readonly #pace: Pace;
  readonly #mostFiles: number;
  readonly #mostLookedAt: number;
  #room: number;
  #lookedAt = 0;
  #leftOut = 0;
  readonly #files: { readonly path: string; readonly text: string }[] = [];

  constructor(root: string, wanted: Wanted, options: FilesSourceOptions, pace: Pace) {
    this.#root = root;
    this.#wanted = wanted;
    this.#pace = pace;
    this.#mostFiles = options.mostFiles ?? mostFiles;
    this.#mostLookedAt = options.mostLookedAt ?? mostLookedAt;
    this.#room = options.mostCharacters ?? mostFileCharacters;
  }

  async value(): Promise<JsonObject> {
    for (const path of (await this.#paths()).toSorted()) {
      if (this.#pace.isOver) await this.#pace.next();
      this.#read(path);
    }
    return { files: this.#files, left_out: this.#leftOut };
  }

  /** The paths of the files that fit, in the folder and in those below. */
  async #paths(): Promise<string[]> {
    const found: string[] = [];
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of entriesOf(join(this.#root, folder))) {
        if (++this.#lookedAt > this.#mostLookedAt)
          throw new Error(`expected at most ${this.#mostLookedAt} files and folders; more are there`);
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        // Links are neither.
        if (entry.isDirectory() && !(await this.#isExcluded(path))) folders.push(path);
        if (entry.isFile() && (await this.#isIncluded(path))) found.push(path);
      }
    }
    return found;
  }

  #isExcluded(path: string): Promise<boolean> {
    return this.#fitsOne(path, this.#wanted.exclude);
  }

  async #isIncluded(path: string): Promise<boolean> {
    return (await this.#fitsOne(path, this.#wanted.include)) && !(await this.#isExcluded(path));
  }

  async #fitsOne(path: string, patterns: readonly SplitPath[]): Promise<boolean> {
    const names = splitPath(path);
    for (const pattern of patterns) {
      if (this.#pace.isOver) await this.#pace.next();
      if (fits(names, pattern)) return true;
    }
    return false;
  }

  #read(path: string): void {
    if (this.#files.length >= this.#mostFiles) return void this.#leftOut++;
    const text = textOf(join(this.#root, path), this.#room);
    if (text === 'binary') return;
    if (text === 'large') return void this.#leftOut++;
    this.#room -= text.text.length;
    this.#files.push({ path, text: text.text });
  }
}

/** What is in a folder. One that cannot be read, or became a link since its parent was read, is empty. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    if (realpathSync(folder) !== folder) return [];
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

type FileText = { readonly text: string } | 'binary' | 'large';

/** The text of a file of at most so many characters. What is no file any more, or cannot be read, counts as binary. */
function textOf(path: string, most: number): FileText {
  let file: number;
  try {
    // No link is followed, and a pipe does not wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return 'binary';
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return 'binary';
    // A character has at most three bytes for a UTF-16 unit.
    if (stats.size > most * 3) return 'large';
    return decoded(bytesOf(file, stats.size), most);
  } catch {
    return 'binary';
  } finally {
    closeSync(file);
  }
}

/** The first bytes of a file: as many as it had when it was looked at. */
function bytesOf(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Bytes as UTF-8. With a NUL, or with bytes that are no UTF-8, they are binary. */
function decoded(bytes: Uint8Array, most: number): FileText {
  if (bytes.includes(0)) return 'binary';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.length > most ? 'large' : { text };
  } catch {
    return 'binary';
  }
}
