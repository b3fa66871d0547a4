/** A copy of the checkout, in which a test may change sources. It builds only the files that changed. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/kit/spec/index.ts';

/** The paths of the files in a folder, with `/`, below it. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')] : [],
  );

/** The sources of the checkout: the files that git has or would add. */
const sources = (root: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));

/** Copies what a clone of the checkout would have, with the changes that are not committed yet, into a folder. */
export function copySources(root: string, folder: string): void {
  for (const path of sources(root)) copyInto(folder, root, path);
}

function copyInto(folder: string, root: string, path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  copyFileSync(join(root, path), join(folder, path));
}

/** The difference between the copy and the checkout. */
export interface Changes {
  readonly added: readonly string[];
  /** Lines that only the copy has (`+`) or only the checkout has (`-`), by file. */
  readonly changed: { readonly [path: string]: readonly string[] };
}

export class CheckoutCopy {
  readonly root: string = mkdtempSync(join(tmpdir(), 'wireproof-copy-'));
  readonly #original = packageRoot();

  constructor() {
    const generated = filesIn(join(this.#original, 'src'))
      .filter((path) => path.includes('/generated/'))
      .map((path) => `src/${path}`);
    copySources(this.#original, this.root);
    for (const path of generated) copyInto(this.root, this.#original, path);
    cpSync(join(this.#original, 'dist'), join(this.root, 'dist'), { recursive: true });
    symlinkSync(join(this.#original, 'node_modules'), join(this.root, 'node_modules'), 'dir');
  }

  /** Runs a script of the copy with Node.js. @returns its stdout @throws Error when it fails */
  run(...args: readonly string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.root, encoding: 'utf8' });
  }

  /** The changes of sources; what is generated does not count. */
  changes(): Changes {
    const before = new Set(sources(this.#original));
    const places = ['spec', 'fixtures', 'src', 'conformance', 'bin', '.config', '.ci'];
    const now = [
      ...before,
      ...places.flatMap((place) => filesIn(join(this.root, place)).map((path) => `${place}/${path}`)),
    ];
    const added = now.filter((path) => !before.has(path) && !path.includes('/generated/'));
    const changed = [...before].flatMap((path) => {
      const lines = (root: string): readonly string[] => readFileSync(join(root, path), 'utf8').split('\n');
      const [old, copy] = [lines(this.#original), lines(this.root)];
      const differing = [
        ...copy.filter((line) => !old.includes(line)).map((line) => `+${line}`),
        ...old.filter((line) => !copy.includes(line)).map((line) => `-${line}`),
      ];
      return differing.length === 0 ? [] : [[path, differing] as const];
    });
    return { added: added.toSorted(), changed: Object.fromEntries(changed) };
  }

  /** Compiles these sources into dist, and makes the files of dist that list protocols. @returns type errors */
  build(paths: readonly string[]): readonly string[] {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(this.root, 'tsconfig.json'),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: () => {},
      },
    );
    const names = paths.filter((path) => path.endsWith('.ts')).map((path) => join(this.root, path));
    const program = ts.createProgram(names, config?.options ?? {});
    const errors = names.flatMap((name) => {
      const source = program.getSourceFile(name);
      program.emit(source);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    // The bundle stands in the place of the modules of bin/ that it was made of.
    for (const name of filesIn(join(this.root, 'bin'))) {
      if (!/^(?:[a-z]+\/)?[a-z-]+\.ts$/.test(name)) continue;
      const { outputText } = ts.transpileModule(readFileSync(join(this.root, 'bin', name), 'utf8'), {
        compilerOptions: { ...config?.options, module: ts.ModuleKind.ESNext },
      });
      writeFileSync(join(this.root, 'dist/bin', name.replace('.ts', '.js')), outputText);
    }
    this.run('.config/bundle.mjs');
    this.run('.config/declarations.mjs');
    this.run('.config/help.mjs');
    this.run('.config/documents.mjs');
    return errors.map(
      ({ file, messageText }) =>
        `${relative(this.root, file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  }

  /** Deletes the copy. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
