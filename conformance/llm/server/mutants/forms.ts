/** Servers whose streams and bodies differ where a request demands a call: LLM-S35. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { at } from '../dialects/reader.ts';
import { inUnits, valueOf, withUnitValue } from './mutant.ts';
import type { FaultContext, ServerFault, ServerFaults } from './mutant.ts';

const isForced = ({ asked }: FaultContext): boolean =>
  asked['tool_choice'] !== undefined ||
  at(asked, 'toolConfig', 'functionCallingConfig') !== undefined ||
  at(asked, 'toolConfig', 'toolChoice') !== undefined;

/** Edits the body of an answer to a request that demands a call. */
const inForcedBody = (dialect: FaultContext['dialect'], edit: (unit: Unit) => Unit): ServerFault => ({
  unit: (unit, context) => {
    const meant = context.dialect === dialect && context.what === 'answer' && !context.streams;
    return [meant && isForced(context) ? edit(unit) : unit];
  },
});

/** Removes the items of one type from a list of a body. */
function without(unit: Unit, list: string, type: string): Unit {
  const items = valueOf(unit, list);
  const rest = isArray(items) ? items.filter((item) => !isObject(item) || item['type'] !== type) : [];
  return withUnitValue(unit, [list], rest);
}

const finish = ['choices', 0, 'finish_reason'] as const;

const stopped = (unit: Unit): Unit =>
  valueOf(unit, ...finish) === 'tool_calls' ? withUnitValue(unit, finish, 'stop') : unit;

export const formFaults: ServerFaults = {
  'openai-chat-body-has-text-for-a-call': inForcedBody('openai-chat', (unit) =>
    withUnitValue(stopped(unit), ['choices', 0, 'message'], {
      role: 'assistant',
      content: '<tool_call>{"name":"write_report"}</tool_call>',
    }),
  ),
  'openai-chat-stream-loses-forced-call': inUnits('openai-chat', /./, (unit, context) => {
    if (!isForced(context)) return undefined;
    return valueOf(unit, 'choices', 0, 'delta', 'tool_calls') === undefined ? [stopped(unit)] : [];
  }),
  'openai-chat-stream-stops-beside-forced-call': inUnits('openai-chat', /./, (unit, context) =>
    isForced(context) ? [stopped(unit)] : undefined,
  ),
  'anthropic-body-loses-forced-call': inForcedBody('anthropic', (unit) =>
    withUnitValue(without(unit, 'content', 'tool_use'), ['stop_reason'], 'end_turn'),
  ),
  'gemini-body-loses-forced-call': inForcedBody('gemini', (unit) =>
    withUnitValue(unit, ['candidates', 0, 'content', 'parts'], [{ text: 'write_report(title="wires")' }]),
  ),
  'bedrock-body-loses-forced-call': inForcedBody('bedrock', (unit) =>
    withUnitValue(
      withUnitValue(unit, ['output', 'message', 'content'], [{ text: 'write_report(title="wires")' }]),
      ['stopReason'],
      'end_turn',
    ),
  ),
  'openai-responses-body-loses-forced-call': inForcedBody('openai-responses', (unit) =>
    without(unit, 'output', 'function_call'),
  ),
};
