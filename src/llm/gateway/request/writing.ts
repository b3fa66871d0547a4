/** What the writers of all dialects share: the words that are lost, names, ids, and members for their own dialect. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { exactJsonOf, isArray, isObject } from '../../../kit/base/index.ts';
import type { HeaderFields } from '../../dialects/shared/dialect.ts';
import { merged } from './members.ts';
import { carriedId, carriedName } from './names.ts';
import type {
  CallPart,
  FullRequest,
  GatewayDialect,
  OtherPart,
  Part,
  ResultPart,
  WrittenRequest,
} from './request.ts';
import type { Placed } from './turns.ts';

export class Writing {
  readonly request: FullRequest;
  /** Whether the request came in the dialect in which it is written: then nothing of it is changed. */
  readonly own: boolean;
  readonly #dialect: GatewayDialect;
  readonly #lost: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #called: ReadonlyMap<string, string>;

  constructor(dialect: GatewayDialect, request: FullRequest) {
    this.request = request;
    this.own = request.from === dialect;
    this.#dialect = dialect;
    const parts = request.messages.flatMap((message) => message.parts);
    this.#called = new Map(parts.filter((part) => part.kind === 'call').map(({ id, name }) => [id, name]));
  }

  /** Notes a member that the dialect has no word for; with what was written instead. */
  lose(path: string, instead?: string | number): void {
    this.#lost.push(instead === undefined ? path : `${path}: ${instead}`);
  }

  /** Notes a member, if it is there. */
  loseGiven(...names: readonly (keyof FullRequest)[]): void {
    for (const name of names) if (this.request[name] !== undefined) this.lose(name);
  }

  id(id: string): string {
    return this.own ? id : carriedId(this.#dialect, id);
  }

  name(name: string): string {
    const written = this.own ? name : carriedName(this.#dialect, name);
    if (written !== name) this.#names.set(written, name);
    return written;
  }

  /** The name of the tool whose result it is, if the request says it. */
  resultName({ id, name = this.#called.get(id) }: ResultPart): string | undefined {
    return name === undefined ? undefined : this.name(name);
  }

  /** A result's name that no call has is lost where results have no names. */
  loseResultName({ part, at }: Placed<ResultPart>): void {
    if (part.name !== undefined && part.name !== this.#called.get(part.id)) this.lose(`${at}.name`);
  }

  /** A written value with the members that came with it, in its own dialect. */
  more(value: JsonObject, { more }: { readonly more?: JsonObject }): JsonObject {
    return this.own && more !== undefined ? merged(value, more) : value;
  }

  /** A part without a neutral word goes on in its own dialect, and is lost in others. */
  other({ part, at }: Placed<OtherPart>): readonly Json[] {
    if (this.own) return [part.value];
    this.lose(at);
    return [];
  }

  /** A part that cannot stand here. */
  misplaced({ at }: Placed): readonly never[] {
    this.lose(at);
    return [];
  }

  /** A number inside a range; another one becomes the nearest. */
  within(name: 'temperature' | 'topP', least: number, most: number): number | undefined {
    const { [name]: value } = this.request;
    if (value === undefined || this.own) return value;
    const inside = Math.min(Math.max(value, least), most);
    if (inside !== value) this.lose(name, inside);
    return inside;
  }

  /** A call's arguments, where the dialect has an object. No text is no arguments; a text that is no object is lost. */
  argumentsObject({ part, at }: Placed<CallPart>): Json {
    const value = parsed(part.arguments);
    if (isObject(value) || (this.own && value !== undefined)) return value;
    if (part.arguments !== '') this.lose(`${at}.arguments`, '{}');
    return {};
  }

  end(path: string, body: JsonObject, headers: HeaderFields = {}): WrittenRequest {
    const written = this.own ? merged(body, withToolsOf(body, this.request.unknown)) : body;
    return { path, headers, body: written, lost: this.#lost, names: this.#names };
  }
}

/** Tools without neutral words stand behind the others. */
const withToolsOf = ({ tools }: JsonObject, unknown: JsonObject): JsonObject =>
  isArray(tools) && isArray(unknown['tools'])
    ? { ...unknown, tools: [...tools, ...unknown['tools']] }
    : unknown;

function parsed(text: string): Json | undefined {
  try {
    return exactJsonOf(text);
  } catch {
    return undefined;
  }
}

/** A text that says nothing. Providers refuse such a block. */
export const isBlank = (part: Part): boolean => part.kind === 'text' && part.text.trim() === '';

/** The name of a format's schema, which OpenAI requires. */
export const defaultFormatName = 'answer';
