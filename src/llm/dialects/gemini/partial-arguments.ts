/**
 * Arguments that stream by path, as a client reads them: each `partialArgs` sets the value at its path; a text is added to
 * the text that is there.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { excerpt, mostArgumentDepth } from '../shared/arguments.ts';
import { textIn } from '../shared/body-reader.ts';
import { readPath } from './json-path.ts';
import type { PathStep } from './json-path.ts';

/** A value that grows: a list, or an object whose members are in a map, so that no name is special. */
type Node = Map<string, Node> | Node[] | Scalar;

type Scalar = string | number | boolean | null;

/** The arguments of a call, as far as they came. */
export class PartialArguments {
  readonly #root = new Map<string, Node>();
  #fault: string | undefined;

  /** Why the arguments are refused. Undefined while they are right. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Takes one entry of `partialArgs`. */
  take(entry: Json): void {
    if (this.#fault !== undefined) return;
    const path = textIn(isObject(entry) ? entry['jsonPath'] : undefined);
    const value = isObject(entry) ? valueOf(entry) : undefined;
    const steps = readPath(path);
    if (steps === undefined || steps.length === 0 || steps.length > mostArgumentDepth || value === undefined)
      this.#fault = `expected a partial argument with a path and a value; came ${excerpt(JSON.stringify(entry))}`;
    else if (!put(this.#root, steps, value))
      this.#fault = `expected a path that fits the arguments so far; came ${excerpt(path)}`;
  }

  /** Refuses the arguments. The first reason counts. */
  refuse(why: string): void {
    this.#fault ??= why;
  }

  /** The arguments as an object. */
  object(): JsonObject {
    const value = jsonOf(this.#root);
    return isObject(value) ? value : {};
  }

  /** The JSON text of the arguments without its last brace: text that shows that more was to come. */
  openText(): string {
    return JSON.stringify(this.object()).slice(0, -1);
  }
}

/** The value of an entry; undefined where it has none. */
function valueOf({ stringValue, numberValue, boolValue, nullValue }: JsonObject): Scalar | undefined {
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number') return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return nullValue === undefined ? undefined : null;
}

/** Sets the value at a path. @returns false where another value is in its way */
function put(root: Node, steps: readonly PathStep[], value: Scalar): boolean {
  let node = root;
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1];
    const old = childOf(node, step);
    if (old === 'misfit') return false;
    if (next === undefined) return setChild(node, step, grown(old?.at, value));
    const inner = old?.at ?? (typeof next === 'number' ? [] : new Map<string, Node>());
    if (old === undefined) setChild(node, step, inner);
    node = inner;
  }
  return false;
}

/** The value that is there, if any; `misfit` where the node has no such step. An index is at most the next one. */
function childOf(node: Node, step: PathStep): { readonly at: Node } | undefined | 'misfit' {
  if (typeof step === 'number') {
    if (!Array.isArray(node) || step > node.length) return 'misfit';
    const at = node[step];
    return at === undefined ? undefined : { at };
  }
  if (!(node instanceof Map)) return 'misfit';
  const at = node.get(step);
  return at === undefined ? undefined : { at };
}

function setChild(node: Node, step: PathStep, value: Node | undefined): boolean {
  if (value === undefined) return false;
  if (typeof step === 'number' && Array.isArray(node)) node[step] = value;
  else if (typeof step === 'string' && node instanceof Map) node.set(step, value);
  return true;
}

/** More of a text; any other scalar replaces a scalar. Undefined where an object or a list is there. */
function grown(old: Node | undefined, value: Scalar): Node | undefined {
  if (typeof old === 'string' && typeof value === 'string') return old + value;
  return old instanceof Map || Array.isArray(old) ? undefined : value;
}

/** Paths are at most as deep as arguments may be. */
function jsonOf(node: Node): Json {
  if (Array.isArray(node)) return node.map(jsonOf);
  return node instanceof Map
    ? Object.fromEntries([...node].map(([key, inner]) => [key, jsonOf(inner)] as const))
    : node;
}
