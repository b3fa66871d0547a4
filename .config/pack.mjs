// `npm run pack [-- FOLDER]`: makes the tarball of a release. It has the files that `npm pack` would take, and a
// package.json without what serves the sources only: scripts and development packages, whose files are not packed. A git
// URL or this folder as a dependency is built and packed by npm itself, from package.json as it is.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const shell = process.platform === 'win32';
const npm = (cwd, ...args) =>
  JSON.parse(
    execFileSync('npm', [...args, '--json', '--ignore-scripts', '--loglevel', 'error'], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      shell,
    }),
  )[0];

/** Packs what was built into a folder. @returns what npm says of the tarball: filename, size, unpackedSize, files */
export function pack(folder) {
  const staging = mkdtempSync(join(tmpdir(), 'wireproof-pack-'));
  try {
    for (const { path } of npm('.', 'pack', '--dry-run').files) cpSync(path, join(staging, path));
    const {
      scripts: _scripts,
      devDependencies: _development,
      files: _files,
      ...kept
    } = JSON.parse(readFileSync('package.json', 'utf8'));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
    return npm(staging, 'pack', '--pack-destination', resolve(folder));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { filename, files, size, unpackedSize } = pack(process.argv[2] ?? '.');
  console.log(
    `${filename}: ${files.length} files, ${size >> 10} KiB packed, ${unpackedSize >> 10} KiB unpacked`,
  );
}
