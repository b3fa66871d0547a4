/** Templates of a run: patterns of actions, and the actions that are made of them (spec/sep/README.md, "Templates"). */
import { exactJsonOf, isObject, pathOf, schemaRefusal } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { extentOf } from '../values/extent.ts';
import {
  referencesIn,
  rewriteReferences,
  textOf,
  textsIn,
  wholeName,
  withTexts,
} from '../values/variables.ts';
import { templateBody as validator } from '../generated/validators.ts';
import type { ActionTemplate, ActionType, DiagnosticCode, ErrorReaction } from './events.ts';
import { mostTemplates } from './limits.ts';

/** Templates by name. */
export type Templates = Map<string, ActionTemplate>;

/** Takes a remark about a template. */
type Remark = (code: DiagnosticCode, message: string) => void;

/** Options of the templates of a run. */
export interface TemplateOptions {
  /** The templates of earlier iterations; new ones are added. */
  readonly templates?: Templates;
  /** The most templates. Default: {@link mostTemplates}. */
  readonly mostTemplates?: number;
  /** The most characters of the parameters of an action that is made of a template. */
  readonly mostBody: number;
}

/** The members of a body that both an action and its template may have. */
type SharedMembers = Omit<ActionTemplate, 'type' | 'name' | 'parameters' | 'requires'>;

/** An action that was made of a template. */
export type MadeAction = SharedMembers & Pick<ActionTemplate, 'type' | 'name' | 'parameters'>;

/** The members that a body has, without the others. */
function membersOf(body: JsonObject): SharedMembers {
  const { output_key, depends_on, timeout, skip_on_error } = body;
  const retry = body['retry'] ?? body['retry_count'];
  const reaction =
    body['on_error'] ?? (typeof skip_on_error === 'boolean' ? reactions[`${skip_on_error}`] : null);
  return {
    ...(typeof output_key === 'string' ? { output_key } : {}),
    ...(Array.isArray(depends_on) ? { depends_on: depends_on as readonly string[] } : {}),
    ...(typeof timeout === 'number' ? { timeout } : {}),
    ...(typeof retry === 'number' ? { retry } : {}),
    ...(typeof reaction === 'string' ? { on_error: reaction as ErrorReaction } : {}),
  };
}

const reactions = { true: 'skip', false: 'fail' } as const;

/** The templates of a run. */
export class TemplateBook {
  readonly #templates: Templates;
  readonly #most: number;
  readonly #mostBody: number;

  /** @param options - limits, and the templates of earlier iterations */
  constructor({ templates = new Map(), mostTemplates: most = mostTemplates, mostBody }: TemplateOptions) {
    this.#templates = templates;
    this.#most = most;
    this.#mostBody = mostBody;
  }

  /** Adds a template. @returns undefined, after a remark that says why it is refused */
  define(name: string, body: string | undefined, remark: Remark): ActionTemplate | undefined {
    if (this.#templates.has(name)) {
      remark('duplicate-template', `expected a name that no other template has; came ${name} again`);
      return undefined;
    }
    const template = this.#read(name, body);
    if (typeof template === 'string') {
      remark('bad-template', template);
      return undefined;
    }
    this.#templates.set(name, template);
    return template;
  }

  /** A template of this name and body, or the reason why it is none. */
  #read(name: string, body: string | undefined): ActionTemplate | string {
    if (name === '') return 'expected an attribute name of template';
    if (this.#templates.size >= this.#most)
      return `expected at most ${this.#most} templates in a run; came more`;
    if (body === undefined) return `expected a template of at most ${this.#mostBody} characters; came more`;
    let value: Json;
    try {
      value = exactJsonOf(body);
    } catch (error) {
      return `expected the template ${name} to be a JSON object; ${(error as Error).message}`;
    }
    const refused = schemaRefusal(validator, value);
    if (refused === undefined) return templateOf(value as JsonObject);
    const path = pathOf(refused.fault.instancePath);
    const what = path === '' ? `the template ${name}` : `${path} of the template ${name}`;
    return `expected ${what} to be ${refused.expected}; came ${refused.came}`;
  }

  /** The action that a body names a template for. @returns undefined, after a remark that says why there is none */
  make(call: JsonObject, action: string, remark: Remark): MadeAction | undefined {
    const name = call['name'] as string;
    const template = this.#templates.get(name);
    const given = isObject(call['parameters']) ? call['parameters'] : {};
    const missing = template?.requires.find((one) => !Object.hasOwn(given, one));
    if (template === undefined)
      remark('bad-template', `expected a template ${name} before ${action}; it is not executed`);
    else if (missing !== undefined)
      remark(
        'bad-template',
        `expected the parameter ${missing} of the template ${name} in ${action}; it is not executed`,
      );
    else if (!hasRoom(template.parameters, given, this.#mostBody))
      remark(
        'bad-template',
        `expected parameters of at most ${this.#mostBody} characters in ${action}; it is not executed`,
      );
    else {
      const { requires: _, ...kept } = template;
      return { ...kept, ...membersOf(call), parameters: withParameters(template.parameters, given) };
    }
    return undefined;
  }
}

const templateOf = (body: JsonObject): ActionTemplate => ({
  type: (body['type'] ?? 'tool') as ActionType,
  name: body['name'] as string,
  parameters: isObject(body['parameters']) ? body['parameters'] : {},
  requires: (body['requires'] ?? []) as readonly string[],
  ...membersOf(body),
});

/** The value of an own parameter. */
const ownOf = (given: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;

/** Parameters in which each reference to a given one is replaced by it, as it is written: it may hold references. */
function withParameters(parameters: JsonObject, given: JsonObject): JsonObject {
  const made = withTexts(parameters, (text) => {
    const whole = wholeName(text);
    const value = whole === undefined ? undefined : ownOf(given, whole);
    if (value !== undefined) return value;
    return rewriteReferences(text, (name, written) => {
      const inside = ownOf(given, name);
      return inside === undefined ? written : textOf(inside);
    });
  });
  return isObject(made) ? made : {};
}

/** Whether the parameters with those that are given have at most so many characters. */
function hasRoom(parameters: JsonObject, given: JsonObject, most: number): boolean {
  const extents = new WeakMap();
  let { characters } = extentOf(parameters, most, extents);
  for (const { text } of textsIn(parameters))
    for (const { name } of referencesIn(text)) {
      const value = ownOf(given, name);
      if (value !== undefined) characters += extentOf(value, most, extents).characters;
      if (characters > most) return false;
    }
  return characters <= most;
}
