/** Servers with faults on the WebSocket of Responses: LLM-S40 to S42, S45, and the form of its errors (LLM-S17). */
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { OwnPeer } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { FaultContext, ServerFault, ServerFaults, UnitEdit } from './mutant.ts';
import { valueOf, withUnitValue } from './mutant.ts';
import { socketDialect } from '../asked.ts';
import { hosted, referenceRole } from '../target.ts';

/** A fault in the messages of the server on the WebSocket of Responses. */
export const onSocket = (edit: UnitEdit): ServerFault => ({
  unit: (unit, context) => (isResponses(context) ? (edit(unit, context) ?? [unit]) : [unit]),
});

/** A fault in how the server takes a client's messages there. */
const takesOnSocket = (edit: (message: JsonObject) => JsonObject): ServerFault => ({
  asked: (message, context) => [isResponses(context) ? edit(message) : message],
});

const isResponses = ({ socket, dialect }: FaultContext): boolean => socket && dialect === 'openai-responses';

/** Has no WebSocket: an upgrade gets the status of a path that is not there. */
const refusesUpgrade: OwnPeer = {
  make: (options) =>
    hosted(
      intercepted(referenceRole(options), () => {
        const refused = new Set<string>();
        return {
          input(input) {
            if (input.type === 'opened' && socketDialect(input.metadata) === 'openai-responses')
              refused.add(input.peer);
            return [input];
          },
          output(output) {
            if (!('peer' in output) || !refused.has(output.peer) || output.type !== 'send') return [output];
            const { peer } = output;
            const metadata = { ':status': '404' };
            return [
              { type: 'headers', peer, metadata },
              { type: 'close', peer, status: { code: 0, message: '' } },
            ];
          },
        };
      }),
    ),
};

export const socketFaults: ServerFaults = {
  'responses-socket-refused': refusesUpgrade,
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
