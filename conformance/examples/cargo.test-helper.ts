/** Builds a Rust example with cargo: with the crates that Debian installs, else with those of crates.io. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { scratch } from '../command.test-helper.ts';
import { example } from './python.test-helper.ts';

/** A built program; without one, the reason. */
export interface Built {
  readonly path: string | undefined;
  readonly why: string;
}

/** The folder of the crates that Debian installs. */
const debianCrates = '/usr/share/cargo/registry';

const offline = [
  '--offline',
  '--config',
  'source.crates-io.replace-with="debian"',
  '--config',
  `source.debian.directory="${debianCrates}"`,
];

/**
 * Builds an example in the scratch folder. Says so when it cannot be built.
 *
 * @param crates the crates that it needs, as Debian names their folders
 * @param debian the packages of Debian that bring cargo and the crates
 */
export function builtByCargo(name: string, crates: readonly string[], debian: string): Built {
  const folder = join(scratch, name);
  cpSync(example(name), folder, { recursive: true });
  const installed = existsSync(debianCrates) ? readdirSync(debianCrates) : [];
  const isThere = (crate: string): boolean => installed.some((one) => one.startsWith(`${crate}-`));
  const faults: string[] = [];
  for (const flags of [...(crates.every(isThere) ? [offline] : []), []]) {
    const fault = buildFault(folder, flags);
    if (fault === undefined)
      return { path: join(folder, 'target/release', basename(name).replace('_', '-')), why: '' };
    faults.push(fault);
  }
  const why = `cargo cannot build ${name}: ${faults.join('; ')}; on Debian: apt install ${debian}`;
  console.warn(`skipped: ${why}`);
  return { path: undefined, why };
}

/** Builds. @returns the last line of cargo's output when it fails */
function buildFault(cwd: string, flags: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync('cargo', ['build', '--release', '--quiet', ...flags], {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'fails';
}
