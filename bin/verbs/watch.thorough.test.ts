/** `check --watch`: checks again at a change, and leaves no target behind. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { command } from '../../conformance/command.test-helper.ts';
import { scratch, startWireproof, untilNoProcess, untilProcesses, wireproof } from '../run.test-helper.ts';

/** A project whose target writes its mark into its command line. */
function project(mark: string, body: string): { readonly cwd: string; readonly file: string } {
  const cwd = mkdtempSync(join(scratch, 'watch-'));
  mkdirSync(join(cwd, 'src'));
  const file = join(cwd, 'target.mjs');
  writeFileSync(file, `// ${mark}\n${body}`);
  return { cwd, file };
}

const manager = `import { spawn } from 'node:child_process';
spawn(process.execPath, [${JSON.stringify(command)}, 'testee', 'tokens/manager'], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
`;
const flags = ['tokens/manager', '--only', 'TOK-09', '--trace', 'off', '--watch'];

it('checks again when the file of the command changes, and ends at an interrupt', async () => {
  const { cwd, file } = project('plain', manager);
  const watching = startWireproof(['check', ...flags, '--', process.execPath, 'target.mjs'], { cwd });
  await watching.prints(/watching .*target\.mjs; Ctrl-C ends/);
  expect(watching.stdout.match(/^passed/gm)).toHaveLength(1);
  writeFileSync(file, `// changed\n${manager}`);
  await watching.prints(/changed: "target\.mjs"; checking again[^]*watching/);
  const { code, stdout } = await watching.stop('SIGINT');
  expect(stdout.match(/^passed/gm)).toHaveLength(2);
  expect(code).toBe(130);
});

it('watches a folder, and not what the check writes there', async () => {
  const { cwd } = project('folder', manager);
  const report = ['--report', 'console', '--report', 'json=src/report.json'];
  const watching = startWireproof(
    ['check', ...flags, '--watch-path', 'src', ...report, '--', process.execPath, 'target.mjs'],
    { cwd },
  );
  await watching.prints(/watching src; Ctrl-C ends/);
  writeFileSync(join(cwd, 'src/a.txt'), 'new');
  await watching.prints(/changed: "src\/a\.txt"; checking again[^]*watching/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { stderr } = await watching.stop('SIGINT');
  expect(stderr.match(/checking again/g)).toHaveLength(1);
});

it('leaves no target behind when an interrupt comes during a check', async () => {
  const { cwd } = project('silent', 'setInterval(() => {}, 1000);');
  const mark = `silent-target-${process.pid}`;
  const watching = startWireproof(
    ['check', ...flags, '--timeout', 'handshake=60s', '--', process.execPath, 'target.mjs', mark],
    { cwd },
  );
  await untilProcesses(`target.mjs ${mark}`, (count) => count >= 3);
  const { code } = await watching.stop('SIGINT');
  expect(code).toBe(130);
  await untilNoProcess(mark);
});

it.each([
  [['--', 'some-command'], /names no file to watch/],
  [['--watch-path', 'none', '--', 'x'], /--watch-path none: no such file or folder/],
])('refuses %j', async (args, sentence) => {
  const { code, stderr } = await wireproof(['check', ...flags, ...args]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});
