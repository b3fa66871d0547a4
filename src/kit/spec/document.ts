/**
 * Reads a YAML or JSON document: bounded in size and depth, without aliases and tags, checked against a schema. Each
 * refusal names file, line and column.
 */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, LineCounter, Scalar, YAMLMap } from 'yaml';
import { WireproofError, inWords, pathOf, schemaRefusal } from '../base/index.ts';
import type { SchemaFault, Validator } from '../base/index.ts';
import { cureOf, misplacedKey } from './cure.ts';
import { indentationFault } from './indentation.ts';
import { precheckedDocument } from './prechecked-documents.ts';
import { readUserFile } from './user-file.ts';

let loaded: typeof Yaml | undefined;
/** The parser. Loading it takes 40 ms, and many runs read no document, so it is loaded on demand. */
const yaml = (): typeof Yaml => (loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml);

/** Limits of our own files. */
export const documentLimits = { bytes: 262_144, depth: 64 } as const;

/** A checked document, and the positions of its parts. */
export interface CheckedDocument<T> {
  readonly value: T;
  /** `line:column` of the part at a JSON pointer; without such a part, of its nearest parent. */
  at(pointer: string): string;
}

const fail = (where: string, what: string): never => {
  throw new WireproofError('usage', `${where}: ${what}`);
};

/** Reads a file; see {@link checkDocument}. A document that was checked at build is not checked again. */
export function readDocument<T>(file: string, validator: Validator, kind: string): CheckedDocument<T> {
  const text = readUserFile(file, { kind: `a ${kind}`, most: documentLimits.bytes });
  const ready = precheckedDocument(kind, text);
  if (ready === undefined) return checkDocument<T>(text, file, validator, kind);
  return { value: ready as T, at: (pointer) => checkDocument(text, file, validator, kind).at(pointer) };
}

/**
 * Parses and checks a text.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function checkDocument<T>(
  text: string,
  file: string,
  validator: Validator,
  kind: string,
): CheckedDocument<T> {
  if (Buffer.byteLength(text) > documentLimits.bytes) fail(file, `longer than ${documentLimits.bytes} bytes`);
  refuseDepth(text, file);
  const lines = new (yaml().LineCounter)();
  const document = parse(text, file, lines);
  const [error] = document.errors;
  if (error !== undefined) {
    const wrong = indentationFault(text);
    if (wrong !== undefined)
      fail(`${file}:${wrong.line}:${wrong.column}`, `not YAML: wrong indentation: ${wrong.message}`);
    const { line, col } = lines.linePos(error.pos[0]);
    fail(`${file}:${line}:${col}`, `not YAML: ${error.message}`);
  }
  const where = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}`;
  };
  const at = (pointer: string): string => where(offsetOf(document, pointer));
  refuseSpecials(document, file, lines);
  const value: unknown = document.toJS();
  const refused = schemaRefusal(validator, value);
  if (refused !== undefined) {
    const { fault, expected, came } = refused;
    const path = fault.instancePath === '' ? '' : `${pathOf(fault.instancePath)}: `;
    fail(
      `${file}:${where(placeOf(fault, document))}`,
      `not a ${kind}: ${path}expected ${expected}; came ${came}${cureOf(fault) || misplacedKey(fault, validator, value)}`,
    );
  }
  return { value: value as T, at };
}

/**
 * Parses. A document that overflows the stack of the parser is refused as too deep. The library compares each key with all
 * others of its object, and copies the line of each error: {@link refuseSpecials} looks for repeated keys, and `fail` says the place.
 */
function parse(text: string, file: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return yaml().parseDocument(text, {
      lineCounter,
      keepSourceTokens: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return fail(`${file}:1:1`, tooDeep);
    throw error;
  }
}

/**
 * Refuses depth by the tokens of the lexer, before a tree is built: open brackets, and list and key marks on one line.
 * This bounds the work of the parser; the exact depth is checked afterwards.
 */
function refuseDepth(text: string, file: string): void {
  let [open, marks, line, isText] = [0, 0, 1, false];
  for (const token of new (yaml().Lexer)().lex(text)) {
    if (isText) isText = false;
    else if (token === scalarFollows) isText = true;
    else if (token === '[' || token === '{') open++;
    else if (token === ']' || token === '}') open = Math.max(0, open - 1);
    else if (token === '-' || token === '?') marks++;
    if (token.includes('\n')) {
      line += token.split('\n').length - 1;
      marks = 0;
    }
    if (open + marks > documentLimits.depth) fail(`${file}:${line}`, tooDeep);
  }
}

/** The marks that the lexer puts before the text of a scalar. */
const scalarFollows = '\u001f';

const tooDeep = `nested deeper than ${documentLimits.depth}`;

function refuseSpecials(document: Document.Parsed, file: string, lines: LineCounter): void {
  const { isAlias, isCollection, isMap, isScalar, visit } = yaml();
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return;
      const { line, col } = lines.linePos(key.range?.[0] ?? 0);
      fail(`${file}:${line}:${col}`, 'a list or an object is not allowed as a key');
    },
    Node(_, node, path) {
      const { line, col } = lines.linePos(node.range?.[0] ?? 0);
      const where = `${file}:${line}:${col}`;
      if (isAlias(node)) fail(where, 'aliases (*name) are not allowed; write the value out');
      if (isCollection(node) && path.filter(isCollection).length >= documentLimits.depth)
        fail(where, tooDeep);
      if ((isScalar(node) || isCollection(node)) && node.tag !== undefined) {
        fail(where, `tags (${node.tag}) are not allowed`);
      }
      if (isMap(node)) refuseRepeats(node, file, lines);
    },
  });
}

/** Refuses an object with a repeated key. */
function refuseRepeats({ items }: YAMLMap, file: string, lines: LineCounter): void {
  const names = new Set<string>();
  for (const { key } of items) {
    if (!yaml().isScalar(key)) continue;
    // As an object of JavaScript has it: 1 and "1" are one key.
    const { value } = key as Scalar<string | number | boolean | bigint | null>;
    const name = String(value ?? '');
    const { line, col } = lines.linePos(key.range?.[0] ?? 0);
    if (names.has(name))
      fail(
        `${file}:${line}:${col}`,
        `not YAML: the keys of an object must be unique; ${inWords(name)} is repeated`,
      );
    names.add(name);
  }
}

function offsetOf(document: Document.Parsed, pointer: string): number {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let n = parts.length; n >= 0; n--) {
    const node: unknown = document.getIn(parts.slice(0, n), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** The offset of a fault. An unknown key is at its own position, not at that of its object. */
function placeOf({ keyword, instancePath, params }: SchemaFault, document: Document.Parsed): number {
  const { isMap, isScalar } = yaml();
  const parts = instancePath.split('/').slice(1);
  const owner: unknown = keyword === 'additionalProperties' ? document.getIn(parts, true) : undefined;
  if (!isMap(owner)) return offsetOf(document, instancePath);
  const key = owner.items
    .map((pair) => pair.key)
    .find((k) => isScalar(k) && k.value === params['additionalProperty']);
  return (isScalar(key) ? key.range?.[0] : undefined) ?? offsetOf(document, instancePath);
}
