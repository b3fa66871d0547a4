/**
 * The examples of spec/tests.md run as they are written, with our programs in the place of the reader's.
 * They play a part of each suite; api.test.ts plays a whole one by the same function.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { example, reference } from '../run.test-helper.ts';

const root = packageRoot();
/** Below the package, where its own name leads to its doors. */
const folder = mkdtempSync(join(root, 'dist/readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

const section = readFileSync(join(root, 'spec/tests.md'), 'utf8');
const blocks = [...section.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);

/** The block that has a text, with replacements. */
function block(text: string, replaced: readonly (readonly [string, string])[]): string {
  const found = blocks.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  return replaced.reduce((code, [from, to]) => {
    expect(code).toContain(from);
    return code.replace(from, to);
  }, found[0] ?? '');
}

/** Runs a Node program. @returns its exit code and its output */
const run = (...args: readonly string[]): Promise<{ readonly code: unknown; readonly out: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, out: stdout + stderr }),
    ),
  );

const file = (name: string, code: string): string => {
  writeFileSync(join(folder, name), code);
  return name;
};

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const codec = JSON.stringify(reference('testee', 'toon/codec'));

/** The agent of the reader. */
const agent = `
import { simulateFoldAgent } from 'wireproof/fold/simulate';
const startMyAgent = (gateway) =>
  simulateFoldAgent({ gateway, register: { name: 'My agent' }, answers: [{ do: [{ say: 'Hello.' }] }] });
`;

it('has three examples', () => expect(blocks).toHaveLength(3));

/** Rows of toon/codec: what the examples say of a codec does not depend on how many there are. */
const part = "{ only: ['TOON-0*'] }";
const rows = 9;

it('vitest and any runner', { timeout: 180_000 }, async () => {
  const command = JSON.stringify([process.execPath, example, '{address}']);
  const own = block("from 'wireproof/vitest'", [
    [
      "{ command: ['./my-agent', '--gateway', '{address}'] }",
      `{ command: ${command} }, { only: ['FOLD-A15'] }`,
    ],
  ]);
  file('agent.test.ts', own + agent);
  const any = block('expectConformance(report)', [
    ["{ command: ['./my-codec'] }", `{ command: ${codec} }, only: ['TOON-0*']`],
  ]);
  file('any.test.ts', `import { test } from 'vitest';\n${any}`);
  const { code: exit, out } = await run(vitest, 'run', '--root', folder, 'agent.test.ts', 'any.test.ts');
  expect([exit, out]).toEqual([0, out]);
  // FOLD-A15, that each row was exercised, and the agent that greets; the codec.
  expect(out).toMatch(/Tests .*4 passed/);
});

it('node:test', async () => {
  const code = block("from 'node:test'", [
    ["['./my-codec']", codec],
    ["'toon/codec', target", `'toon/codec', target, ${part}`],
  ]);
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const { code: exit, out } = await run('--test-reporter=tap', '--test', file('codec.mjs', outputText));
  expect([exit, out]).toEqual([0, out]);
  // A test for each row, and one that each was exercised.
  expect(Number(/^# pass (\d+)$/m.exec(out)?.[1])).toBe(rows + 1);
});

it('compiles', () => {
  const prelude = 'declare const startMyAgent: (address: string) => Promise<AsyncDisposable>;\n';
  const jest = 'declare const test: (name: string, run: () => Promise<void>, ms?: number) => void;\n';
  const names = blocks.map((code, i) => {
    const more = code.includes('startMyAgent')
      ? prelude
      : code.includes('import test') || code.includes("'vitest'")
        ? ''
        : jest;
    return join(folder, file(`block-${i}.ts`, code + more));
  });
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'], types: ['node'] },
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const complaints = ts
    .getPreEmitDiagnostics(ts.createProgram(names, options))
    .map(
      ({ messageText, file: at }) =>
        `${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  expect(complaints).toEqual([]);
});
