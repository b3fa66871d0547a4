// Builds after an installation, unless dist/ is up to date: npx in this folder installs the package again at each call, and
// a build would empty dist/ under the commands that run.
import { execFileSync } from 'node:child_process';
import { isBuilt } from './build-state.mjs';

if (!isBuilt())
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
