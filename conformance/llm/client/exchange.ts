/**
 * An exchange with the provider, as rules see it: the request, and the provider's own account of its answer. The
 * account is true, even when the stop signal on the wire is false.
 */
import { isObject, jsonOf } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import { dialectOf } from '../../../src/llm/index.ts';
import { unsafeIntegers } from '../../../src/kit/testee/index.ts';

/** A call as the provider generated it. */
export interface GeneratedCall {
  readonly id: string;
  readonly name: string;
  /** The text of its arguments, up to the end of the sent part. */
  readonly arguments: string;
  /** Whether the call was generated to its end. */
  readonly complete: boolean;
  /** Whether it calls a custom tool, so that its arguments are free text. */
  readonly custom?: true;
  /**
   * Whether it was cut to no arguments under the stop reason of tool use, and its tool requires none: on the wire it is
   * a call without parameters, and a client may run it with `{}`.
   */
  readonly looksEmpty: boolean;
}

/** The provider's account of a response (`told: answered`). */
export interface AnswerAccount {
  readonly outcome: string;
  readonly text: string;
  readonly calls: readonly GeneratedCall[];
  readonly stop: string;
  readonly signal: string;
  /** Whether an error was sent in mid-stream. */
  readonly failed: boolean;
  /** Whether a message of its event stream had a wrong checksum. */
  readonly garbled: boolean;
  readonly usage: Counts | undefined;
  /** The number of flushed events, lines or messages. */
  readonly units: number;
}

/** Tokens. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens from caches that `input` does not include. */
  readonly cached: number;
}

/** A thought as it crossed the wire of Anthropic, with its signature; of an interaction it has the signature alone. */
export interface SignedThought {
  thinking: string;
  signature: string;
}

/** A block, an item or a part of the provider's own, as it crossed the wire. */
export interface OwnBlock {
  form: JsonObject;
  /** The JSON of its input, or its thought, where that came in pieces. */
  pieces: string;
  /** Its place in a stream of Anthropic's. */
  readonly index: unknown;
}

/** One request and its answer. */
export interface Exchange extends Moment {
  /** Begins with the stream's name. */
  readonly key: string;
  readonly stream: string;
  readonly dialect: string;
  /** Whether the client asked for a stream. Else it gets one body, whole or not at all. */
  readonly streamed: boolean;
  /** Whether it belongs to the judged conversation. A program also asks for titles and the like. */
  readonly judged: boolean;
  /** The body of the request. Undefined when the trace does not show it. */
  readonly body: Json | undefined;
  /** The refusal before any stream, with its status if the dialect has one. */
  readonly refused: boolean;
  readonly status: number | undefined;
  /** The time that the provider asks the client to wait before another attempt (ms). */
  retryAfter: number | undefined;
  answered: AnswerAccount | undefined;
  /** The provider's messages so far, and the time of the last message while the client was still connected. */
  messages: number;
  lastAt: number;
  /** When the client closed or cancelled the exchange. */
  letGo: Moment | undefined;
  readonly thoughts: SignedThought[];
  /** The blocks of its answer that the provider wants back as they came. */
  readonly own: OwnBlock[];
  /** Whether a unit has said that a call was cut, before the answer ended. */
  toldCut: boolean;
  /** What a program has printed on stdout since the request; and on stdout and stderr since its answer was over. */
  stdout: string;
  outputAfter: string;
  /** When a call of a program made its file, after the request. */
  made: Moment | undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The dialects in which a call that was cut to no arguments looks like one without parameters. */
const hiding = ['anthropic', 'bedrock', 'gemini-interactions'] as const;

/** Reads the provider's account at the end of the response to a request with this body. */
export function answerAccountOf(detail: JsonObject, body?: Json): AnswerAccount {
  const dialect = detail['dialect'];
  const hides = hiding.find((one) => one === dialect);
  const needy = hides && detail['signal'] === 'lying' ? needyTools(hides, body) : undefined;
  const { outcome, text, calls, stop, signal, error, checksum, usage, units } = detail;
  return {
    outcome: textOf(outcome),
    text: textOf(text),
    calls: Array.isArray(calls) ? calls.filter(isObject).map((call) => callOf(call, needy)) : [],
    stop: textOf(stop),
    signal: textOf(signal),
    failed: error !== undefined,
    garbled: checksum !== undefined,
    usage: isObject(usage) ? countsOf(usage) : undefined,
    units: numberOf(units),
  };
}

/** The tools of a request whose schema has required members. Undefined when the body is unknown. */
function needyTools(
  dialect: (typeof hiding)[number],
  body: Json | undefined,
): ReadonlySet<unknown> | undefined {
  const request = body === undefined ? undefined : dialectOf[dialect].readRequest(body, {});
  if (request?.ok !== true) return undefined;
  const needy = request.value.tools.filter(({ inputSchema }) => {
    const required = inputSchema['required'];
    return Array.isArray(required) && required.length > 0;
  });
  return new Set(needy.map(({ name }) => name));
}

const callOf = (call: Record<string, unknown>, needy: ReadonlySet<unknown> | undefined): GeneratedCall => ({
  id: textOf(call['id']),
  name: textOf(call['name']),
  arguments: textOf(call['arguments']),
  complete: call['complete'] === true,
  looksEmpty: needy?.has(call['name']) === false && call['arguments'] === '',
  ...(call['custom'] === true && { custom: true }),
});

/** Reads the counts of a usage in camel case or in snake case. Testees use both. */
export function countsOf(usage: Record<string, unknown>): Counts {
  const count = (camel: string, snake: string): number => numberOf(usage[camel] ?? usage[snake]);
  const read = count('cacheReadTokens', 'cache_read_tokens');
  return {
    input: count('inputTokens', 'input_tokens'),
    output: count('outputTokens', 'output_tokens'),
    cached: read + count('cacheWriteTokens', 'cache_write_tokens'),
  };
}

/** Whether the answer was complete, with a clean end and a true stop reason. */
export const isSound = ({ answered }: Exchange): boolean =>
  answered !== undefined &&
  answered.outcome === 'complete' &&
  answered.signal === 'honest' &&
  !answered.failed &&
  !answered.garbled;

/** Whether the limit ended the answer, and the wire says so. */
export const isHonestlyTruncated = (exchange: Exchange): boolean =>
  isSound(exchange) && exchange.answered?.stop === 'max_tokens';

/** The dialects whose whole bodies have the text of a call's arguments. The others have an object in any case. */
const textInBodies: readonly string[] = ['openai-chat', 'openai-responses'];

/** Whether the answer shows the text of a call's arguments, so that the client can see that it is not an object. */
export const showsArguments = ({ streamed }: Exchange, dialect: string): boolean =>
  streamed || textInBodies.includes(dialect);

/** Whether the arguments of calls come by path: Gemini sends them so where the request wants it. */
export function streamsArguments({ dialect, body, streamed }: Exchange): boolean {
  if (dialect !== 'gemini' || !streamed || body === undefined) return false;
  const request = dialectOf.gemini.readRequest(body, {});
  return request.ok && request.value.tools.some(({ eager }) => eager === true);
}

/** Whether the limit ended the answer, and the stream has another stop reason besides the limit. */
export const isContradicted = ({ answered, streamed }: Exchange): boolean =>
  streamed &&
  answered !== undefined &&
  answered.outcome === 'complete' &&
  answered.signal === 'contradictory' &&
  !answered.failed &&
  answered.stop === 'max_tokens';

/**
 * Whether output reached the client before the answer failed. A client that does not stream gets an error instead of the
 * output.
 */
export function reachedClient(exchange: Exchange): boolean {
  const { answered, streamed } = exchange;
  if (answered === undefined || !streamed) return false;
  const wrong = answered.failed || answered.signal === 'missing' || answered.outcome === 'reset';
  const calls = sendsWholeCalls(exchange)
    ? answered.calls.filter(({ complete }) => complete)
    : answered.calls;
  return wrong && answered.units > 0 && (answered.text !== '' || calls.length > 0);
}

/** Ollama and Gemini send nothing of a call that was cut. A client of Gemini can ask for the pieces. */
const sendsWholeCalls = (exchange: Exchange): boolean =>
  exchange.dialect === 'ollama' || (exchange.dialect === 'gemini' && !streamsArguments(exchange));

const callItems: readonly unknown[] = ['function_call', 'custom_tool_call'];

/**
 * Whether a unit says that a call was cut. Only Responses has such a word before the end: `response.output_item.done` with
 * the status `incomplete` (openai 7.59, `ResponseFunctionToolCallItem.status`).
 */
export function tellsCut({ type, item }: JsonObject): boolean {
  if (type !== 'response.output_item.done' || !isObject(item)) return false;
  return callItems.includes(item['type']) && item['status'] === 'incomplete';
}

/** The arguments of a call as an object, as a client reads them. Undefined when they are not an object. */
export function argumentsObject({ arguments: text, looksEmpty }: GeneratedCall): JsonObject | undefined {
  if (looksEmpty) return {};
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** The input with which a call may run: an object, or the free text of a custom call. Undefined when it has none. */
export const inputOf = (call: GeneratedCall): Json | undefined =>
  call.custom === true ? call.arguments : argumentsObject(call);

/** The value of a JSON text. Undefined when the text is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return jsonOf(text);
  } catch {
    return undefined;
  }
}

/** Integers in a JSON text that a double cannot hold, as written. */
export const hugeIntegers = (json: string): readonly string[] =>
  unsafeIntegers(json).filter((digits) => {
    const nearest = Number(digits);
    return !Number.isFinite(nearest) || BigInt(nearest) !== BigInt(digits);
  });

/** Integers in the arguments of a call that a double cannot hold. Free text has no numbers. */
export const hugeIntegersOf = ({ custom, arguments: text }: GeneratedCall): readonly string[] =>
  custom === true ? [] : hugeIntegers(text);
