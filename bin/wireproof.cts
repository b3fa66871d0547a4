#!/usr/bin/env node
/**
 * The entry of the command. It prints root help and version from files of the build, because loading commander takes
 * longer than the rest. Everything else goes to bin/program/program.cts. It is CommonJS, because Node starts CommonJS
 * 10 ms sooner than a module. It has no syntax that an old Node.js cannot read, and asks for the version first.
 */
import type * as fs from 'node:fs';

try {
  require('./node-version.cjs');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(2);
}

const { readFileSync } = require('node:fs') as typeof fs;

/** Prints help or version, if the arguments ask for that. @returns whether it did */
function printFromBuild([word, ...more]: readonly string[]): boolean {
  if (more.length > 0) return false;
  switch (word) {
    case '-V':
    case '--version':
      process.stdout.write(`${(require('../../package.json') as { readonly version: string }).version}\n`);
      return true;
    case '-h':
    case '--help':
    case 'help':
      return printHelp(process.stdout);
    case undefined:
      process.exitCode = 2; // no arguments is wrong usage, as in the program
      return printHelp(process.stderr);
    default:
      return false;
  }
}

/**
 * Prints the root help that .config/help.mjs rendered.
 *
 * @returns false when the file is missing or the terminal is too narrow for it; the program then prints it
 */
function printHelp(stream: NodeJS.WriteStream): boolean {
  let help: string;
  try {
    help = readFileSync(`${__dirname}/help.txt`, 'utf8');
  } catch {
    return false;
  }
  if (stream.isTTY && help.split('\n').some((line) => line.length > stream.columns)) return false;
  stream.write(help);
  return true;
}

/** The kit's own modules, a target with its pipes, and a server with a few connections need this many open files. */
const leastOpenFiles = 64;

/**
 * The limit of open files, where it is too low for the kit; otherwise undefined. Only Linux shows it.
 */
function lowLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
    const limit = found === null ? NaN : Number(found[1]);
    return limit < leastOpenFiles ? limit : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the program, where it has enough files. */
function start(): void {
  const limit = lowLimit();
  if (limit === undefined) return void import('./program/program.cts');
  process.stderr.write(
    `wireproof: at most ${limit} files can be open here; the kit needs ${leastOpenFiles}: raise the limit, such as ulimit -n 1024\n`,
  );
  process.exitCode = 3;
}

// A reader that has read enough, such as head, closes the pipe. Targets are stopped at the exit.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`wireproof: cannot write to stdout: ${message}\n`);
  process.exit(code === 'EPIPE' ? process.exitCode || 0 : 3);
});

if (!printFromBuild(process.argv.slice(2))) {
  // Before a verb runs, there is nothing to save (bin/output/interrupt.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.emit('wireproof:interrupt') || process.exit(130));
  }
  start();
}
