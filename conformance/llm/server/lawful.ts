/** Model servers with oddities that recordings of real providers show. Nothing blames them. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../src/kit/suite/index.ts';
import type { Unit } from '../../../src/llm/index.ts';
import { countUp, mutant, unitFault, valueOf, withUnitValue } from './mutants/mutant.ts';
import type { ServerFault, UnitEdit } from './mutants/mutant.ts';

const peer = (
  id: string,
  title: string,
  allowed: string,
  unit: NonNullable<ServerFault['unit']>,
): LawfulPeer => ({ id, title, allowed, make: mutant('', id, title, { unit }).make });

/** Removes deltas of arguments, and renumbers later events. */
const withoutDeltas: UnitEdit = (unit, { memory }) => {
  const shift = memory.get('shift') ?? 0;
  if (valueOf(unit, 'type') !== 'response.function_call_arguments.delta')
    return [withUnitValue(unit, ['sequence_number'], Number(valueOf(unit, 'sequence_number')) - shift)];
  memory.set('shift', shift + 1);
  return [];
};

const azureFirst: Unit = {
  data: { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] },
};

/** `response.failed` with the message of an `error`. */
const failureOf = ({ data }: Unit): Unit => {
  const { sequence_number: number, message, error } = isObject(data) ? data : {};
  const text = isObject(error) ? error['message'] : message;
  return {
    event: 'response.failed',
    data: {
      type: 'response.failed',
      sequence_number: Number(number) + 1,
      response: {
        status: 'failed',
        output: [],
        error: { code: 'server_error', message: typeof text === 'string' ? text : '' },
      },
    },
  };
};

/** The lawful servers. */
export const lawfulServers: readonly LawfulPeer[] = [
  peer(
    'responses-without-numbers',
    'Its events have no sequence_number.',
    'Recordings of OpenAI Responses of 2025-04',
    unitFault('openai-responses', /./, (unit) => [withUnitValue(unit, ['sequence_number'], undefined)]),
  ),
  peer(
    'responses-calls-without-deltas',
    'The arguments of calls come as .done, without deltas.',
    "Recordings of LM Studio's Responses",
    unitFault('openai-responses', /./, withoutDeltas),
  ),
  peer(
    'responses-error-and-failed',
    'response.failed follows the event error.',
    'Recordings of OpenAI Responses: a failure in the stream',
    unitFault('openai-responses', /^(error|response\.failed)$/, (unit) =>
      valueOf(unit, 'type') === 'error' ? [unit, failureOf(unit)] : [],
    ),
  ),
  peer(
    'chat-empty-first-chunk',
    'Its first chunk has no choices, and an empty id and model.',
    'Recordings of Azure: prompt_filter_results',
    unitFault('openai-chat', 'chunk', (unit, context) =>
      countUp(context, 'chunks') === 1 ? [azureFirst, unit] : undefined,
    ),
  ),
  peer(
    'chat-error-without-type',
    'Its errors have type null.',
    'Recordings of Azure and OpenRouter',
    (unit, { dialect }) =>
      dialect === 'openai-chat' ? [withUnitValue(unit, ['error', 'type'], null)] : [unit],
  ),
  peer(
    'chat-refusal-detail',
    'It refuses with {"detail": …}.',
    'Recordings of Mistral',
    (unit, { dialect, what, status }) =>
      dialect === 'openai-chat' && what === 'answer' && status >= 400
        ? [{ data: { detail: 'Bad Request' } }]
        : [unit],
  ),
  peer(
    'ollama-calls-without-id',
    'Its calls have no id.',
    'Ollama API: Generate a chat completion, in versions before the id',
    unitFault('ollama', 'line', (unit) => [
      withUnitValue(unit, ['message', 'tool_calls', 0, 'id'], undefined),
    ]),
  ),
  peer(
    'chat-without-finish-reason',
    'Chunks before the last have no finish_reason.',
    'openai 6 and ai 6 read null and a missing member alike',
    unitFault('openai-chat', 'chunk', (unit) => [
      withUnitValue(unit, ['choices', 0, 'finish_reason'], undefined),
    ]),
  ),
  peer(
    'chat-empty-deltas',
    'A chunk with an empty delta, and one with an empty text, follow each chunk.',
    'Recordings of Azure and OpenRouter: chunks with an empty delta',
    unitFault('openai-chat', 'chunk', (unit) => [
      unit,
      withUnitValue(unit, ['choices', 0, 'delta'], {}),
      withUnitValue(unit, ['choices', 0, 'delta'], { content: '' }),
    ]),
  ),
  peer(
    'chat-empty-identity',
    'Later deltas of a call have an empty id and name.',
    'openai 6 and ai 6 read over an empty id and name',
    unitFault('openai-chat', 'chunk', (unit) => {
      const call = ['choices', 0, 'delta', 'tool_calls', 0] as const;
      const later = valueOf(unit, ...call) !== undefined && valueOf(unit, ...call, 'id') === undefined;
      const given = valueOf(unit, ...call, 'function');
      const named = { ...(isObject(given) ? given : {}), name: '' };
      return later
        ? [withUnitValue(withUnitValue(unit, [...call, 'id'], ''), [...call, 'function'], named)]
        : undefined;
    }),
  ),
  peer(
    'chat-thoughts-in-total',
    'Its total has the tokens of thoughts, which the count of output does not have.',
    'xAI API reference: usage.completion_tokens_details.reasoning_tokens',
    unitFault('openai-chat', 'usage', (unit) => {
      const total = Number(valueOf(unit, 'usage', 'total_tokens'));
      const thoughts = withUnitValue(unit, ['usage', 'completion_tokens_details'], { reasoning_tokens: 5 });
      return [withUnitValue(thoughts, ['usage', 'total_tokens'], total + 5)];
    }),
  ),
  peer(
    'anthropic-empty-deltas',
    'An empty text_delta follows each delta of text.',
    'Anthropic API: Streaming Messages, Event types',
    unitFault('anthropic', 'content_block_delta', (unit) =>
      valueOf(unit, 'delta', 'type') === 'text_delta'
        ? [unit, withUnitValue(unit, ['delta', 'text'], '')]
        : undefined,
    ),
  ),
  peer(
    'anthropic-start-without-stop',
    'The message of its message_start has no stop_reason.',
    '@anthropic-ai/sdk and ai read null and a missing member alike',
    unitFault('anthropic', 'message_start', (unit) => [
      withUnitValue(unit, ['message', 'stop_reason'], undefined),
    ]),
  ),
  peer(
    'ollama-calls-without-content',
    'A line with a call has no content.',
    'Ollama API: Generate a chat completion; the content of a message is optional in the Python library',
    unitFault('ollama', 'line', (unit) =>
      valueOf(unit, 'message', 'tool_calls') === undefined
        ? undefined
        : [withUnitValue(unit, ['message', 'content'], undefined)],
    ),
  ),
  peer(
    'ollama-empty-lines',
    'A line with an empty text follows each line.',
    'Ollama API: Generate a chat completion',
    unitFault('ollama', 'line', (unit) =>
      valueOf(unit, 'message', 'content') === undefined
        ? undefined
        : [
            unit,
            {
              data: {
                ...(isObject(unit.data) ? unit.data : {}),
                message: { role: 'assistant', content: '' },
              },
            },
          ],
    ),
  ),
];
