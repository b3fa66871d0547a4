/** The ids of input items: their form, that each is there once, and that a reasoning item has the item that it led to. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** How the id of an item begins, by its type. A message may lack its type. */
const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['reasoning', 'rs'],
]);

/** Checks the ids of items, in order. */
export class ItemIds {
  readonly #reader: BodyReader;
  readonly #seen = new Set<string>();
  /** The last reasoning item with an id, until the item that it led to comes. */
  #reasoning: { readonly id: string; readonly path: string } | undefined;

  constructor(reader: BodyReader) {
    this.#reader = reader;
  }

  /** Takes the next item. */
  add(item: JsonObject, path: string): void {
    const { type = 'message', id } = item;
    if (type !== 'reasoning') this.#follow(item);
    if (typeof id !== 'string') return;
    this.#checkForm(id, prefixes.get(type), `${path}.id`);
    if (type === 'item_reference') return;
    if (this.#seen.has(id))
      this.#reader.refuse(
        path,
        `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
      );
    this.#seen.add(id);
    if (type === 'reasoning') this.#reasoning = { id, path };
  }

  /** Ends the list. */
  end(): void {
    this.#lonely();
  }

  /** Any item of the model follows its reasoning: a message, a call, a search. Items of the user do not. */
  #follow({ type = 'message', role }: JsonObject): void {
    const isOurs =
      type === 'message' ? role !== 'assistant' : typeof type === 'string' && type.endsWith('_output');
    if (isOurs) this.#lonely();
    this.#reasoning = undefined;
  }

  #lonely(): void {
    if (this.#reasoning === undefined) return;
    const { id, path } = this.#reasoning;
    this.#reader.refuse(
      path,
      `Item '${id}' of type 'reasoning' was provided without its required following item.`,
    );
  }

  #checkForm(id: string, prefix: string | undefined, path: string): void {
    if (prefix === undefined || this.#reader.isGiven(id)) return;
    if (!id.startsWith(prefix))
      this.#reader.refuse(path, `Invalid '${path}': '${id}'. Expected an ID that begins with '${prefix}'.`);
    else if (!/^[a-zA-Z0-9_-]+$/.test(id))
      this.#reader.refuse(
        path,
        `Invalid '${path}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, ` +
          'but this value contained additional characters.',
      );
  }
}
