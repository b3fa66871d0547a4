/** Servers with faults in the chunks of OpenAI Chat: LLM-S06, S18 and S25. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, mutant, unitFault } from './mutant.ts';
import type { FaultContext, UnitEdit } from './mutant.ts';

const mutantOf =
  (row: string) =>
  (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
    mutant(row, `openai-chat-${id}`, title, { unit: unitFault('openai-chat', kinds, edit) });

const chat = mutantOf('LLM-S06');
const usageMutant = mutantOf('LLM-S18');
const chunkMutant = mutantOf('LLM-S25');

const call = ['choices', 0, 'delta', 'tool_calls', 0] as const;

/** Whether the request asks for usage. */
const asksUsage = ({ asked: { stream_options: options } }: FaultContext): boolean =>
  typeof options === 'object' &&
  options !== null &&
  'include_usage' in options &&
  options['include_usage'] === true;

const usage = { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 };

const objectOf = ({ data }: Unit): object => (typeof data === 'object' && data !== null ? data : {});

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
];
