/** Servers with errors in a wrong form, or with counts that differ from their usage: LLM-S14, S16, S17. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, kindOf, mutant, isStreamedAnswer, unitFault, valueOf } from './mutant.ts';
import type { ServerFault, FaultContext } from './mutant.ts';

type UnitEdit = (unit: Unit) => readonly Unit[];

const midStream = (id: string, title: string, dialect: DialectName, kind: string, edit: UnitEdit): Mutant =>
  mutant('LLM-S14', `${dialect}-${id}`, title, { unit: inMidStream(unitFault(dialect, kind, edit)) });

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

const streams: readonly Mutant[] = [
  midStream('error-as-text', 'The error in its event is a text.', 'anthropic', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  midStream('error-untyped', 'The data of its event has no type.', 'anthropic', 'error', (unit) => [
    withUnitValue(unit, ['type'], undefined),
  ]),
  midStream('error-as-text', 'Its error is a text.', 'openai-chat', 'error', (unit) => [
    withUnitValue(unit, ['error'], 'Overloaded'),
  ]),
  midStream('error-without-message', 'Its error has no message.', 'openai-responses', 'error', (unit) => [
    withUnitValue(unit, ['error', 'message'], undefined),
  ]),
  midStream('error-as-object', 'Its error is an object.', 'ollama', 'line', (unit) =>
    valueOf(unit, 'error') === undefined
      ? [unit]
      : [withUnitValue(unit, ['error'], { message: 'Overloaded' })],
  ),
  midStream('error-untitled', 'Its error has no title.', 'lmstudio', 'channelError', (unit) => [
    withUnitValue(unit, ['error'], { message: 'Overloaded' }),
  ]),
  mutant('LLM-S14', 'lmstudio-error-in-channel', 'It sends its error as a message of the channel.', {
    unit: inMidStream((unit, context) =>
      context.dialect === 'lmstudio' && kindOf(unit, context) === 'channelError' && isObject(unit.data)
        ? [{ data: inChannel(unit) }]
        : [unit],
    ),
  }),
];

const inChannel = (unit: Unit): Json => ({
  type: 'channelSend',
  channelId: valueOf(unit, 'channelId') ?? 0,
  message: { type: 'error', error: valueOf(unit, 'error') ?? null },
});

/** Whether a body is an error instead of an answer. */
const isRefusal = ({ what, status, dialect }: FaultContext): boolean =>
  what === 'answer' && status >= 400 && dialect !== 'lmstudio';

const refusals: readonly Mutant[] = [
  mutant('LLM-S17', 'error-page', 'It refuses with an HTML page.', {
    bytes: (bytes, context) =>
      isRefusal(context) ? Buffer.from('<html><h1>Bad Request</h1></html>') : bytes,
  }),
  mutant('LLM-S17', 'error-empty', 'It refuses with an empty body.', {
    unit: (unit, context) => (isRefusal(context) ? [] : [unit]),
  }),
  mutant('LLM-S17', 'error-detail', 'It refuses in the error form of its web framework.', {
    unit: (unit, context) =>
      isRefusal(context) ? [{ data: { reason: 'Bad Request', code: context.status } }] : [unit],
  }),
  mutant('LLM-S17', 'error-with-200', 'It refuses with an error and status 200.', {
    headers: (headers, { what, status }) =>
      what === 'answer' && status >= 400 ? { ...headers, ':status': '200' } : headers,
  }),
  mutant('LLM-S17', 'lmstudio-refusal-untitled', 'It closes channels with an error without a title.', {
    unit: (unit, context) => {
      if (kindOf(unit, context) === 'fragment') context.memory.set('begun', 1);
      const refused =
        context.dialect === 'lmstudio' && isStreamedAnswer(context) && !context.memory.has('begun');
      return refused && kindOf(unit, context) === 'channelError'
        ? [withUnitValue(unit, ['error'], { message: 'no' })]
        : [unit];
    },
  }),
];

const counts: readonly Mutant[] = (['anthropic', 'openai-responses'] as const).map((dialect) =>
  mutant('LLM-S16', `${dialect}-counts-half`, `In ${dialect} it counts half of a prompt.`, {
    unit: (unit, context) => {
      const tokens = valueOf(unit, 'input_tokens');
      return context.dialect === dialect && context.what === 'count' && typeof tokens === 'number'
        ? [withUnitValue(unit, ['input_tokens'], Math.floor(tokens / 2))]
        : [unit];
    },
  }),
);

/** The mutants of this theme. */
export const errorMutants: readonly Mutant[] = [...streams, ...refusals, ...counts];
