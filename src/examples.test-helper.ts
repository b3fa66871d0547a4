/**
 * Finds the examples of doc comments and runs them. In scope are the names of the doors and of the example's
 * own module, and what it imports itself. A comment after a statement is the value that the statement must have, or
 * what it must log; comments on lines of their own are for the reader.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { packageRoot } from './kit/spec/index.ts';

const root = packageRoot();
/** The doors of the package: each folder of src/, and the doors that package.json adds. */
const doors: ReadonlyMap<string, string> = new Map([
  ['wireproof', join(root, 'src/index.ts')],
  ...readdirSync(join(root, 'src'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? [[`wireproof/${entry.name}`, join(root, 'src', entry.name, 'index.ts')] as const]
      : [],
  ),
  ['wireproof/llm/simulate', join(root, 'src/llm/edge/index.ts')],
  ['wireproof/fold/simulate', join(root, 'src/fold/edge/simulate/index.ts')],
  ['wireproof/toon/simulate', join(root, 'src/toon/edge/index.ts')],
  ['wireproof/check', join(root, 'bin/api/index.ts')],
]);

/** An example as it is written. */
export interface Example {
  readonly file: string;
  /** Of its `@example`, from 1. */
  readonly line: number;
  readonly code: string;
  /** Why it is not to be run, when it says so. */
  readonly noRun: string | undefined;
}

/** Such as `src/fold/codec.ts:35`. */
export const place = ({ file, line }: Example): string => `${relative(root, file)}:${line}`;

/** Every example in src/, conformance/ and bin/, but for tests and what is generated. */
export const findExamples = (): readonly Example[] =>
  ['src', 'conformance', 'bin'].flatMap((folder) => sources(join(root, folder)).flatMap(examplesIn));

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return entry.name.endsWith('.ts') && !/\.(test|bench|test\.data)\.ts$/.test(entry.name) ? [path] : [];
  });

function examplesIn(file: string): Example[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\/\*\*\s[\s\S]*?\*\//g)].flatMap((comment) => {
    const began = text.slice(0, comment.index).split('\n').length;
    const lines = comment[0]
      .replace(/\*\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(\/\*)?\* ?/, ''));
    return lines.flatMap((line, i) => {
      if (!/^@example\b/.test(line)) return [];
      const rest = lines.slice(i + 1);
      const next = rest.findIndex((other) => /^@[a-z]/.test(other));
      const block = rest.slice(0, next === -1 ? rest.length : next).join('\n');
      return [{ file, line: began + i, ...unfenced(block, `${file}:${began + i}`) }];
    });
  });
}

/** The code of a block, with or without a fence; only a fence can say that it is not to be run. */
function unfenced(block: string, where: string): Pick<Example, 'code' | 'noRun'> {
  const [, info, fenced] = /^```(.*)\n([\s\S]*?)^```/m.exec(block) ?? [];
  const code = (fenced ?? block).trim();
  if (code === '') throw new Error(`${where}: an example without code`);
  const [, noRun] = /\bno-run\b:?(.*)$/.exec(info ?? '') ?? [];
  if (noRun?.trim() === '') throw new Error(`${where}: no-run without a reason`);
  return { code, noRun: noRun?.trim() };
}

const options: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(
    (JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { compilerOptions: object })
      .compilerOptions,
    root,
  ).options,
  noEmit: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
  verbatimModuleSyntax: false,
  isolatedDeclarations: false,
  declaration: false,
  paths: Object.fromEntries([...doors].map(([name, file]) => [name, [file]])),
};

/** Examples as modules of their own, with the import of what is in scope. */
export class Examples {
  readonly #program: ts.Program;
  readonly #all: readonly Example[];

  constructor(all: readonly Example[]) {
    this.#all = all;
    this.#program = ts.createProgram([...doors.values(), ...all.map(({ file }) => file)], options);
  }

  /** What the compiler has against them, each with its place. */
  complaints(): string[] {
    const texts = new Map(this.#all.map((one) => [virtual(one), this.#module(one.code, one)]));
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (path) => texts.has(path) || fileExists(path);
    host.readFile = (path) => texts.get(path) ?? readFile(path);
    host.getSourceFile = (path, language, ...more) => {
      const text = texts.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, language);
      return this.#program.getSourceFile(path) ?? getSourceFile(path, language, ...more);
    };
    const program = ts.createProgram([...texts.keys()], options, host);
    return this.#all.flatMap((one) => {
      const source = program.getSourceFile(virtual(one));
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ messageText }) => `${place(one)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
    });
  }

  /** Runs one. @returns for each value that it promises: what came, and what was expected */
  async run(example: Example): Promise<readonly { readonly came: unknown; readonly expected: unknown }[]> {
    const { outputText } = ts.transpileModule(this.#module(instrumented(example), example), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    });
    const modules = new Map<string, unknown>();
    for (const [, name = ''] of outputText.matchAll(/\brequire\("([^"]+)"\)/g))
      modules.set(name, await import(/* @vite-ignore */ located(name, example)));
    const watch = new Watch();
    const body = runInThisContext(
      `(async (require, exports, console, __watch) => {${outputText}})`,
      place(example),
    ) as Body;
    await body((name: string) => modules.get(name), {}, { ...console, log: watch.log }, watch);
    return watch.seen;
  }

  /** The code, after the import of those names that it uses and does not make. */
  #module(code: string, { file }: Example): string {
    const { used, made } = namesOf(parsed(code));
    const from = new Map<string, string>();
    for (const [door, path] of doors)
      if (inScope(path, file)) for (const name of this.#exportsOf(path)) from.set(name, door);
    for (const name of this.#exportsOf(file)) from.set(name, file);
    const imports = [...used]
      .filter((name) => from.has(name) && !made.has(name))
      .map((name) => `import { ${name} } from ${JSON.stringify(from.get(name))};`);
    return `${imports.join(' ')}\n${code}\nexport {};\n`;
  }

  #exportsOf(file: string): string[] {
    const checker = this.#program.getTypeChecker();
    const source = this.#program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name);
  }
}

/** Two protocols may use one word: an example in one's room means that one's. */
function inScope(door: string, file: string): boolean {
  const room = (path: string): string => relative(root, path).split(sep)[1] ?? '';
  const rooms = ['fold', 'toon', 'llm', 'tokens', 'sep'];
  return !rooms.includes(room(door)) || !rooms.includes(room(file)) || room(door) === room(file);
}

type Body = (
  require: (name: string) => unknown,
  exports: object,
  console: object,
  watch: Watch,
) => Promise<void>;

const virtual = ({ file, line }: Example): string => file.replace(/\.ts$/, `.example-${line}.ts`);

const located = (name: string, { file }: Example): string =>
  doors.get(name) ?? (name.startsWith('.') ? resolve(dirname(file), name) : name);

const parsed = (code: string): ts.SourceFile =>
  ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2023, true);

/** The names that a text mentions, and those that it declares or imports, wherever. */
function namesOf(source: ts.SourceFile): Record<'used' | 'made', Set<string>> {
  const [used, made] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node);
    if (declares && node.name && ts.isIdentifier(node.name)) made.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { used, made };
}

/** The code, telling the watch what each statement with a value after it gives. What it throws it only makes. */
function instrumented(example: Example): string {
  const { code } = example;
  let text = '';
  for (const statement of parsed(code).statements) {
    const own = statement.getText();
    const [, said] = /^[^\S\n]*\/\/ ?(.*)/.exec(code.slice(statement.end)) ?? [];
    if (said === undefined) text += ts.isThrowStatement(statement) ? own.replace(/^throw/, 'void') : own;
    else if (ts.isVariableStatement(statement))
      throw new Error(`${place(example)}: the value behind a declaration cannot be checked: ${said}`);
    else {
      const told = ts.isExpressionStatement(statement)
        ? `__watch.value = (${statement.expression.getText()});`
        : own;
      text += `${told}\n__watch.look(${JSON.stringify(said)});`;
    }
    text += '\n';
  }
  return text;
}

/** Sees what statements give and log. */
class Watch {
  readonly seen: { readonly came: unknown; readonly expected: unknown }[] = [];
  value: unknown = undefined;
  #logged: unknown[] = [];

  readonly log = (...args: readonly unknown[]): void => void this.#logged.push(...args);

  /** The statement is over: what it logged, or else its value, is to be what was said. */
  look(said: string): void {
    const came = this.#logged.length > 0 ? this.#logged.at(-1) : this.value;
    this.seen.push(compared(came, said));
    this.value = undefined;
    this.#logged = [];
  }
}

/** What was said is an expression, or the value's text. */
function compared(came: unknown, said: string): { came: unknown; expected: unknown } {
  try {
    return { came, expected: runInThisContext(`(${said})`) as unknown };
  } catch {
    return { came: String(came), expected: said };
  }
}
