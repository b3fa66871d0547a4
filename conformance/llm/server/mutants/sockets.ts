/** Servers with faults on the WebSocket of Responses: LLM-S40 to S42, and the form of its errors (LLM-S17). */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { FaultContext, ServerFault, ServerFaults, UnitEdit } from './mutant.ts';
import { valueOf, withUnitValue } from './mutant.ts';

/** A fault in the messages of the server on the WebSocket of Responses. */
export const onSocket = (edit: UnitEdit): ServerFault => ({
  unit: (unit, context) => (isResponses(context) ? (edit(unit, context) ?? [unit]) : [unit]),
});

/** A fault in how the server takes a client's messages there. */
const takesOnSocket = (edit: (message: JsonObject) => JsonObject): ServerFault => ({
  asked: (message, context) => [isResponses(context) ? edit(message) : message],
});

const isResponses = ({ socket, dialect }: FaultContext): boolean => socket && dialect === 'openai-responses';

export const socketFaults: ServerFaults = {
  'responses-socket-without-lanes': onSocket((unit) => [withUnitValue(unit, ['stream_id'], undefined)]),
  'responses-socket-own-lanes': onSocket((unit) => {
    const { data } = unit;
    return isObject(data) && data['stream_id'] === undefined
      ? [{ ...unit, data: { ...data, stream_id: 'default' } }]
      : undefined;
  }),
  'responses-socket-forgets': takesOnSocket((message) =>
    message['previous_response_id'] === undefined
      ? message
      : { ...message, previous_response_id: 'resp_of_no_connection' },
  ),
  'responses-socket-warm-up-answers': takesOnSocket((message) => ({ ...message, generate: true })),
  'responses-socket-error-with-success': onSocket((unit) =>
    valueOf(unit, 'type') === 'error' ? [withUnitValue(unit, ['status'], 200)] : undefined,
  ),
};
