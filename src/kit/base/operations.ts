/**
 * Programs that answer operations: a request in, an answer out, by a table of functions. Requests and answers are JSON
 * objects; who calls it carries them.
 */
import { exactText } from './exact-json.ts';
import type { Json, JsonObject } from './json.ts';

/** Answers one request with what becomes its `ok`. @throws RequestRefusal on a request that it refuses */
export type Operation = (request: JsonObject) => JsonObject;

/** A request that is refused, on its way out of an operation; the dispatcher makes an answer of it. */
export class RequestRefusal extends Error {
  override readonly name = 'RequestRefusal';
  /** A word for the kind of fault; `bad-input` for a request that is malformed. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface TesteeTable {
  /** Name and version, as `hello` gives them. */
  readonly name: string;
  readonly version: string;
  /** By name, without `hello`. */
  readonly operations: { readonly [op: string]: Operation };
  /** What `hello` says besides: `features`, `virtual_time`, and what its protocol asks for. */
  readonly hello?: JsonObject;
}

/** The `ok` of `hello`. */
const helloOk = ({ name, version, operations, hello }: TesteeTable): JsonObject => ({
  name,
  version,
  ops: ['hello', ...Object.keys(operations)],
  ...hello,
});

/** The answer to an operation that the testee does not have. */
const unsupported = (request: JsonObject): JsonObject => ({
  id: request['id'] ?? null,
  unsupported: true,
});

/** The answer to a request that is malformed; without a request, to a line that is no request. */
export const badInputAnswer = (message: string, id: Json = null): JsonObject => ({
  id,
  error: { code: 'bad-input', message },
});

/**
 * Answers requests by the operations of a table: `{id, ok}`, `{id, error}`, or `{id, unsupported}` where the table has
 * no such operation. Never throws.
 *
 * @example
 * const testee = dispatcher({
 *   name: 'mine',
 *   version: '1',
 *   operations: { 'text.length': ({ text = '' }) => ({ length: String(text).length }) },
 * });
 * testee({ id: 1, op: 'text.length', text: 'abc' }); // { id: 1, ok: { length: 3 } }
 * testee({ id: 2, op: 'text.reverse' }); // { id: 2, unsupported: true }
 */
export function dispatcher(table: TesteeTable): (request: JsonObject) => JsonObject {
  const operations = new Map<unknown, Operation>(Object.entries(table.operations));
  operations.set('hello', () => helloOk(table));
  return (request) => {
    const operation = operations.get(request['op']);
    if (operation === undefined) return unsupported(request);
    const id = request['id'] ?? null;
    try {
      const ok = operation(request);
      demandWritable(ok);
      return { id, ok };
    } catch (error) {
      const code = error instanceof RequestRefusal ? error.code : 'internal';
      return { id, error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
  };
}

/** JSON can be read at any depth, but not written at any depth: such an answer would fail in the caller's hands. */
function demandWritable(answer: JsonObject): void {
  try {
    exactText(answer);
  } catch {
    throw new RequestRefusal('bad-json', 'expected JSON that can be written again; it is too deep');
  }
}
