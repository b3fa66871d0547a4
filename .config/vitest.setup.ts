// The command's tests run what was built: builds it when a source is newer.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'generated' ? 0 : newest(path);
      return /\.(c?ts|proto|json)$/.test(entry.name) && !entry.name.includes('.test.')
        ? statSync(path).mtimeMs
        : 0;
    }),
  );

export default function setup(): void {
  const built = existsSync('dist/bin/wireproof.cjs') ? statSync('dist/bin/wireproof.cjs').mtimeMs : 0;
  if (Math.max(...['src', 'conformance', 'bin', 'spec'].map(newest)) <= built) return;
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
}
