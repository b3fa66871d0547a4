/** Servers with faults in the chunks of OpenAI Chat: LLM-S06, S18, S25 and S32. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, mutant, countUp, unitFault, valueOf } from './mutant.ts';
import type { FaultContext, UnitEdit } from './mutant.ts';

const mutantOf =
  (row: string) =>
  (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
    mutant(row, `openai-chat-${id}`, title, { unit: unitFault('openai-chat', kinds, edit) });

const chat = mutantOf('LLM-S06');
const usageMutant = mutantOf('LLM-S18');
const chunkMutant = mutantOf('LLM-S25');
const messageMutant = mutantOf('LLM-S32');

/** Every chunk. */
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

/** The mutants of chunks. */
export const openaiChatMutants: readonly Mutant[] = [
  chat('no-index', 'Its calls have no index.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], undefined),
  ]),
  chat('index-0-always', 'All calls have index 0.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], 0),
  ]),
  chat('no-id', 'Calls have no id.', 'chunk', (unit) => [withUnitValue(unit, [...call, 'id'], undefined)]),
  chat('no-name', 'Calls have no name.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'function', 'name'], undefined),
  ]),
  usageMutant('usage-unasked', 'It sends usage without include_usage.', 'finish', (unit, context) =>
    asksUsage(context) ? undefined : [unit, { data: { ...objectOf(unit), choices: [], usage } }],
  ),
  mutantOf('LLM-S13')('no-usage-chunk', 'It sends no usage in spite of include_usage.', 'usage', () => []),
  usageMutant('two-usage-chunks', 'It sends usage twice.', 'usage', (unit) => [unit, unit]),
  usageMutant(
    'usage-on-every-chunk',
    'Every chunk has the usage so far.',
    /^(chunk|finish)$/,
    (unit, context) => (asksUsage(context) ? [withUnitValue(unit, ['usage'], usage)] : undefined),
  ),
  usageMutant(
    'usage-absent-on-chunks',
    'Chunks have no usage instead of null.',
    /^(chunk|finish)$/,
    (unit) => [withUnitValue(unit, ['usage'], undefined)],
  ),
  ...['id', 'object', 'model'].map((name) =>
    chunkMutant(`chunk-without-${name}`, `Its chunks have no ${name}.`, /^(chunk|finish)$/, (unit) => [
      withUnitValue(unit, [name], undefined),
    ]),
  ),
  chunkMutant('ids-differ', 'Every chunk has an id of its own.', chunks, (unit, context) => [
    withUnitValue(unit, ['id'], `chatcmpl-${countUp(context, 'chunks')}`),
  ]),
  chunkMutant('chunks-as-completions', 'Its chunks call themselves chat.completion.', chunks, (unit) => [
    withUnitValue(unit, ['object'], 'chat.completion'),
  ]),
  chunkMutant(
    'created-with-fraction',
    'Its chunks were created at a fraction of a second.',
    chunks,
    (unit) => [withUnitValue(unit, ['created'], 1795.5)],
  ),
  messageMutant('no-role', 'No delta has a role.', chunks, (unit) => [
    withUnitValue(unit, ['choices', 0, 'delta', 'role'], undefined),
  ]),
  messageMutant('no-type', 'Its calls have no type.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'type'], undefined),
  ]),
  messageMutant(
    'identity-in-every-delta',
    'The id and name of a call are in each of its deltas.',
    'chunk',
    repeatIdentity,
  ),
  mutantOf('LLM-S20')('name-in-pieces', 'The name of a tool comes in two deltas.', 'chunk', (unit) => {
    const name = valueOf(unit, ...call, 'function', 'name');
    if (typeof name !== 'string') return undefined;
    const rest = { index: valueOf(unit, ...call, 'index') ?? 0, function: { name: name.slice(4) } };
    return [
      withUnitValue(unit, [...call, 'function', 'name'], name.slice(0, 4)),
      withUnitValue(unit, ['choices', 0, 'delta'], { tool_calls: [rest] }),
    ];
  }),
  mutantOf('LLM-S23')(
    'empty-finish',
    'Its finish_reason is an empty text before the end.',
    'chunk',
    (unit) => [withUnitValue(unit, ['choices', 0, 'finish_reason'], '')],
  ),
];
