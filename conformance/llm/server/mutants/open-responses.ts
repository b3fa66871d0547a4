/** Servers that break the Open Responses specification: LLM-S60 to S66. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { at } from '../dialects/reader.ts';
import { prompts } from '../prompts.ts';
import { textOf } from '../words.ts';
import { inUnits, isStreamedAnswer, kindOf, valueOf, withUnitValue } from './mutant.ts';
import type { FaultContext, ServerFaults, UnitEdit } from './mutant.ts';

const dialect = 'openai-responses';

/** An event with the number of another one. */
const numbered = (data: JsonObject, number: unknown): Unit => ({
  event: textOf(data['type']),
  data: { type: data['type'] ?? null, sequence_number: Number(number), ...data },
});

/** Puts events before those of a type, and renumbers all later events. */
export const eventsBefore =
  (type: RegExp, make: (unit: Unit) => readonly JsonObject[]): UnitEdit =>
  (unit, { memory, socket }) => {
    const number = valueOf(unit, 'sequence_number');
    // On a WebSocket, events need their lane.
    if (socket || typeof number !== 'number') return undefined;
    const shift = memory.get('shift') ?? 0;
    const put = type.test(textOf(valueOf(unit, 'type'))) ? make(unit) : [];
    memory.set('shift', shift + put.length);
    const before = put.map((data, i) => numbered(data, number + shift + i));
    return [...before, withUnitValue(unit, ['sequence_number'], number + shift + put.length)];
  };

/** The events of one more item, at the end of a response. */
const itemEvents =
  (item: JsonObject) =>
  (unit: Unit): readonly JsonObject[] => {
    const output = valueOf(unit, 'response', 'output');
    const index = isArray(output) ? output.length : 0;
    return ['added', 'done'].map((what) => ({
      type: `response.output_item.${what}`,
      output_index: index,
      item,
    }));
  };

/** Puts one more item at the end of responses of a type. */
export const itemAtEnd =
  (type: RegExp, item: JsonObject): UnitEdit =>
  (unit, context) => {
    const put = eventsBefore(type, itemEvents(item))(unit, context);
    return put?.map((one) => {
      const output = valueOf(one, 'response', 'output');
      return type.test(textOf(valueOf(one, 'type'))) && isArray(output)
        ? withUnitValue(one, ['response', 'output'], [...output, item])
        : one;
    });
  };

/** Removes a member of the messages in events, and in a whole body. */
const messagesWithout =
  (name: string, events: RegExp) =>
  (unit: Unit, context: FaultContext): readonly Unit[] => {
    if (context.dialect !== dialect || context.status >= 400) return [unit];
    const isEvent = isStreamedAnswer(context) && events.test(kindOf(unit, context));
    return isEvent && valueOf(unit, 'item', 'type') === 'message'
      ? [withUnitValue(unit, ['item', name], undefined)]
      : [unit];
  };

/** Whether a request forbids calls of some tools. */
const forbids = ({ tool_choice: choice }: JsonObject): boolean =>
  choice === 'none' || at(choice, 'type') === 'allowed_tools';

export const openResponsesFaults: ServerFaults = {
  'open-responses-without-done': inUnits(dialect, '[DONE]', () => []),
  'open-responses-event-ids': {
    bytes: (bytes, context) =>
      context.dialect === dialect && isStreamedAnswer(context) && !context.socket
        ? Buffer.concat([Buffer.from('id: 7\n'), bytes])
        : bytes,
  },
  'open-responses-item-after-cut': inUnits(
    dialect,
    /./,
    itemAtEnd(/^response\.incomplete$/, {
      id: 'msg_more',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [],
    }),
  ),
  'open-responses-messages-without-status': {
    unit: messagesWithout('status', /^response\.output_item\.(added|done)$/),
  },
  'open-responses-message-without-role': { unit: messagesWithout('role', /^response\.output_item\.added$/) },
  'open-responses-own-event': inUnits(
    dialect,
    /./,
    eventsBefore(/^response\.in_progress$/, () => [{ type: 'trace_event', phase: 'queue' }]),
  ),
  'open-responses-own-item': inUnits(
    dialect,
    /./,
    itemAtEnd(/^response\.completed$/, { id: 'sr_1', type: 'search_result', status: 'completed' }),
  ),
  'open-responses-forgets': {
    asked: (body, context) => [
      context.dialect === dialect && !context.socket && body['previous_response_id'] !== undefined
        ? { ...body, input: 17 }
        : body,
    ],
  },
  'open-responses-calls-forbidden-tool': {
    asked: (body, context) => [
      context.dialect === dialect && forbids(body) ? { ...body, input: prompts.weather } : body,
    ],
  },
};
