/** Clients that read an answer in one form only: LLM-C30, and parts of LLM-C02 and LLM-C17. */
import { exactObjectOf, exactText, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { ClientParts } from '../../../../src/llm/index.ts';
import { callFrom, changeDecoded, changeExchange, withoutError, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Changes each whole unit of JSON in the received bytes: an event of SSE, or a line of NDJSON. */
export const editUnits = (edit: (unit: JsonObject) => JsonObject): ClientParts =>
  changeExchange({
    chunk: (chunk) => {
      const text = Buffer.from(chunk).toString('utf8');
      const edited = text.replace(
        /^(data: )?(\{.*\})$/gm,
        (whole, name: string | undefined, json: string) => {
          const unit = exactObjectOf(json);
          return unit === undefined ? whole : `${name ?? ''}${exactText(edit(unit))}`;
        },
      );
      return edited === text ? chunk : Buffer.from(edited);
    },
  });

/** Changes the delta of each chunk of OpenAI Chat. */
const editDeltas = (edit: (delta: JsonObject, finish: Json | undefined) => JsonObject): ClientParts =>
  editUnits((unit) => {
    const [choice] = isArray(unit['choices']) ? unit['choices'] : [];
    if (!isObject(choice) || !isObject(choice['delta'])) return unit;
    return { ...unit, choices: [{ ...choice, delta: edit(choice['delta'], choice['finish_reason']) }] };
  });

const callsOf = ({ tool_calls: calls }: JsonObject): readonly JsonObject[] =>
  isArray(calls) ? calls.flatMap((call) => (isObject(call) ? [call] : [])) : [];

const withoutArguments = (call: JsonObject): JsonObject => {
  const { function: made } = call;
  return isObject(made) && call['id'] !== undefined
    ? { ...call, function: { ...made, arguments: '' } }
    : call;
};

/** Changes the message of each line of Ollama. */
const editLines = (edit: (message: JsonObject, done: boolean) => JsonObject): ClientParts =>
  editUnits((unit) =>
    isObject(unit['message']) ? { ...unit, message: edit(unit['message'], unit['done'] === true) } : unit,
  );

/** Drops the calls of an answer that has no pieces of arguments. */
const needsPieces = (whole: RegExp, piece: string): ClientParts =>
  changeDecoded((decoded, { raw }) =>
    whole.test(raw) && !raw.includes(piece) && decoded.response.toolCalls.length > 0
      ? withoutError(decoded, { toolCalls: [] })
      : decoded,
  );

const chatFaults: ClientFaults = {
  'ignores-the-last-delta': editDeltas((delta, finish) => (typeof finish === 'string' ? {} : delta)),
  'ignores-first-arguments': editDeltas((delta) =>
    callsOf(delta).length === 0 ? delta : { ...delta, tool_calls: callsOf(delta).map(withoutArguments) },
  ),
  'ignores-text-beside-a-call': editDeltas((delta) =>
    callsOf(delta).length > 0 ? { ...delta, content: null } : delta,
  ),
  'reads-one-call-of-a-delta': editDeltas((delta) =>
    callsOf(delta).length > 1 ? { ...delta, tool_calls: callsOf(delta).slice(0, 1) } : delta,
  ),
};

const otherFaults: ClientFaults = {
  'ignores-the-last-line': editLines((message, done) =>
    done ? { role: 'assistant', content: '' } : message,
  ),
  'ignores-text-of-a-calling-line': editLines((message) =>
    callsOf(message).length > 0 ? { ...message, content: '' } : message,
  ),
  'reads-one-call-of-a-line': editLines((message) =>
    callsOf(message).length > 1 ? { ...message, tool_calls: callsOf(message).slice(0, 1) } : message,
  ),
  'needs-argument-deltas': needsPieces(/function_call_arguments\.done/, 'function_call_arguments.delta'),
  'needs-argument-fragments': needsPieces(/toolCallGenerationEnd/, 'ArgumentFragmentGenerated'),
  'wants-input-counts': changeDecoded((decoded, { raw }) =>
    /"message_delta".*"usage":\{"output_tokens":\d+\}/.test(raw)
      ? { ...decoded, error: { kind: 'protocol', message: 'usage has no input_tokens', retryable: false } }
      : decoded,
  ),
  'takes-not-a-number': changeDecoded((decoded, { calls }) => {
    const { toolCalls, metadata } = decoded.response;
    const odd = calls
      .filter(({ partial }) => /\b(?:NaN|Infinity)\b/.test(partial))
      .flatMap((call) =>
        callFrom(call, (text) => JSON.parse(text.replace(/-?\b(?:NaN|Infinity)\b/, 'null'))),
      );
    if (metadata.stopReason !== 'tool_use' || odd.length === 0) return decoded;
    return withToolCalls(decoded, [...toolCalls, ...odd]);
  }),
};

export const shapeFaults: ClientFaults = { ...chatFaults, ...otherFaults };
