#!/usr/bin/env node
/**
 * The command's entry. Root help and version are printed from what the build left, because loading commander takes
 * longer than all the rest of it; anything else goes to bin/program.cts. CommonJS, because Node starts that 10 ms
 * sooner than a module.
 */
import type * as fs from 'node:fs';

const { readFileSync } = require('node:fs') as typeof fs;

/** Prints what needs no program. @returns whether that was all */
function printed([word, ...more]: readonly string[]): boolean {
  if (more.length > 0) return false;
  switch (word) {
    case '-V':
    case '--version':
      process.stdout.write(`${(require('../../package.json') as { readonly version: string }).version}\n`);
      return true;
    case '-h':
    case '--help':
    case 'help':
      return helped(process.stdout);
    case undefined:
      process.exitCode = 2; // nothing asked for is wrong usage; the program would say so too
      return helped(process.stderr);
    default:
      return false;
  }
}

/** Prints the root help as .config/help.mjs rendered it. @returns false when it did not; then the program can */
function helped(stream: NodeJS.WriteStream): boolean {
  let help: string;
  try {
    help = readFileSync(`${__dirname}/help.txt`, 'utf8');
  } catch {
    return false;
  }
  stream.write(help);
  return true;
}

if (!printed(process.argv.slice(2))) {
  // Until a verb has taken over, an interrupt has nothing to save (bin/interrupt.ts).
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.emit('wireproof:interrupt') || process.exit(130));
  }
  void import('./program.cts');
}
