/** An action from its tag and its body: attributes, strict JSON, defaults, and the remarks about each. */
import { isArray, isObject, jsonOf, pathOf, schemaRefusal } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { actionBody as validator } from '../generated/validators.ts';
import { actionModes, actionTypes } from './events.ts';
import type { ActionMode, ActionType, DiagnosticCode, ErrorReaction, SepAction } from './events.ts';
import { attributesOf } from './tag.ts';
import type { Attribute } from './tag.ts';

/** Takes a remark about the action that is being read. */
export type Remark = (code: DiagnosticCode, message: string) => void;

/** Reads the actions of one run. It knows the ids that were taken. */
export class ActionReader {
  readonly #ids: Set<string>;
  #generated = 0;

  /** @param ids - the ids of actions of earlier iterations; new ones are added */
  constructor(ids: Set<string> = new Set()) {
    this.#ids = ids;
  }

  /** The action of a tag and a body. An action that must not run is undefined, after a remark that says why. */
  read(source: string, body: string, remark: Remark): SepAction | undefined {
    const attributes = lastOfEach(attributesOf(source), remark);
    const id = attributes.get('id') ?? '';
    const at = id === '' ? 'an action' : `action ${JSON.stringify(id)}`;
    const type = wordOf<ActionType>(attributes, 'type', actionTypes, 'tool', 'unknown-type', at, remark);
    const mode = wordOf<ActionMode>(attributes, 'mode', actionModes, 'sync', 'unknown-mode', at, remark);
    const fields = fieldsOf(body, at, remark);
    if (type === undefined || mode === undefined || fields === undefined) return undefined;
    if (this.#ids.has(id)) {
      remark('duplicate-id', `expected an id that no other action has; ${at} is not executed`);
      return undefined;
    }
    const listed = listOf(attributes.get('depends_on'), at, remark);
    const action = { ...this.#named(id, at, remark), type, mode, ...fields };
    return { ...action, depends_on: [...new Set([...action.depends_on, ...listed])] };
  }

  #named(id: string, at: string, remark: Remark): { id: string; generated?: true } {
    if (id !== '') {
      this.#ids.add(id);
      return { id };
    }
    remark('missing-id', `expected an attribute id; no other action can depend on ${at} without one`);
    let made: string;
    do made = `#${++this.#generated}`;
    while (this.#ids.has(made));
    this.#ids.add(made);
    return { id: made, generated: true };
  }
}

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
  at: string,
  remark: Remark,
): W | undefined {
  const given = attributes.get(name);
  if (given === undefined) {
    remark('attribute-missing', `expected an attribute ${name}; ${at} gets the default ${by}`);
    return by;
  }
  const found = words.find((word) => word === given);
  if (found === undefined)
    remark(code, `expected ${name} to be ${words.join(', ')}; came ${given}, so ${at} is not executed`);
  return found;
}

type Fields = Omit<SepAction, 'id' | 'generated' | 'type' | 'mode'>;

/** The fields of a body; undefined, after a remark, if it is not strict JSON or not of the schema (SEP-21 to SEP-24). */
function fieldsOf(body: string, at: string, remark: Remark): Fields | undefined {
  let value: Json;
  try {
    value = jsonOf(body);
  } catch (error) {
    remark('body-json', `expected the body of ${at} to be a JSON object; ${(error as Error).message}`);
    return undefined;
  }
  const refused = schemaRefusal(validator, value);
  if (refused === undefined) return withDefaults(value as JsonObject);
  const { fault, expected, came } = refused;
  const path = pathOf(fault.instancePath);
  const code = path === 'name' || (path === '' && isObject(value)) ? 'missing-name' : 'body-fields';
  remark(
    code,
    `expected ${path === '' ? `the body of ${at}` : `${path} of ${at}`} to be ${expected}; came ${came}`,
  );
  return undefined;
}

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
function listOf(value: string | undefined, at: string, remark: Remark): readonly string[] {
  if (value === undefined) return [];
  remark(
    'attribute-depends-on',
    `expected depends_on in the JSON body of ${at}; the attribute is added to it`,
  );
  try {
    const list = JSON.parse(value) as Json;
    if (isArray(list)) return list.filter((one) => typeof one === 'string');
  } catch {
    // No JSON: ids between commas, perhaps in brackets and single quotes.
  }
  return value
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((one) => one.trim().replace(/^(['"])(.*)\1$/, '$2'))
    .filter((one) => one !== '');
}
