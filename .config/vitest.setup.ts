// Tests of the command run the built one: builds it when a source is newer than the last file of a whole build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'generated' ? 0 : newest(path);
      return /\.(c?ts|css|proto|json)$/.test(entry.name) && !/\.test[.-]/.test(entry.name)
        ? statSync(path).mtimeMs
        : 0;
    }),
  );

/** .config/documents.mjs writes it. */
const last = 'dist/documents.json';

export default function setup(): () => void {
  const built = existsSync(last) ? statSync(last).mtimeMs : 0;
  if (Math.max(...['src', 'conformance', 'bin', 'spec'].map(newest)) > built)
    execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
  // The workers of this run keep their files there (conformance/command.test-helper.ts).
  return () => rmSync(`node_modules/.cache/wireproof-test/${process.pid}`, { recursive: true, force: true });
}
