/** Servers with faults in the chunks of OpenAI Chat: LLM-S06, S18, S25 and S32. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, countUp, valueOf, inUnits } from './mutant.ts';
import type { FaultContext, UnitEdit, ServerFaults } from './mutant.ts';

const chunks = /^(chunk|finish)$/;

const call = ['choices', 0, 'delta', 'tool_calls', 0] as const;

/** Whether the request asks for usage. */
const asksUsage = ({ asked: { stream_options: options } }: FaultContext): boolean =>
  typeof options === 'object' &&
  options !== null &&
  'include_usage' in options &&
  options['include_usage'] === true;

const usage = { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 };

const objectOf = ({ data }: Unit): object => (typeof data === 'object' && data !== null ? data : {});

/** Repeats the id and the name of the call in all of its deltas. */
const repeatIdentity: UnitEdit = (unit, context) => {
  const [index, id] = [Number(valueOf(unit, ...call, 'index')), valueOf(unit, ...call, 'id')];
  if (Number.isNaN(index)) return undefined;
  const known = identities.get(context) ?? new Map<number, readonly [id: Json, name: Json]>();
  identities.set(context, known);
  if (typeof id === 'string') known.set(index, [id, valueOf(unit, ...call, 'function', 'name') ?? '']);
  const [ownId, name] = known.get(index) ?? ['', ''];
  const named = { ...objectAt(unit), name };
  return [withUnitValue(withUnitValue(unit, [...call, 'id'], ownId), [...call, 'function'], named)];
};

/** The ids and names of the calls of an exchange, by index. */
const identities = new WeakMap<FaultContext, Map<number, readonly [id: Json, name: Json]>>();

/** The function of the delta of a call. */
function objectAt(unit: Unit): JsonObject {
  const value = valueOf(unit, ...call, 'function');
  return isObject(value) ? value : {};
}

export const openaiChatFaults: ServerFaults = {
  'openai-chat-no-index': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], undefined),
  ]),
  'openai-chat-index-0-always': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], 0),
  ]),
  'openai-chat-no-id': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'id'], undefined),
  ]),
  'openai-chat-no-name': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'function', 'name'], undefined),
  ]),
  'openai-chat-usage-unasked': inUnits('openai-chat', 'finish', (unit, context) =>
    asksUsage(context) ? undefined : [unit, { data: { ...objectOf(unit), choices: [], usage } }],
  ),
  'openai-chat-no-usage-chunk': inUnits('openai-chat', 'usage', () => []),
  'openai-chat-two-usage-chunks': inUnits('openai-chat', 'usage', (unit) => [unit, unit]),
  'openai-chat-usage-on-every-chunk': inUnits('openai-chat', /^(chunk|finish)$/, (unit, context) =>
    asksUsage(context) ? [withUnitValue(unit, ['usage'], usage)] : undefined,
  ),
  'openai-chat-usage-absent-on-chunks': inUnits('openai-chat', /^(chunk|finish)$/, (unit) => [
    withUnitValue(unit, ['usage'], undefined),
  ]),
  ...faultsFor(['id', 'object', 'model'], (name) => [
    `openai-chat-chunk-without-${name}`,
    inUnits('openai-chat', /^(chunk|finish)$/, (unit) => [withUnitValue(unit, [name], undefined)]),
  ]),
  'openai-chat-ids-differ': inUnits('openai-chat', chunks, (unit, context) => [
    withUnitValue(unit, ['id'], `chatcmpl-${countUp(context, 'chunks')}`),
  ]),
  'openai-chat-chunks-as-completions': inUnits('openai-chat', chunks, (unit) => [
    withUnitValue(unit, ['object'], 'chat.completion'),
  ]),
  'openai-chat-created-with-fraction': inUnits('openai-chat', chunks, (unit) => [
    withUnitValue(unit, ['created'], 1795.5),
  ]),
  'openai-chat-no-role': inUnits('openai-chat', chunks, (unit) => [
    withUnitValue(unit, ['choices', 0, 'delta', 'role'], undefined),
  ]),
  'openai-chat-no-type': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'type'], undefined),
  ]),
  'openai-chat-identity-in-every-delta': inUnits('openai-chat', 'chunk', repeatIdentity),
  'openai-chat-name-in-pieces': inUnits('openai-chat', 'chunk', (unit) => {
    const name = valueOf(unit, ...call, 'function', 'name');
    if (typeof name !== 'string') return undefined;
    const rest = { index: valueOf(unit, ...call, 'index') ?? 0, function: { name: name.slice(4) } };
    return [
      withUnitValue(unit, [...call, 'function', 'name'], name.slice(0, 4)),
      withUnitValue(unit, ['choices', 0, 'delta'], { tool_calls: [rest] }),
    ];
  }),
  'openai-chat-empty-finish': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, ['choices', 0, 'finish_reason'], ''),
  ]),
};
