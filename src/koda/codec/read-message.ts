/** Reads a message out of tokens, by the tables. */
import { elementsOf, inWords, isNumber, misfitOf, readScalar } from './read-scalar.ts';
import type { Field, FieldType, RecordShape, SimpleType, Union, Variant } from './shapes.ts';
import { loopActions } from './tables.ts';
import { charactersOf, isString, textOf } from './tokens.ts';
import type { Tokens } from './tokens.ts';
import { violation } from './violation.ts';
import type { Fault, KodaViolation, RefusalCode } from './violation.ts';

/** A message or a part of one while it is read. */
type Target = { [name: string]: unknown };

/** The members of an object, or the elements of an array in its place, which have no names. */
interface Given {
  readonly names?: readonly string[];
  /** Tokens. */
  readonly values: readonly number[];
}

/** Reads one message. Afterwards its members tell more than the message shows. */
export class MessageReader {
  readonly #tokens: Tokens;
  /** Whether to read also the spellings that serde reads and never writes (KODA-69). */
  readonly #serde: boolean;
  /** The first fault. A message counts only without one. */
  fault: KodaViolation | undefined;
  /** The absent fields that have a meaning. */
  readonly omitted: string[] = [];
  /** The token of `args`. */
  args: number | undefined;

  constructor(tokens: Tokens, serde: boolean) {
    this.#tokens = tokens;
    this.#serde = serde;
  }

  /** Reads the message. It is the first token. */
  read(union: Union): unknown {
    return this.#union(union, 0, '');
  }

  #union(union: Union, token: number, path: string): unknown {
    const given = this.#given(token, path);
    if (given === undefined) return undefined;
    const target: Target = {};
    this.#tagged(union, given, path, target, path === '' ? 'message' : 'part');
    return target;
  }

  /** The members of an object, or the elements of an array where serde takes one for an object. */
  #given(token: number, path: string): Given | undefined {
    const tokens = this.#tokens;
    const kind = tokens.kinds[token];
    if (kind === 'array' && this.#serde) return { values: elementsOf(tokens, token) };
    if (kind !== 'object') return this.#refuse(misfitOfObject(tokens, token, path), path, 'an object', token);
    const elements = elementsOf(tokens, token);
    return {
      names: elements.filter((_, i) => i % 2 === 0).map((name) => charactersOf(tokens, name)),
      values: elements.filter((_, i) => i % 2 === 1),
    };
  }

  /** Reads the tag, and the fields of its variant, into the target. */
  #tagged(union: Union, given: Given, path: string, target: Target, role: TagRole): void {
    const { tagName } = union;
    const tagPath = join(path, tagName);
    const place = given.names === undefined ? 0 : given.names.indexOf(tagName);
    const token = given.values[place];
    if (token === undefined) return this.#noTag(given, tagPath, role);
    if (given.names?.includes(tagName, place + 1) === true) return this.#repeated(tagPath);
    const variant = this.#variant(union, token, tagPath, role);
    if (variant === undefined) return;
    target[tagName] = variant.tag;
    const rest = given.names === undefined ? { values: given.values.slice(1) } : given;
    if (variant.flat === undefined) this.#fields(variant, rest, path, target);
    else this.#tagged(variant.flat, rest, path, target, 'flat');
  }

  #noTag({ names = [], values }: Given, path: string, role: TagRole): void {
    const isNested =
      role === 'flat' && names.length > 0 && values.some((value) => this.#tokens.kinds[value] === 'object');
    this.fault ??= violation(isNested ? 'nested-slash' : 'no-tag', path, `${path} is missing`);
  }

  #variant(union: Union, token: number, path: string, role: TagRole): Variant | undefined {
    const tokens = this.#tokens;
    if (isString(tokens, token)) {
      const variant = union.byTag.get(charactersOf(tokens, token));
      return variant ?? this.#refuse('unknown-tag', path, tagsInWords(union), token);
    }
    // serde takes the number of a variant for its tag, but not for the tag of a message.
    if (this.#serde && role !== 'message' && tokens.kinds[token] === 'integer') {
      const variant = union.variants.find((_, index) => String(index) === textOf(tokens, token));
      return variant ?? this.#refuse('unknown-tag', path, tagsInWords(union), token);
    }
    const kind = tokens.kinds[token];
    const other = role === 'flat' && kind === 'object' ? 'nested-slash' : 'wrong-type';
    return this.#refuse(isNumber(kind) ? 'numeric-tag' : other, path, tagsInWords(union), token, 'bad-type');
  }

  /** Reads the fields of a record or variant into the target. */
  #fields({ fields, places }: RecordShape, { names, values }: Given, path: string, target: Target): void {
    const tokens: (number | undefined)[] = names === undefined ? [...values] : [];
    for (const [i, name] of (names ?? []).entries()) {
      const place = places.get(name);
      if (place === undefined) continue;
      if (tokens[place] !== undefined) return this.#repeated(join(path, name));
      tokens[place] = values[i];
    }
    for (const [place, field] of fields.entries()) {
      target[field.name] = this.#field(field, tokens[place], path, names === undefined);
      if (this.fault !== undefined) return;
    }
    const extra = names === undefined ? values[fields.length] : undefined;
    if (extra !== undefined) this.#refuse('wrong-type', path, `${fields.length} fields`, extra);
  }

  #field(field: Field, token: number | undefined, path: string, isPositional: boolean): unknown {
    const fieldPath = join(path, field.name);
    if (token !== undefined) return this.#value(field.type, token, fieldPath);
    // In an array, serde fills in the default of images, but no null.
    if (field.absent === undefined || (isPositional && field.absent === null)) {
      this.fault ??= violation('missing-field', fieldPath, `${fieldPath} is missing`);
      return undefined;
    }
    this.omitted.push(field.name);
    return field.absent;
  }

  #value(type: FieldType, token: number, path: string): unknown {
    if (typeof type === 'string') return this.#simple(type, token, path);
    if ('union' in type) return this.#union(type.union, token, path);
    if ('list' in type) return this.#records(type.list, token, path);
    return this.#tokens.kinds[token] === 'null' ? null : this.#value(type.nullable, token, path);
  }

  #simple(type: SimpleType, token: number, path: string): unknown {
    if (type === 'json') this.args = token;
    const value = type === 'loop-action' ? this.#loopAction(token) : readScalar(this.#tokens, token, type);
    if (value !== undefined) return value;
    return this.#refuse(misfitOf(this.#tokens, token, type), path, inWords[type], token);
  }

  /** An action. serde takes also an object with its name alone, whose value is null or {}. */
  #loopAction(token: number): string | undefined {
    const tokens = this.#tokens;
    const isObject = this.#serde && tokens.kinds[token] === 'object';
    const [name = token, value, more] = isObject ? elementsOf(tokens, token) : [token];
    if (more !== undefined || (value !== undefined && !isEmpty(tokens, value))) return undefined;
    return isString(tokens, name) ? loopActions.find((a) => a === charactersOf(tokens, name)) : undefined;
  }

  #records(shape: RecordShape, token: number, path: string): unknown {
    if (this.#tokens.kinds[token] !== 'array') {
      const fault = this.#tokens.kinds[token] === 'null' ? 'null-field' : 'wrong-type';
      return this.#refuse(fault, path, 'a list of objects', token);
    }
    return elementsOf(this.#tokens, token).map((element, i) => {
      const elementPath = `${path}[${i}]`;
      const target: Target = {};
      const given = this.fault === undefined ? this.#given(element, elementPath) : undefined;
      if (given !== undefined) this.#fields(shape, given, elementPath, target);
      return target;
    });
  }

  #repeated(path: string): void {
    this.fault ??= violation('duplicate-field', path, `${path} stands twice`);
  }

  #refuse(fault: Fault, path: string, expected: string, token: number, code?: RefusalCode): undefined {
    const came = textOf(this.#tokens, token).slice(0, 40);
    const place = path === '' ? '' : ` for ${path}`;
    this.fault ??= violation(fault, path, `expected ${expected}${place}; came ${came} (${fault})`, code);
  }
}

/** Whose tag is read: that of the message, that of a part of it, or that of a union that lies flat in the message. */
type TagRole = 'message' | 'part' | 'flat';

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const tagsInWords = ({ variants }: Union): string => `one of ${variants.map(({ tag }) => tag).join(', ')}`;

/** Whether a value is null or an object without members. */
const isEmpty = ({ kinds, nexts }: Tokens, token: number): boolean =>
  kinds[token] === 'null' || (kinds[token] === 'object' && nexts[token] === token + 1);

function misfitOfObject(tokens: Tokens, token: number, path: string): Fault {
  const kind = tokens.kinds[token];
  if (kind === 'array') return 'positional';
  if (path === '') return 'not-an-object';
  if (kind === 'null') return 'null-field';
  return isString(tokens, token) ? 'bare-string' : 'wrong-type';
}
