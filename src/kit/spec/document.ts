/**
 * Reads YAML (and so JSON) of ours or a user's: bounded in size and depth, without aliases and tags, checked
 * against a schema; every refusal names file, line and column.
 */
import { readFileSync, statSync } from 'node:fs';
import { LineCounter, isAlias, isCollection, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { WireproofError } from '../base/index.ts';
import type { Fault, Validator } from './generated/validators.ts';

/** Limits of our own files. */
export const documentLimits = { bytes: 262_144, depth: 64 } as const;

/** A checked document, and where its parts stand. */
export interface CheckedDocument<T> {
  readonly value: T;
  /** `line:column` of the part at a JSON pointer; of the nearest part above where there is none. */
  at(pointer: string): string;
}

const fail = (where: string, what: string): never => {
  throw new WireproofError('usage', `${where}: ${what}`);
};

/** Reads a file; see {@link checkDocument}. */
export function readDocument<T>(file: string, validator: Validator, kind: string): CheckedDocument<T> {
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > documentLimits.bytes)
      fail(file, `${size} bytes; a ${kind} has at most ${documentLimits.bytes}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof WireproofError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(file, code === 'ENOENT' ? `no such file; expected a ${kind}` : `cannot be read: ${message}`);
  }
  return checkDocument<T>(text, file, validator, kind);
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
  if (text.length > documentLimits.bytes) fail(file, `longer than ${documentLimits.bytes} bytes`);
  refuseDepth(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    fail(`${file}:${line}:${col}`, `not YAML: ${error.message.split('\n')[0] ?? ''}`);
  }
  const at = (pointer: string): string => {
    const { line, col } = lines.linePos(offsetOf(document, pointer));
    return `${line}:${col}`;
  };
  refuseSpecials(document, file, lines);
  const value: unknown = document.toJS();
  if (!validator(value)) {
    const fault = validator.errors?.[0];
    if (fault !== undefined)
      fail(`${file}:${at(fault.instancePath)}`, `not a ${kind}: ${describe(fault, value)}`);
  }
  return { value: value as T, at };
}

/** Brackets that open and do not close, and indentation: an upper bound of depth without building anything. */
function refuseDepth(text: string, file: string): void {
  let depth = 0;
  let line = 1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10) line++;
    else if (c === 91 || c === 123) depth++;
    else if (c === 93 || c === 125) depth = Math.max(0, depth - 1);
    if (depth > documentLimits.depth) fail(`${file}:${line}`, `nested deeper than ${documentLimits.depth}`);
  }
}

function refuseSpecials(document: Document.Parsed, file: string, lines: LineCounter): void {
  visit(document, {
    Node(_, node, path) {
      const { line, col } = lines.linePos(node.range?.[0] ?? 0);
      const where = `${file}:${line}:${col}`;
      if (isAlias(node)) fail(where, 'aliases (*name) are not allowed; write the value out');
      if (path.length > 2 * documentLimits.depth) fail(where, `nested deeper than ${documentLimits.depth}`);
      if ((isScalar(node) || isCollection(node)) && node.tag?.startsWith('!') === true) {
        fail(where, `tags (${node.tag}) are not allowed`);
      }
    },
  });
}

function offsetOf(document: Document.Parsed, pointer: string): number {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let n = parts.length; n >= 0; n--) {
    const node: unknown = document.getIn(parts.slice(0, n), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** A fault of a schema as a sentence: where in the value, what was expected, what came. */
function describe(fault: Fault, value: unknown): string {
  const path = fault.instancePath.slice(1).replaceAll('/', '.') || 'the document';
  const { params } = fault;
  switch (fault.keyword) {
    case 'additionalProperties':
      return `${path} has "${String(params['additionalProperty'])}", which is not a known key there`;
    case 'required':
      return `${path} lacks "${String(params['missingProperty'])}"`;
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String).join(', ');
      return `${path} is ${shown(valueAt(value, fault.instancePath))}; expected one of ${allowed}`;
    }
    case 'type':
      return `${path} is ${shown(valueAt(value, fault.instancePath))}; expected ${String(params['type'])}`;
    case 'pattern':
      return `${path} is ${shown(valueAt(value, fault.instancePath))}, which does not fit ${String(params['pattern'])}`;
    case 'oneOf':
      return `${path} must have exactly one of its kinds of key`;
    default:
      return `${path} ${fault.message ?? 'is not allowed'}`;
  }
}

function valueAt(value: unknown, pointer: string): unknown {
  let v = value;
  for (const part of pointer.split('/').slice(1)) v = (v as Record<string, unknown> | undefined)?.[part];
  return v;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
