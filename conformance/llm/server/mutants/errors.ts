/** Servers with errors in a wrong form, or with counts that differ from their usage: LLM-S14, S16, S17. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, kindOf, isStreamedAnswer, unitFault, valueOf } from './mutant.ts';
import type { ServerFault, FaultContext, ServerFaults } from './mutant.ts';

type UnitEdit = (unit: Unit) => readonly Unit[];

const midStream = (dialect: DialectName, kind: string, edit: UnitEdit): ServerFault => ({
  unit: inMidStream(unitFault(dialect, kind, edit)),
});

/**
 * LM Studio has one form for both kinds of error. An error before the first content of the channel belongs to another
 * requirement.
 */
const inMidStream =
  (fault: NonNullable<ServerFault['unit']>): NonNullable<ServerFault['unit']> =>
  (unit, context) => {
    if (kindOf(unit, context) === 'fragment') context.memory.set('begun', 1);
    return context.dialect !== 'lmstudio' || context.memory.has('begun') ? fault(unit, context) : [unit];
  };

const streams: ServerFaults = {
  'anthropic-error-as-text': midStream('anthropic', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  'anthropic-error-untyped': midStream('anthropic', 'error', (unit) => [
    withUnitValue(unit, ['type'], undefined),
  ]),
  'openai-chat-error-as-text': midStream('openai-chat', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  'openai-responses-error-without-message': midStream('openai-responses', 'error', (unit) => [
    withUnitValue(unit, ['error', 'message'], undefined),
  ]),
  'ollama-error-as-object': midStream('ollama', 'line', (unit) =>
    valueOf(unit, 'error') === undefined
      ? [unit]
      : [withUnitValue(unit, ['error'], { message: 'Overloaded' })],
  ),
  'gemini-error-as-text': midStream('gemini', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  'gemini-interactions-error-as-text': midStream('gemini-interactions', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  'bedrock-error-without-message': midStream('bedrock', 'serviceUnavailableException', (unit) => [
    { ...unit, data: { error: 'Overloaded' } },
  ]),
  'lmstudio-error-untitled': midStream('lmstudio', 'channelError', (unit) => [
    withUnitValue(unit, ['error'], { message: 'Overloaded' }),
  ]),
  'lmstudio-error-in-channel': {
    unit: inMidStream((unit, context) =>
      context.dialect === 'lmstudio' && kindOf(unit, context) === 'channelError' && isObject(unit.data)
        ? [{ data: inChannel(unit) }]
        : [unit],
    ),
  },
};

const inChannel = (unit: Unit): Json => ({
  type: 'channelSend',
  channelId: valueOf(unit, 'channelId') ?? 0,
  message: { type: 'error', error: valueOf(unit, 'error') ?? null },
});

/** Whether a body is an error instead of an answer. */
const isRefusal = ({ what, status, dialect }: FaultContext): boolean =>
  what === 'answer' && status >= 400 && dialect !== 'lmstudio';

const refusals: ServerFaults = {
  'error-page': {
    bytes: (bytes, context) =>
      isRefusal(context) ? Buffer.from('<html><h1>Bad Request</h1></html>') : bytes,
  },
  'error-empty': { unit: (unit, context) => (isRefusal(context) ? [] : [unit]) },
  'error-detail': {
    unit: (unit, context) =>
      isRefusal(context) ? [{ data: { reason: 'Bad Request', code: context.status } }] : [unit],
  },
  'error-with-200': {
    headers: (headers, { what, status }) =>
      what === 'answer' && status >= 400 ? { ...headers, ':status': '200' } : headers,
  },
  'lmstudio-refusal-untitled': {
    unit: (unit, context) => {
      if (kindOf(unit, context) === 'fragment') context.memory.set('begun', 1);
      const refused =
        context.dialect === 'lmstudio' && isStreamedAnswer(context) && !context.memory.has('begun');
      return refused && kindOf(unit, context) === 'channelError'
        ? [withUnitValue(unit, ['error'], { message: 'no' })]
        : [unit];
    },
  },
};

const counts: ServerFaults = faultsFor(['anthropic', 'openai-responses', 'gemini'] as const, (dialect) => [
  `${dialect}-counts-half`,
  {
    unit: (unit, context) => {
      const name = dialect === 'gemini' ? 'totalTokens' : 'input_tokens';
      const tokens = valueOf(unit, name);
      return context.dialect === dialect && context.what === 'count' && typeof tokens === 'number'
        ? [withUnitValue(unit, [name], Math.floor(tokens / 2))]
        : [unit];
    },
  },
]);

export const errorFaults: ServerFaults = { ...streams, ...refusals, ...counts };
