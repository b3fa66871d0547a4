/** Puts back what a writer does not know, where a gateway writes a body of the client's own dialect again. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';

/**
 * A body with the members that its writer does not know.
 *
 * @param body - as it is written
 * @param came - as it came
 * @param known - what the writer makes of the body that came
 *
 * @example
 * grafted({ text: 'ho' }, { text: 'hi', x: 1 }, { text: 'hi' }); // { text: 'ho', x: 1 }
 */
export function grafted(body: Json, came: Json | undefined, known: Json | undefined): Json {
  if (isArray(body) && isArray(came))
    return body.map((one, i) => grafted(one, came[i], isArray(known) ? known[i] : undefined));
  if (!isObject(body) || !isObject(came) || !isObject(known)) return body;
  const inner = Object.entries(body).map(([name, one]): [string, Json] => [
    name,
    grafted(one, came[name], known[name]),
  ]);
  const unknown = Object.entries(came).filter(([name]) => !(name in known) && !(name in body));
  return Object.fromEntries([...inner, ...unknown]);
}
