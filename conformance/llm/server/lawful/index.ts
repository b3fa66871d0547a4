/** Model servers with oddities that recordings of real providers show. Nothing blames them. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { at } from '../dialects/reader.ts';
import { writeReport } from '../prompts.ts';
import { countUp, serverWith, valueOf, withUnitValue, inUnits } from '../mutants/mutant.ts';
import type { ServerFault, ServerFaults, UnitEdit } from '../mutants/mutant.ts';
import { openResponsesOddities } from './open-responses.ts';
import { geminiInteractionsOddities } from './gemini-interactions.ts';
import { chatProviderOddities } from './chat-providers.ts';
import { providerBlocks } from './provider-blocks.ts';
import { onSocket } from '../mutants/sockets.ts';
import { runningOn } from '../witness.ts';

/** Removes deltas of arguments, and renumbers later events. */
const withoutDeltas: UnitEdit = (unit, { memory }) => {
  const shift = memory.get('shift') ?? 0;
  if (valueOf(unit, 'type') !== 'response.function_call_arguments.delta')
    return [withUnitValue(unit, ['sequence_number'], Number(valueOf(unit, 'sequence_number')) - shift)];
  memory.set('shift', shift + 1);
  return [];
};

/** Where an item may be a custom call: in an event, in the final response, in a whole body. */
const customItems = [['item'], ['response', 'output', 0], ['output', 0]] as const;

/** The candidates of a chunk of Gemini's. */
const candidatesOf = (unit: Unit): readonly JsonObject[] => {
  const list = valueOf(unit, 'candidates');
  return isArray(list) ? list.filter((one) => isObject(one)) : [];
};

const azureFirst: Unit = {
  data: { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] },
};

/** Where Anthropic has its stop reason: in an event, in a whole body. */
const stopPaths = [['delta', 'stop_reason'], ['stop_reason']] as const;

const withCompaction = (unit: Unit, path: (typeof stopPaths)[number]): Unit =>
  valueOf(unit, ...path) === 'end_turn' ? withUnitValue(unit, path, 'compaction') : unit;

/** Where Anthropic has its counts of the prompt: in message_start, in message_delta and in a whole body. */
const usagePaths = [['message', 'usage'], ['usage']] as const;

const fromCache = (unit: Unit, path: (typeof usagePaths)[number]): Unit => {
  const input = valueOf(unit, ...path, 'input_tokens');
  if (typeof input !== 'number' || input < 1) return unit;
  const rest = withUnitValue(unit, [...path, 'input_tokens'], 1);
  return withUnitValue(rest, [...path, 'cache_read_input_tokens'], input - 1);
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

/** A message that codex gets of its provider, and that is no event of a response. */
const rateLimits: Unit = {
  data: { type: 'codex.rate_limits', plan_type: 'pro', rate_limits: { allowed: true, limit_reached: false } },
};

/** Slots of llama.cpp instead of metrics. */
const slotsOf = (page: string): JsonObject[] => {
  const running = runningOn(page) ?? 0;
  return [0, 1, 2, 3].map((id) => ({ id, n_ctx: 4096, is_processing: id < running }));
};

/** Whether a request demands a call: Gemini's choice is a mode, Bedrock's stands beside its tools. */
const demandsCall = ({ tool_choice: choice, toolConfig }: JsonObject): boolean =>
  choice !== undefined ||
  at(toolConfig, 'functionCallingConfig', 'mode') === 'ANY' ||
  at(toolConfig, 'toolChoice') !== undefined;

/** Counts the most answers since the last request: the count of one that ended by itself, or was aborted, stays. */
const countsLate = (): ServerFault => {
  let most = 0;
  return {
    asked(body) {
      most = 0;
      return [body];
    },
    witness(page) {
      most = Math.max(most, runningOn(page) ?? 0);
      return `vllm:num_requests_running{model_name="m"} ${most}.0`;
    },
  };
};

const oddities: ServerFaults = {
  'witness-counts-late': countsLate(),
  'witness-shows-slots': { witness: slotsOf },
  'witness-counts-another': {
    witness: (page) => `vllm:num_requests_running{model_name="m"} ${(runningOn(page) ?? 0) + 1}.0`,
  },
  'witness-without-count': { witness: () => 'process_open_fds 12\n' },
  'responses-socket-other-messages': onSocket((unit) =>
    valueOf(unit, 'type') === 'response.created' ? [rateLimits, unit] : undefined,
  ),
  'responses-socket-error-without-status': onSocket((unit) => [withUnitValue(unit, ['status'], undefined)]),
  'responses-socket-warm-up-at-once': onSocket((unit, { asked }) =>
    asked['generate'] === false && valueOf(unit, 'type') !== 'response.completed' ? [] : undefined,
  ),
  'responses-without-numbers': inUnits('openai-responses', /./, (unit) => [
    withUnitValue(unit, ['sequence_number'], undefined),
  ]),
  'responses-calls-without-deltas': inUnits('openai-responses', /./, withoutDeltas),
  'responses-error-and-failed': inUnits('openai-responses', /^(error|response\.failed)$/, (unit) =>
    valueOf(unit, 'type') === 'error' ? [unit, failureOf(unit)] : [],
  ),
  'knows-no-custom-tools': {
    asked: (body) => {
      const { tools, ...more } = body;
      const functions = isArray(tools)
        ? tools.filter((tool) => !isObject(tool) || tool['type'] !== 'custom')
        : [];
      return [functions.length === 0 ? more : { ...more, tools: functions }];
    },
  },
  'responses-custom-calls-without-status': {
    unit: (unit, { dialect }) => [
      dialect === 'openai-responses'
        ? customItems.reduce(
            (now, path) =>
              valueOf(now, ...path, 'type') === 'custom_tool_call'
                ? withUnitValue(now, [...path, 'status'], undefined)
                : now,
            unit,
          )
        : unit,
    ],
  },
  'chat-empty-first-chunk': inUnits('openai-chat', 'chunk', (unit, context) =>
    countUp(context, 'chunks') === 1 ? [azureFirst, unit] : undefined,
  ),
  'chat-error-without-type': {
    unit: (unit, { dialect }) =>
      dialect === 'openai-chat' ? [withUnitValue(unit, ['error', 'type'], null)] : [unit],
  },
  'chat-refusal-detail': {
    unit: (unit, { dialect, what, status }) =>
      dialect === 'openai-chat' && what === 'answer' && status >= 400
        ? [{ data: { detail: 'Bad Request' } }]
        : [unit],
  },
  'bedrock-padded-events': inUnits('bedrock', /./, (unit) => [
    isObject(unit.data) ? { ...unit, data: { ...unit.data, p: 'abcdefgh' } } : unit,
  ]),
  'bedrock-initial-response': inUnits('bedrock', 'messageStart', (unit) => [
    { event: 'initial-response', data: {} },
    unit,
  ]),
  'bedrock-starts-texts': inUnits('bedrock', 'messageStart', (unit) => [
    unit,
    { event: 'contentBlockStart', data: { contentBlockIndex: 0, start: {} } },
  ]),
  'bedrock-empty-deltas': inUnits('bedrock', 'contentBlockDelta', (unit) =>
    valueOf(unit, 'delta', 'text') === undefined
      ? undefined
      : [withUnitValue(unit, ['delta', 'text'], ''), unit],
  ),
  'bedrock-new-events': inUnits('bedrock', 'contentBlockStop', (unit) => [
    unit,
    { event: 'wireproofNews', data: { contentBlockIndex: 0 } },
  ]),
  'gemini-calls-without-id': {
    unit: (unit, { dialect }) => [
      dialect === 'gemini'
        ? withUnitValue(unit, ['candidates', 0, 'content', 'parts', 0, 'functionCall', 'id'], undefined)
        : unit,
    ],
  },
  'gemini-stop-on-every-chunk': inUnits('gemini', 'chunk', (unit) => {
    const [candidate] = candidatesOf(unit);
    return candidate === undefined
      ? undefined
      : [withUnitValue(unit, ['candidates'], [{ ...candidate, finishReason: 'STOP' }])];
  }),
  'gemini-finish-without-content': inUnits('gemini', 'finish', (unit) => [
    withUnitValue(unit, ['candidates', 0, 'content'], undefined),
  ]),
  'gemini-counts-at-end-only': inUnits('gemini', 'chunk', (unit) => [
    withUnitValue(unit, ['usageMetadata'], undefined),
  ]),
  'gemini-names-every-part': inUnits('gemini', 'chunk', (unit) => {
    const call = ['candidates', 0, 'content', 'parts', 0, 'functionCall'] as const;
    const given = valueOf(unit, ...call);
    return isObject(given) && given['partialArgs'] !== undefined
      ? [withUnitValue(unit, call, { name: writeReport.name, ...given })]
      : undefined;
  }),
  'ollama-calls-without-id': inUnits('ollama', 'line', (unit) => [
    withUnitValue(unit, ['message', 'tool_calls', 0, 'id'], undefined),
  ]),
  'chat-without-finish-reason': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, ['choices', 0, 'finish_reason'], undefined),
  ]),
  'chat-empty-deltas': inUnits('openai-chat', 'chunk', (unit) => [
    unit,
    withUnitValue(unit, ['choices', 0, 'delta'], {}),
    withUnitValue(unit, ['choices', 0, 'delta'], { content: '' }),
  ]),
  'chat-empty-identity': inUnits('openai-chat', 'chunk', (unit) => {
    const call = ['choices', 0, 'delta', 'tool_calls', 0] as const;
    const later = valueOf(unit, ...call) !== undefined && valueOf(unit, ...call, 'id') === undefined;
    const given = valueOf(unit, ...call, 'function');
    const named = { ...(isObject(given) ? given : {}), name: '' };
    return later
      ? [withUnitValue(withUnitValue(unit, [...call, 'id'], ''), [...call, 'function'], named)]
      : undefined;
  }),
  'chat-thoughts-in-total': inUnits('openai-chat', 'usage', (unit) => {
    const total = Number(valueOf(unit, 'usage', 'total_tokens'));
    const thoughts = withUnitValue(unit, ['usage', 'completion_tokens_details'], { reasoning_tokens: 5 });
    return [withUnitValue(thoughts, ['usage', 'total_tokens'], total + 5)];
  }),
  'anthropic-empty-deltas': inUnits('anthropic', 'content_block_delta', (unit) =>
    valueOf(unit, 'delta', 'type') === 'text_delta'
      ? [unit, withUnitValue(unit, ['delta', 'text'], '')]
      : undefined,
  ),
  'anthropic-start-without-stop': inUnits('anthropic', 'message_start', (unit) => [
    withUnitValue(unit, ['message', 'stop_reason'], undefined),
  ]),
  'reads-over-tool-choice': {
    asked: (body) => {
      const { tool_choice: _, toolConfig: __, tools: ___, ...more } = body;
      return [demandsCall(body) ? more : body];
    },
  },
  'refuses-tool-choice': {
    asked: (body) => [demandsCall(body) ? { ...body, model: 17, contents: 17, messages: 17 } : body],
  },
  'chat-stops-beside-forced-calls': {
    unit: (unit, { dialect, asked }) => [
      dialect === 'openai-chat' &&
      asked['tool_choice'] !== undefined &&
      valueOf(unit, 'choices', 0, 'finish_reason') === 'tool_calls'
        ? withUnitValue(unit, ['choices', 0, 'finish_reason'], 'stop')
        : unit,
    ],
  },
  'anthropic-cached-prompt': {
    unit: (unit, { dialect, what }) => [
      dialect === 'anthropic' && what === 'answer' ? usagePaths.reduce(fromCache, unit) : unit,
    ],
  },
  'anthropic-calls-without-input': inUnits('anthropic', 'content_block_start', (unit) =>
    valueOf(unit, 'content_block', 'type') === 'tool_use'
      ? [withUnitValue(unit, ['content_block', 'input'], undefined)]
      : undefined,
  ),
  'anthropic-blocks-of-2026': providerBlocks,
  'anthropic-compaction-stop': {
    unit: (unit, { dialect }) => [dialect === 'anthropic' ? stopPaths.reduce(withCompaction, unit) : unit],
  },
  'ollama-calls-without-content': inUnits('ollama', 'line', (unit) =>
    valueOf(unit, 'message', 'tool_calls') === undefined
      ? undefined
      : [withUnitValue(unit, ['message', 'content'], undefined)],
  ),
  'ollama-empty-lines': inUnits('ollama', 'line', (unit) =>
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
};

export const lawfulServers: () => readonly LawfulPeer[] = lawfulOf(
  'llm/server',
  [oddities, openResponsesOddities, geminiInteractionsOddities, chatProviderOddities],
  serverWith,
);
