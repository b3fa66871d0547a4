/** Reads the words of a protocol from the typings of an SDK, with the compiler: no file is imported, nothing is run. */
import ts from 'typescript';

/**
 * Where a list of words stands in the typings.
 *
 * @typedef {object} Source
 * @property {string} kind what the words name: event, block, delta, item, stop, …
 * @property {'stable' | 'beta'} stage beta where the SDK has it in its beta namespace only
 * @property {string} file the path in the package
 * @property {string} type the exported type, then the members to go through: `Choice.finish_reason`. `[]` enters a list
 * @property {string} read `literals`: the texts of the type itself. `members`: the names of its members, with those of the
 *   objects in them. `names`: the names of its own members. Else the discriminant whose texts are read
 * @property {string[]} [without] texts of the SDK that are not on the wire
 *
 * @typedef {{ kind: string, word: string, stage: 'stable' | 'beta' }} Word
 */

/** @type {import('typescript').CompilerOptions} */
const options = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
};

/**
 * Reads words.
 *
 * @param {Source[]} sources
 * @param {(path: string) => string | undefined} fileOf the text of a file of the package; undefined where there is none
 * @returns {Word[]} without repetitions. A word that is stable anywhere is stable
 * @throws Error with one sentence when the typings lack a type, or it has no words
 */
export function wordsOf(sources, fileOf) {
  const program = ts.createProgram({
    rootNames: [...new Set(sources.map(({ file }) => `${root}${file}`))],
    options,
    host: hostOf(fileOf),
  });
  const checker = program.getTypeChecker();
  /** @type {Map<string, Word>} */
  const words = new Map();
  for (const source of sources)
    for (const word of textsOf(program, checker, source)) {
      const key = `${source.kind} ${word}`;
      const isStable = source.stage === 'stable' || words.get(key)?.stage === 'stable';
      words.set(key, { kind: source.kind, word, stage: isStable ? 'stable' : 'beta' });
    }
  return [...words.values()];
}

/** The folder of the package, as the compiler sees it. */
const root = '/package/';

/** The compiler sees the package, its own library of types, and nothing else. */
function hostOf(fileOf) {
  const real = ts.createCompilerHost(options);
  const ownLibrary = real.getDefaultLibLocation?.() ?? '';
  const read = (path) => {
    if (path.startsWith(root)) return fileOf(path.slice(root.length));
    return path.startsWith(ownLibrary) ? real.readFile(path) : undefined;
  };
  return {
    ...real,
    getCurrentDirectory: () => root,
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
    directoryExists: (path) => `${path}/`.startsWith(root),
    getDirectories: () => [],
    realpath: (path) => path,
    getSourceFile(path, language) {
      const text = read(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, language);
    },
  };
}

/**
 * The texts of one source.
 *
 * @param {import('typescript').Program} program
 * @param {import('typescript').TypeChecker} checker
 * @param {Source} source
 */
function textsOf(program, checker, { file, type: path, read, without = [] }) {
  const found = typeAt(program, checker, file, path.split('.'));
  if (found === undefined) throw new Error(`${file} has no type ${path}`);
  const texts = readers[read]?.(checker, found) ?? literalsOf(memberTypes(checker, found, read));
  const words = texts.filter((text) => !without.includes(text));
  if (words.length === 0) throw new Error(`${path} of ${file} has no words (${read})`);
  return words;
}

/** @type {Record<string, (checker: import('typescript').TypeChecker, type: import('typescript').Type) => string[]>} */
const readers = {
  literals: (_, type) => literalsOf([type]),
  names: (checker, type) => [...membersOf(checker, type).keys()],
  members: (checker, type) => namesIn(checker, type),
};

/** Goes from a file through its exports, their namespaces and the members of types. */
function typeAt(program, checker, file, [first = '', ...rest]) {
  const source = program.getSourceFile(`${root}${file}`);
  if (source === undefined) return undefined;
  let symbol =
    exportOf(checker, checker.getSymbolAtLocation(source), first) ?? declaredIn(checker, source, first);
  let type;
  for (const name of rest) {
    const inside = exportOf(checker, symbol, name);
    if (inside !== undefined) symbol = inside;
    else {
      const [member, ...more] = memberTypes(checker, type ?? declared(checker, symbol), name);
      if (member === undefined || more.length > 0) return undefined;
      symbol = undefined;
      type = member;
    }
  }
  return type ?? declared(checker, symbol);
}

/** What a file or a namespace exports under a name, also of other files. */
function exportOf(checker, scope, name) {
  if (scope === undefined || (scope.flags & (ts.SymbolFlags.Module | ts.SymbolFlags.Namespace)) === 0)
    return undefined;
  const symbol = checker.getExportsOfModule(scope).find((one) => one.name === name);
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** A type of a file that it does not export under this name. */
const declaredIn = (checker, source, name) =>
  checker
    .getSymbolsInScope(source, ts.SymbolFlags.Type | ts.SymbolFlags.Namespace)
    .find((symbol) => symbol.name === name && symbol.declarations?.[0]?.getSourceFile() === source);

const declared = (checker, symbol) => symbol && checker.getDeclaredTypeOfSymbol(symbol);

/** The parts of a union; a type that is none is its own part. */
const partsOf = (type) => (type?.isUnion() ? type.types : type === undefined ? [] : [type]);

/** The members of all parts of a type, by name. */
function membersOf(checker, type) {
  const members = new Map();
  for (const part of partsOf(type))
    for (const member of checker.getPropertiesOfType(part))
      members.set(member.name, [...(members.get(member.name) ?? []), checker.getTypeOfSymbol(member)]);
  return members;
}

/** The types that a member has; `[]` is the member of a list. */
function memberTypes(checker, type, name) {
  if (name !== '[]') {
    const types = membersOf(checker, type).get(name) ?? [];
    return types.length < 2 ? types : types.flatMap(partsOf);
  }
  return partsOf(type).flatMap((part) => (checker.isArrayType(part) ? checker.getTypeArguments(part) : []));
}

/** The texts among types, in their order, each once. */
const literalsOf = (types) => [
  ...new Set(types.flatMap(partsOf).flatMap((part) => (part.isStringLiteral() ? [part.value] : []))),
];

/** The names of members, with `a.b` for a member of an object in them. */
function namesIn(checker, type, depth = 2) {
  return [...membersOf(checker, type)].flatMap(([name, types]) => {
    const objects = types.flatMap(partsOf).filter((part) => isPlainObject(checker, part));
    const inside = depth > 1 ? objects.flatMap((part) => namesIn(checker, part, depth - 1)) : [];
    return [name, ...new Set(inside.map((word) => `${name}.${word}`))];
  });
}

const isPlainObject = (checker, type) =>
  (type.flags & ts.TypeFlags.Object) !== 0 &&
  !checker.isArrayType(type) &&
  checker.getSignaturesOfType(type, ts.SignatureKind.Call).length === 0 &&
  type.symbol?.declarations?.some((one) => one.getSourceFile().fileName.startsWith(root)) === true;
