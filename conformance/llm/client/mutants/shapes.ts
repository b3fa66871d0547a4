/** Clients that read an answer in one form only: LLM-C30, and parts of LLM-C02 and LLM-C17. */
import { exactJsonOf, exactText, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ClientParts } from '../../../../src/llm/index.ts';
import { callFrom, changeDecoded, changeExchange, mutant, withoutError, withToolCalls } from './mutant.ts';

/** Changes each whole unit of JSON in the received bytes: an event of SSE, or a line of NDJSON. */
const editUnits = (edit: (unit: JsonObject) => JsonObject): ClientParts =>
  changeExchange({
    chunk: (chunk) => {
      const text = Buffer.from(chunk).toString('utf8');
      const edited = text.replace(
        /^(data: )?(\{.*\})$/gm,
        (whole, name: string | undefined, json: string) => {
          const unit = parsed(json);
          return unit === undefined ? whole : `${name ?? ''}${exactText(edit(unit))}`;
        },
      );
      return edited === text ? chunk : Buffer.from(edited);
    },
  });

function parsed(json: string): JsonObject | undefined {
  try {
    const value = exactJsonOf(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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

const chatMutants: readonly Mutant[] = [
  mutant(
    'LLM-C30',
    'ignores-the-last-delta',
    'ignores the content beside the finish_reason of OpenAI Chat',
    editDeltas((delta, finish) => (typeof finish === 'string' ? {} : delta)),
  ),
  mutant(
    'LLM-C30',
    'ignores-first-arguments',
    'ignores arguments in the first delta of a call of OpenAI Chat',
    editDeltas((delta) =>
      callsOf(delta).length === 0 ? delta : { ...delta, tool_calls: callsOf(delta).map(withoutArguments) },
    ),
  ),
  mutant(
    'LLM-C30',
    'ignores-text-beside-a-call',
    'ignores text beside a call in a delta of OpenAI Chat',
    editDeltas((delta) => (callsOf(delta).length > 0 ? { ...delta, content: null } : delta)),
  ),
  mutant(
    'LLM-C17',
    'reads-one-call-of-a-delta',
    'reads only the first call of a delta of OpenAI Chat',
    editDeltas((delta) =>
      callsOf(delta).length > 1 ? { ...delta, tool_calls: callsOf(delta).slice(0, 1) } : delta,
    ),
  ),
];

const otherMutants: readonly Mutant[] = [
  mutant(
    'LLM-C30',
    'ignores-the-last-line',
    'ignores the message of the last line of Ollama',
    editLines((message, done) => (done ? { role: 'assistant', content: '' } : message)),
  ),
  mutant(
    'LLM-C30',
    'ignores-text-of-a-calling-line',
    'ignores text beside a call in a line of Ollama',
    editLines((message) => (callsOf(message).length > 0 ? { ...message, content: '' } : message)),
  ),
  mutant(
    'LLM-C17',
    'reads-one-call-of-a-line',
    'reads only the first call of a line of Ollama',
    editLines((message) =>
      callsOf(message).length > 1 ? { ...message, tool_calls: callsOf(message).slice(0, 1) } : message,
    ),
  ),
  mutant(
    'LLM-C30',
    'needs-argument-deltas',
    'reads the arguments of OpenAI Responses from their deltas only',
    needsPieces(/function_call_arguments\.done/, 'function_call_arguments.delta'),
  ),
  mutant(
    'LLM-C30',
    'needs-argument-fragments',
    'reads the arguments of LM Studio from their fragments only',
    needsPieces(/toolCallGenerationEnd/, 'ArgumentFragmentGenerated'),
  ),
  mutant(
    'LLM-C30',
    'wants-input-counts',
    "fails when the usage of Anthropic's message_delta has no input_tokens",
    changeDecoded((decoded, { raw }) =>
      /"message_delta".*"usage":\{"output_tokens":\d+\}/.test(raw)
        ? { ...decoded, error: { kind: 'protocol', message: 'usage has no input_tokens', retryable: false } }
        : decoded,
    ),
  ),
  mutant(
    'LLM-C02',
    'takes-not-a-number',
    'runs a call whose arguments have NaN or Infinity',
    changeDecoded((decoded, { calls }) => {
      const { toolCalls, metadata } = decoded.response;
      const odd = calls
        .filter(({ partial }) => /\b(?:NaN|Infinity)\b/.test(partial))
        .flatMap((call) =>
          callFrom(call, (text) => JSON.parse(text.replace(/-?\b(?:NaN|Infinity)\b/, 'null'))),
        );
      if (metadata.stopReason !== 'tool_use' || odd.length === 0) return decoded;
      return withToolCalls(decoded, [...toolCalls, ...odd]);
    }),
  ),
];

/** The mutants of this theme. */
export const shapeMutants: readonly Mutant[] = [...chatMutants, ...otherMutants];
