/** An agent's events as operators see them: one row an event, by its published name. */
import { countsOf } from './ledger.ts';
import type { EventName, MessageResponse } from '../messages.ts';
import { eventOf } from '../messages.ts';
import type { OperatorReply } from '../operator.ts';

/** The tool state's name on the published face: lower case, no prefix, canceled with one l; a number as it is. */
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

/** What an operator hears of a response; undefined when it carries no event that the schema knows (G24). */
export function replyOf(response: MessageResponse): OperatorReply | undefined {
  // The one that comes by the thousand.
  if (response.text !== undefined) return { text: { text: response.text } };
  const event = eventOf(response);
  return event === undefined ? undefined : rows[event](response);
}
