// Tests of the command run the built one: builds it when a source is newer than the last file of a whole build.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { isBuilt } from './build-state.mjs';

export default function setup(): () => void {
  if (!isBuilt()) execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
  // The workers of this run keep their files there (conformance/command.test-helper.ts).
  return () => rmSync(`node_modules/.cache/wireproof-test/${process.pid}`, { recursive: true, force: true });
}
