/**
 * The arguments of calls in bodies where they are objects: with all digits of their integers. The dialects' writers parse a
 * text with doubles (LLM-G07; RFC 8259, 6).
 */
import { exactObjectOf, isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GatewayDialect } from '../dialects.ts';

/** Replaces the members of a list that are calls, in their order. */
function eachCall(
  list: Json | undefined,
  isCall: (one: Json) => boolean,
  edit: (one: Json, i: number) => Json,
): Json {
  if (!isArray(list)) return list ?? null;
  let calls = 0;
  return list.map((one) => (isCall(one) ? edit(one, calls++) : one));
}

/**
 * A body with the arguments of these texts, which are those of its calls in their order.
 *
 * @example
 * const body = { content: [{ type: 'tool_use', input: { id: 9007199254740992 } }] };
 * withExactInputs('anthropic', body, ['{"id":9007199254740993}']); // { content: [{ type: 'tool_use', input: { id: 9007199254740993n } }] }
 */
export function withExactInputs(dialect: GatewayDialect, body: Json, texts: readonly string[]): Json {
  if (!isObject(body) || !texts.some((text) => /\d{16}/.test(text))) return body;
  if (dialect === 'anthropic') {
    const isCall = (one: Json): boolean => isObject(one) && one['type'] === 'tool_use';
    const content = eachCall(body['content'], isCall, (one, i) =>
      isObject(one) ? { ...one, ...named('input', texts[i]) } : one,
    );
    return { ...body, content };
  }
  const { message } = body;
  if (dialect !== 'ollama' || !isObject(message)) return body;
  const calls = eachCall(message['tool_calls'], isObject, (one, i) => {
    const made = isObject(one) ? one['function'] : undefined;
    return isObject(one) && isObject(made)
      ? { ...one, function: { ...made, ...named('arguments', texts[i]) } }
      : one;
  });
  return 'tool_calls' in message ? { ...body, message: { ...message, tool_calls: calls } } : body;
}

/** The arguments as a member of this name; no member where the text is no object. */
function named(name: string, text = ''): JsonObject {
  const value = exactObjectOf(text);
  return value === undefined ? {} : { [name]: value };
}
