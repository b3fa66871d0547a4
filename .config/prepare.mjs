// Builds after an installation, unless dist/ is up to date: npx in this folder installs the package again at each call, and
// a build would empty dist/ under the commands that run. Before `npm ci`, npx hides what a script of the package says; so
// a stand-in for the command says it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { isBuilt } from './build-state.mjs';

const standIn = `#!/usr/bin/env node
process.stderr.write('wireproof is not built in this folder: run npm ci first\\n');
process.exitCode = 2;
`;

const isNpx = process.env['npm_command'] === 'exec';
if (isNpx && !existsSync('node_modules/typescript')) {
  mkdirSync('dist/bin', { recursive: true });
  writeFileSync('dist/bin/wireproof.cjs', standIn, { mode: 0o755 });
} else if (!isBuilt()) {
  execFileSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
}
