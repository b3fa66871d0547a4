/** Compares JSON Schemas: what a schema demands must stay, and little may be added. */
import { entryOf, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { sameJson } from '../compare.ts';

/** The first place of each kind where a schema lost something, as a path such as `properties.a.enum`. */
export interface SchemaLoss {
  /** One of the keywords of LLM-G59. */
  core?: string;
  /** Another keyword, which LLM-G57 keeps. */
  other?: string;
}

/** Keywords whose values are schemas, or have schemas inside. */
const single = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties']);
/** Keywords whose lists have no order. */
const sets = new Set(['required', 'enum', 'type']);
const core = new Set([
  'type',
  'properties',
  'required',
  'enum',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'description',
]);
/** Keywords that demand nothing of a value. Definitions are compared where they are named. */
const silent = new Set(['$schema', '$id', '$comment', 'title', 'examples', '$defs', 'definitions']);

/** The most references that are followed: a schema may name itself. */
const mostReferences = 32;

/** What a schema lost on its way. */
export function schemaLoss(above: JsonObject, below: JsonObject): SchemaLoss {
  const loss: SchemaLoss = {};
  new Comparison(above, below, loss).compare(above, below, '', true);
  return loss;
}

class Comparison {
  readonly #above: JsonObject;
  readonly #below: JsonObject;
  readonly #loss: SchemaLoss;
  readonly #seen = new Set<string>();

  constructor(above: JsonObject, below: JsonObject, loss: SchemaLoss) {
    this.#above = above;
    this.#below = below;
    this.#loss = loss;
  }

  compare(due: Json, came: Json | undefined, path: string, isCore: boolean): void {
    if (!isObject(due)) return sameJson(due, came) ? undefined : this.#lose(path, isCore);
    if (!isObject(came)) return this.#lose(path, isCore);
    if (typeof due['$ref'] === 'string') return this.#reference(due['$ref'], due, came, path);
    for (const [key, value] of Object.entries(due)) {
      if (silent.has(key)) continue;
      const at = path === '' ? key : `${path}.${key}`;
      this.#keyword(key, value, entryOf(came, key), at, core.has(key));
    }
  }

  #keyword(key: string, due: Json, came: Json | undefined, at: string, isCore: boolean): void {
    if (came === undefined && isEmpty(key, due)) return;
    if (maps.has(key) && isObject(due)) return this.#map(due, came, at, isCore);
    if (single.has(key)) return this.compare(due, came, at, isCore);
    if (lists.has(key) && isArray(due)) {
      if (!isArray(came) || came.length !== due.length) return this.#lose(at, isCore);
      for (const [i, one] of due.entries()) this.compare(one, came[i], `${at}[${i}]`, isCore);
      return;
    }
    const isKept = sets.has(key) ? sameSet(due, came) : sameJson(due, came);
    if (!isKept) this.#lose(at, isCore);
  }

  #map(due: JsonObject, came: Json | undefined, at: string, isCore: boolean): void {
    if (!isObject(came)) return this.#lose(at, isCore);
    for (const [name, schema] of Object.entries(due))
      this.compare(schema, entryOf(came, name), `${at}.${name}`, isCore);
  }

  /** A reference stays one, or what it names is in its place. */
  #reference(ref: string, due: JsonObject, came: JsonObject, path: string): void {
    const { $ref: _, ...rest } = due;
    this.compare(rest, came, path, true);
    const target = at(this.#above, ref);
    if (target === undefined) return came['$ref'] === ref ? undefined : this.#lose(`${path}.$ref`, true);
    const named = typeof came['$ref'] === 'string' ? at(this.#below, came['$ref']) : came;
    if (named === undefined) return this.#lose(`${path}.$ref`, true);
    if (this.#seen.has(ref) || this.#seen.size >= mostReferences) return;
    this.#seen.add(ref);
    this.compare(target, named, `${path}.$ref`, true);
  }

  #lose(path: string, isCore: boolean): void {
    if (isCore) this.#loss.core ??= path;
    else this.#loss.other ??= path;
  }
}

/** A keyword that demands nothing with this value. `properties: {}` says that there are none. */
const isEmpty = (key: string, value: Json): boolean =>
  (key === 'required' && isArray(value) && value.length === 0) ||
  (key === 'additionalProperties' && value === true) ||
  (key === 'description' && value === '') ||
  (key === 'default' && value === null);

/** The schema that a reference names, such as `#/$defs/point`. */
function at(root: JsonObject, ref: string): Json | undefined {
  if (!ref.startsWith('#')) return undefined;
  const keys = ref.slice(1).split('/').slice(1);
  return keys.reduce<Json | undefined>(
    (value, key) =>
      isObject(value) ? entryOf(value, key.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined,
    root,
  );
}

function sameSet(due: Json, came: Json | undefined): boolean {
  const [a, b] = [listOf(due), listOf(came)];
  return a.length === b.length && a.every((one) => b.some((other) => sameJson(one, other)));
}

const listOf = (value: Json | undefined): readonly Json[] =>
  isArray(value) ? value : value === undefined ? [] : [value];
