/** Puts the values of environment variables into the texts of a manifest: `${NAME}` (SEP-66). */
import { isArray, isObject, ok, pathOf, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result, Violation } from '../../kit/base/index.ts';

/** The variables of an environment. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** A document with the values of its variables. */
export interface Expanded {
  readonly value: Json;
  /** Each variable that is not set, with the path where it came first. */
  readonly unset: ReadonlyMap<string, string>;
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Replaces the variables in all texts of a document, but not in its keys. What was put in is not read again. The levels of
 * the document must be bounded. More than `most` characters of texts are refused.
 */
export function expandVariables(document: Json, env: Environment, most: number): Result<Expanded, Violation> {
  const expansion = new Expansion(env, most);
  const value = expansion.of(document, '');
  return expansion.refused === undefined ? ok({ value, unset: expansion.unset }) : refuse(expansion.refused);
}

class Expansion {
  readonly #env: Environment;
  readonly #most: number;
  #characters = 0;
  readonly unset = new Map<string, string>();
  refused: Violation | undefined;

  constructor(env: Environment, most: number) {
    this.#env = env;
    this.#most = most;
  }

  of(value: Json, pointer: string): Json {
    if (this.refused !== undefined) return null;
    if (typeof value === 'string') return this.#text(value, pointer);
    if (isArray(value)) return value.map((one, i) => this.of(one, `${pointer}/${i}`));
    if (isObject(value)) return this.#object(value, pointer);
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#refuse(pointer, `expected a number of JSON; came ${value}`);
    return value;
  }

  #object(value: JsonObject, pointer: string): Json {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const part = key.replaceAll('~', '~0').replaceAll('/', '~1');
        return [key, this.of(one, `${pointer}/${part}`)];
      }),
    );
  }

  #text(text: string, pointer: string): string {
    if (!text.includes('${')) return text;
    // As much as is allowed is put in, and no more is read.
    const expanded = text.replace(variable, (_, name: string) => {
      if (this.#characters > this.#most) return '';
      const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
      if (value === undefined && !this.unset.has(name)) this.unset.set(name, pathOf(pointer));
      this.#characters += value?.length ?? 0;
      return value ?? '';
    });
    if (this.#characters > this.#most)
      this.#refuse(
        pointer,
        `expected variables to put at most ${this.#most} characters into a manifest; more came`,
      );
    return expanded;
  }

  #refuse(pointer: string, message: string): void {
    this.refused ??= { code: 'bad-manifest', path: pathOf(pointer), message };
  }
}
