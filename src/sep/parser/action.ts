/** An action from its tag and its body: attributes, strict JSON, defaults, and the remarks about each. */
import { exactJsonOf, isArray, isObject, pathOf, schemaRefusal } from '../../kit/base/index.ts';
import type { Json, JsonObject, Validator } from '../../kit/base/index.ts';
import { actionBody as validator, rollbackBody } from '../generated/validators.ts';
import { actionModes, actionTypes } from './events.ts';
import type {
  ActionMode,
  ActionType,
  DiagnosticCode,
  ErrorReaction,
  SepAction,
  SepRollback,
} from './events.ts';
import type { TemplateBook } from './templates.ts';
import { attributesOf } from './tag.ts';
import type { Attribute } from './tag.ts';

/** Takes a remark about the action that is being read. */
export type Remark = (code: DiagnosticCode, message: string) => void;

/** The types in tags, with templates and without. */
const templateTypes = [...actionTypes, 'template'] as const;

/** Reads the actions of one run. It knows the ids that were taken. */
export class ActionReader {
  readonly #ids: Set<string>;
  readonly #templates: TemplateBook | undefined;
  readonly #types: readonly (typeof templateTypes)[number][];
  readonly #takesRollback: boolean;
  #generated = 0;

  /**
   * @param ids - the ids of actions of earlier iterations; new ones are added
   * @param templates - the templates of the run, if the extension is on
   * @param takesRollback - whether the extension `rollback` is on
   */
  constructor(ids: Set<string> = new Set(), templates?: TemplateBook, takesRollback = false) {
    this.#ids = ids;
    this.#templates = templates;
    this.#types = templates === undefined ? actionTypes : templateTypes;
    this.#takesRollback = takesRollback;
  }

  /**
   * The action of a tag and a body. An action that must not run is undefined, after a remark that says why. `inBlock`: it
   * stands in a block, which may not count, or count often. Its id is free until an executor knows.
   */
  read(source: string, body: string, remark: Remark, value?: Json, inBlock = false): SepAction | undefined {
    const attributes = lastOfEach(attributesOf(source), remark);
    const id = attributes.get('id') ?? '';
    // The draft's word for internal actions (SEP-70).
    if (attributes.get('type') === 'context_feed') attributes.set('type', 'internal');
    const kind = wordOf(attributes, 'type', this.#types, 'tool', 'unknown-type', id, remark);
    const mode = wordOf<ActionMode>(attributes, 'mode', actionModes, 'sync', 'unknown-mode', id, remark);
    const read = withDoubles(value === undefined ? jsonIn(body, id, remark) : value);
    const fields = read === undefined ? undefined : this.#fieldsIn(read, id, remark);
    if (kind === undefined || mode === undefined || fields === undefined) return undefined;
    if (kind === 'template')
      return this.#made(read as JsonObject, attributes, { mode, rollback: fields.rollback }, remark, inBlock);
    return this.#withId(attributes, kind, mode, fields, remark, inBlock);
  }

  /** The action of a template. */
  #made(
    call: JsonObject,
    attributes: ReadonlyMap<string, string>,
    { mode, rollback }: Pick<SepAction, 'mode'> & { readonly rollback: SepRollback | undefined },
    remark: Remark,
    inBlock: boolean,
  ): SepAction | undefined {
    const made = this.#templates?.make(call, actionNamed(attributes.get('id') ?? ''), remark);
    if (made === undefined) return undefined;
    const defaults = { depends_on: [], on_error: 'skip' } as const;
    const undone = rollback === undefined ? {} : { rollback };
    const fields = { ...defaults, ...made, ...undone };
    return this.#withId(attributes, made.type, mode, fields, remark, inBlock);
  }

  #withId(
    attributes: ReadonlyMap<string, string>,
    type: ActionType,
    mode: ActionMode,
    { name, parameters, output_key, depends_on, timeout, retry, on_error, rollback }: Fields,
    remark: Remark,
    inBlock: boolean,
  ): SepAction | undefined {
    const id = attributes.get('id') ?? '';
    if (this.#ids.has(id) && !inBlock) {
      remark('duplicate-id', `expected an id that no other action has; ${actionNamed(id)} is not executed`);
      return undefined;
    }
    const listed = listOf(attributes.get('depends_on'), id, remark);
    const isMade = id === '';
    return {
      id: isMade ? this.#newId(remark) : inBlock ? id : this.#take(id),
      ...(isMade ? { generated: true } : undefined),
      type,
      mode,
      name,
      parameters,
      ...(output_key === undefined ? undefined : { output_key }),
      depends_on:
        depends_on.length + listed.length < 2
          ? depends_on.concat(listed)
          : [...new Set([...depends_on, ...listed])],
      ...(timeout === undefined ? undefined : { timeout }),
      ...(retry === undefined ? undefined : { retry }),
      on_error,
      ...(rollback === undefined ? undefined : { rollback }),
    };
  }

  /** The fields of a body; undefined, after a remark, if it is not of the schema (SEP-22 to SEP-24). */
  #fieldsIn(value: Json, id: string, remark: Remark): Fields | undefined {
    const fields = isOfSchema(validator, value, '', id, remark)
      ? withDefaults(value as JsonObject)
      : undefined;
    const written = this.#takesRollback && isObject(value) ? (value['rollback'] ?? null) : null;
    if (fields === undefined || written === null) return fields;
    const isRight = isOfSchema(rollbackBody, written, 'rollback', id, remark);
    return isRight ? { ...fields, rollback: rollbackOf(written as JsonObject) } : undefined;
  }

  #take(id: string): string {
    this.#ids.add(id);
    return id;
  }

  #newId(remark: Remark): string {
    remark('missing-id', `expected an attribute id; no other action can depend on an action without one`);
    let made: string;
    do made = `#${++this.#generated}`;
    while (this.#ids.has(made));
    return this.#take(made);
  }
}

/** An action in a remark. */
const actionNamed = (id: string): string => (id === '' ? 'an action' : `action ${JSON.stringify(id)}`);

/** The attributes by name. The last of the same name counts (SEP-08). */
export function lastOfEach(attributes: readonly Attribute[], remark: Remark): Map<string, string> {
  const map = new Map<string, string>();
  for (const { name, value } of attributes) {
    if (map.has(name))
      remark('attribute-repeated', `expected one attribute ${name}; the last one counts: ${value}`);
    map.set(name, value);
  }
  return map;
}

function wordOf<W extends string>(
  attributes: ReadonlyMap<string, string>,
  name: string,
  words: readonly W[],
  by: W,
  code: DiagnosticCode,
  id: string,
  remark: Remark,
): W | undefined {
  const given = attributes.get(name);
  if (given === undefined) {
    remark('attribute-missing', `expected an attribute ${name}; ${actionNamed(id)} gets the default ${by}`);
    return by;
  }
  const found = words.find((word) => word === given);
  if (found === undefined)
    remark(
      code,
      `expected ${name} to be ${words.join(', ')}; came ${given}, so ${actionNamed(id)} is not executed`,
    );
  return found;
}

type Fields = Omit<SepAction, 'id' | 'generated' | 'type' | 'mode'>;

/** The members of a body that count or measure, and need no digits beyond those of a double. */
const measures: readonly string[] = ['timeout', 'retry', 'retry_count'];

/** A body whose own numbers are doubles. Those in its parameters keep their digits (SEP-145). */
const withDoubles = (value: Json | undefined): Json | undefined =>
  isObject(value) && measures.some((name) => typeof (value[name] as unknown) === 'bigint')
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, measures.includes(name) ? Number(one) : one]),
      )
    : value;

/** The value of a body; undefined, after a remark, if it is not strict JSON (SEP-21). */
function jsonIn(body: string, id: string, remark: Remark): Json | undefined {
  try {
    return exactJsonOf(body);
  } catch (error) {
    remark(
      'body-json',
      `expected the body of ${actionNamed(id)} to be a JSON object; ${(error as Error).message}`,
    );
    return undefined;
  }
}

/** Whether a value is of a schema; a remark says why it is not. `at`: its place in the body. */
function isOfSchema(schema: Validator, value: Json, at: string, id: string, remark: Remark): boolean {
  const refused = schemaRefusal(schema, value);
  if (refused === undefined) return true;
  const { fault, expected, came } = refused;
  const path = [at, pathOf(fault.instancePath)].filter((part) => part !== '').join('.');
  const code = path === 'name' || (path === '' && isObject(value)) ? 'missing-name' : 'body-fields';
  remark(
    code,
    `expected ${path === '' ? `the body of ${actionNamed(id)}` : `${path} of ${actionNamed(id)}`} to be ${expected}; came ${came}`,
  );
  return false;
}

/** A rollback that the schema has taken. */
const rollbackOf = ({ name, parameters, type, timeout }: JsonObject): SepRollback => ({
  name: name as string,
  parameters: (parameters ?? {}) as JsonObject,
  ...(typeof type === 'string' ? { type: type as ActionType } : {}),
  ...(typeof timeout === 'number' ? { timeout } : {}),
});

function withDefaults(body: JsonObject): Fields {
  const { name, parameters, output_key, depends_on, timeout, on_error, skip_on_error } = body;
  const retry = body['retry'] ?? body['retry_count'];
  const reaction = on_error ?? (skip_on_error === false ? 'fail' : 'skip');
  return {
    name: name as string,
    parameters: (parameters ?? {}) as JsonObject,
    ...(typeof output_key === 'string' ? { output_key } : {}),
    depends_on: (depends_on ?? []) as readonly string[],
    ...(typeof timeout === 'number' ? { timeout } : {}),
    ...(typeof retry === 'number' ? { retry } : {}),
    on_error: reaction as ErrorReaction,
  };
}

/** The ids in an attribute depends_on: a JSON list, or ids between commas (SEP-36). */
function listOf(value: string | undefined, id: string, remark: Remark): readonly string[] {
  if (value === undefined) return [];
  remark(
    'attribute-depends-on',
    `expected depends_on in the JSON body of ${actionNamed(id)}; the attribute is added to it`,
  );
  try {
    const list = JSON.parse(value) as Json;
    if (isArray(list)) return list.filter((one) => typeof one === 'string');
  } catch {
    // No JSON: ids between commas, perhaps in brackets and single quotes. A comma in quotes is part of an id.
  }
  return [...value.replace(/^\[|\]$/g, '').matchAll(/"([^"]*)"|'([^']*)'|([^,\s"'][^,"']*)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare?.trim() ?? '')
    .filter((one) => one !== '');
}
