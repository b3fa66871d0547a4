/**
 * The chunks of Chat Completions that servers send as one: vLLM, Mistral and OVMS send the last text next to the
 * `finish_reason`; llama.cpp and vLLM begin the arguments in the first delta of a call; Gemini and Ollama send calls whole,
 * several in one delta, also next to text.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Joined, Unit } from '../../messages.ts';
import { joins, textsOf } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';

/** A chunk with one choice. */
interface Chunk {
  readonly data: JsonObject;
  readonly choice: JsonObject;
  readonly delta: JsonObject;
  readonly calls: readonly JsonObject[];
  readonly finished: boolean;
}

/** Joins the chunks that a turn joins. */
export const joinChunks =
  (joined: readonly Joined[]): JoinUnits =>
  (before, next) => {
    const [a, b] = [chunkOf(before), chunkOf(next)];
    if (a === undefined || b === undefined || a.finished) return undefined;
    const delta = deltaOf(a, b, joined);
    return delta === undefined ? undefined : withDelta(b, delta);
  };

function deltaOf(a: Chunk, b: Chunk, joined: readonly Joined[]): JsonObject | undefined {
  if (b.finished) return joins(joined, 'finish') && hasContent(a) ? a.delta : undefined;
  const [call] = b.calls;
  if (call === undefined) return undefined;
  if (a.calls.length > 0) return withCall(a, call, joined);
  const isStart = call['id'] !== undefined;
  return isStart && joins(joined, 'call') && hasContent(a) ? { ...b.delta, ...a.delta } : undefined;
}

/** Adds a piece of arguments to its call in a delta, or another call after the others. */
function withCall(a: Chunk, call: JsonObject, joined: readonly Joined[]): JsonObject | undefined {
  const whole = joins(joined, 'calls');
  if (call['id'] !== undefined) return whole ? { ...a.delta, tool_calls: [...a.calls, call] } : undefined;
  const at = a.calls.findIndex(({ index }) => index === call['index']);
  const own = a.calls[at];
  if (own === undefined) return undefined;
  const [kind, field] =
    'custom' in own ? (['custom', 'input'] as const) : (['function', 'arguments'] as const);
  const [made, more] = [own[kind], call[kind]].map((one) => (isObject(one) ? one : {}));
  const isFirst = own['id'] !== undefined && made?.[field] === '';
  if (!whole && !(isFirst && joins(joined, 'arguments'))) return undefined;
  const longer: JsonObject = { ...own, [kind]: { ...made, [field]: textsOf(made?.[field], more?.[field]) } };
  return { ...a.delta, tool_calls: a.calls.with(at, longer) };
}

const hasContent = ({ delta, calls }: Chunk): boolean =>
  calls.length > 0 || (typeof delta['content'] === 'string' && delta['content'] !== '');

function chunkOf({ data }: Unit): Chunk | undefined {
  if (!isObject(data) || !isArray(data['choices'])) return undefined;
  const [choice] = data['choices'];
  const delta: Json | undefined = isObject(choice) ? choice['delta'] : undefined;
  if (!isObject(choice) || !isObject(delta) || choice['logprobs'] !== null) return undefined;
  const calls = isArray(delta['tool_calls']) ? delta['tool_calls'].filter((call) => isObject(call)) : [];
  return { data, choice, delta, calls, finished: choice['finish_reason'] !== null };
}

const withDelta = ({ data, choice }: Chunk, delta: JsonObject): Unit => ({
  data: { ...data, choices: [{ ...choice, delta }] },
});
