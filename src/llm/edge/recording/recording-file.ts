/**
 * The file of a recorder. Each exchange is appended where the brackets close, so it costs its own size; after each one the
 * file is one JSON document again.
 */
import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { WireproofError } from '../../../kit/base/index.ts';
import { checkFile, writeUserFile } from '../../../kit/spec/user-file.ts';
import { mostBytes } from './recording.ts';
import type { RecordedExchange } from './recording.ts';

const opening = '{\n "wireproof": "recording/1",\n "exchanges": [';
const closing = '\n ]\n}\n';

export class RecordingFile {
  readonly #path: string;
  readonly #most: number;
  readonly #descriptor: number;
  /** Where the next exchange is written (bytes). */
  #end: number = opening.length;
  #count = 0;
  #problem: string | undefined;
  #isLost = false;

  /**
   * Begins a recording. What the file had is gone.
   *
   * @throws WireproofError 'environment' when it cannot be written, 'usage' when it is a directory, a device or a pipe
   */
  constructor(path: string, most: number = mostBytes) {
    this.#path = path;
    this.#most = most;
    writeUserFile(path, `${opening}]\n}\n`);
    checkFile(path, { kind: 'a recording' });
    this.#descriptor = openSync(path, 'r+');
  }

  /** The exchanges in the file. */
  get count(): number {
    return this.#count;
  }

  /** Why nothing more is recorded; undefined: the recording goes on. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether exchanges could not be written, which is not the recorder's own bound. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Appends an exchange, unless there was a problem before. */
  add(exchange: RecordedExchange): void {
    if (this.#problem !== undefined) return;
    const item = JSON.stringify(exchange, null, 1).replaceAll('\n', '\n  ');
    const bytes = Buffer.from(`${this.#count === 0 ? '' : ','}\n  ${item}`);
    if (this.#end + bytes.length + closing.length > this.#most) {
      this.#problem = `the recording ends here, since ${this.#path} would have more than ${this.#most} bytes`;
      return;
    }
    try {
      this.#write(Buffer.concat([bytes, Buffer.from(closing)]));
      this.#end += bytes.length;
      this.#count++;
    } catch (cause) {
      this.#isLost = true;
      this.#problem = `cannot write ${this.#path}: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  }

  /** Closes the file. One without exchanges is removed: there is nothing to play. */
  close(): void {
    closeSync(this.#descriptor);
    if (this.#count === 0 && !this.#isLost) rmSync(this.#path, { force: true });
  }

  #write(bytes: Uint8Array): void {
    // A deleted file takes bytes that nobody can read.
    const there = statSync(this.#path, { throwIfNoEntry: false });
    if (there?.ino !== fstatSync(this.#descriptor).ino) throw new Error('the file is gone, or another one');
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#end + at);
  }
}

/** @throws WireproofError 'environment' when exchanges could not be written */
export function assertWritten({ isLost, problem = '' }: RecordingFile): void {
  if (isLost) throw new WireproofError('environment', problem);
}
