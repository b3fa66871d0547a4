/** An old Node.js is refused in one sentence, by the command and by the doors. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/kit/spec/index.ts';

const root = packageRoot();
const command = join(root, 'dist/bin/wireproof.cjs');

/** Runs Node.js as if it had this version. */
function asVersion(version: string, ...args: readonly string[]): readonly [number | null, string] {
  const claim = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(claim)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return [status, stdout + stderr];
}

describe.each(['18.20.8', '20.18.3', '14.21.3'])('Node %s', (version) => {
  const sentence = `wireproof needs Node 20.19 or newer; this is ${version}`;

  it('is refused by the command', () => {
    for (const args of [['--version'], ['check', 'toon/codec', '--', 'x'], []])
      expect(asVersion(version, command, ...args)).toEqual([2, `${sentence}\n`]);
  });

  it.each(['check', 'vitest', 'fold', 'fold/simulate'])('is refused by the door %s', (door) => {
    const [code, output] = asVersion(version, '--input-type=module', '-e', `import 'wireproof/${door}';`);
    expect([code, output]).toEqual([1, expect.stringContaining(`Error: ${sentence}\n`)]);
  });
});

it.each(['20.19.0', '22.0.0', '100.1.0'])('Node %s is taken', (version) => {
  expect(asVersion(version, command, '--version')[0]).toBe(0);
  expect(asVersion(version, '--input-type=module', '-e', "import 'wireproof/check';")[0]).toBe(0);
});

it('is the version that package.json demands', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  expect(engines.node).toBe('>=20.19');
});

// What Node 14 and older read: nothing of ES2020 and later.
it.each(['wireproof.cjs', 'node-version.cjs'])('%s has no syntax that an old Node.js cannot read', (name) => {
  const text = readFileSync(join(root, 'dist/bin', name), 'utf8');
  const { outputText } = ts.transpileModule(text, {
    // As a module, so that import() stays.
    fileName: name.replace('.cjs', '.mjs'),
    compilerOptions: { target: ts.ScriptTarget.ES2019, module: ts.ModuleKind.ESNext, allowJs: true },
  });
  // TypeScript marks a module that exports nothing.
  const words = (code: string): string => code.replaceAll(/\s+/g, '').replace(/export\{\};$/, '');
  expect(words(outputText)).toBe(words(text));
});
