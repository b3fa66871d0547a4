/** Translates an agent's events for operators: one row for each event. */
import type { EventName, MessageResponse } from '../messages.ts';
import { countsOf, eventOf } from '../messages.ts';
import type { OperatorReply } from '../operator.ts';

/** The published name of a tool state: lower case, without prefix, canceled with one l; a number stays a number. */
export const stateName = (state: string | number): string =>
  typeof state === 'number'
    ? String(state)
    : state.replace('TOOL_STATE_', '').toLowerCase().replace('cancelled', 'canceled');

const rows: { readonly [E in EventName]: (response: MessageResponse) => OperatorReply } = {
  thinking: ({ thinking: text = '' }) => ({ thinking: { text } }),
  text: ({ text = '' }) => ({ text: { text } }),
  tool_use: ({ tool_use: { id = '', name = '', input_json = '' } = {} }) => ({
    tool_use: { id, name, input_json },
  }),
  tool_state: ({ tool_state: { id = '', state = 'TOOL_STATE_UNSPECIFIED', detail } = {} }) => ({
    tool_state: { id, state: stateName(state), ...(detail === undefined ? {} : { detail }) },
  }),
  tool_approval_request: ({
    request_id = '',
    tool_approval_request: { id = '', name = '', input_json = '' } = {},
  }) => ({ tool_approval: { id, name, input_json, request_id } }),
  tool_result: ({ tool_result: { id = '', output = '', is_error = false } = {} }) => ({
    tool_result: { id, output, is_error },
  }),
  usage: ({ usage = {} }) => ({ usage: countsOf(usage) }),
  file: ({ file: { filename = '', mime_type = '', data = '' } = {} }) => ({
    file: { filename, mime_type, data },
  }),
  session_init: ({ session_init: { session_id = '' } = {} }) => ({ session_init: { session_id } }),
  session_orphaned: ({ session_orphaned: { reason = '' } = {} }) => ({ session_orphaned: { reason } }),
  done: ({ done: { full_response = '' } = {} }) => ({ done: { full_response } }),
  error: ({ error = '' }) => ({ error: { error } }),
  cancelled: ({ cancelled: { reason = '' } = {} }) => ({ canceled: { reason } }),
};

/** A response as an operator's reply; undefined without an event that the schema knows (G24). */
export function replyOf(response: MessageResponse): OperatorReply | undefined {
  // The short path: texts come by the thousand.
  if (response.text !== undefined) return { text: { text: response.text } };
  const event = eventOf(response);
  return event === undefined ? undefined : rows[event](response);
}
