/** Servers with faults in calls of custom tools: LLM-S06, S07 and S20. */
import { textOf } from '../words.ts';
import { inUnits, valueOf, withUnitValue } from './mutant.ts';
import type { ServerFaults } from './mutant.ts';

/** The input of a custom call in an item that is done, and in the final response. */
const inputs = [
  ['item', 'input'],
  ['response', 'output', 0, 'input'],
] as const;

export const customFaults: ServerFaults = {
  'openai-responses-custom-input-differs': inUnits(
    'openai-responses',
    'response.custom_tool_call_input.done',
    (unit) => [withUnitValue(unit, ['input'], `${textOf(valueOf(unit, 'input'))} `)],
  ),
  'openai-responses-custom-item-differs': inUnits(
    'openai-responses',
    /^response\.(output_item\.done|completed|incomplete)$/,
    (unit) => [
      inputs.reduce((now, path) => {
        const text = valueOf(now, ...path);
        return typeof text === 'string' ? withUnitValue(now, path, `${text} `) : now;
      }, unit),
    ],
  ),
  'openai-chat-custom-call-unnamed': inUnits('openai-chat', 'chunk', (unit) => [
    withUnitValue(unit, ['choices', 0, 'delta', 'tool_calls', 0, 'custom', 'name'], undefined),
  ]),
  'openai-responses-body-custom-call-unnamed': {
    unit: (unit, { dialect, what, streams }) =>
      dialect === 'openai-responses' && what === 'answer' && !streams
        ? [
            valueOf(unit, 'output', 0, 'type') === 'custom_tool_call'
              ? withUnitValue(unit, ['output', 0, 'name'], '')
              : unit,
          ]
        : [unit],
  },
};
