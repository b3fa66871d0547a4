/**
 * The events of a request as the published ClientService shows them, and back. Its stream has no place for
 * `started`, `file` and the session events; a cancellation is an error that begins with `canceled`.
 */
import { ToolStateNames } from '../../messages.ts';
import type { ClientStreamEvent, ToolState } from '../../messages.ts';
import type { OperatorEvents } from '../../operator.ts';

/** An operator's event: its name and data. */
export interface NamedEvent {
  readonly name: string;
  readonly data: unknown;
}

/** What of a client's event stands for an operator's event. */
type Payload = Omit<ClientStreamEvent, 'conversation_key' | 'timestamp'>;

type Maker<K extends keyof OperatorEvents> = (data: OperatorEvents[K], agentId: string) => ClientStreamEvent;

const prefix = 'TOOL_STATE_';

/** A state's published name by the operator's: `canceled` has two l there; a number stays a number. */
function wireState(state: string): ToolState {
  if (/^-?\d+$/.test(state)) return Number(state);
  const name = prefix + (state === 'canceled' ? 'cancelled' : state).toUpperCase();
  return ToolStateNames.find((one) => one === name) ?? 'TOOL_STATE_UNSPECIFIED';
}

/** An operator's name of a state; of one the schema does not know, its number. */
function operatorState(state: string | number | undefined): string {
  const name = String(state ?? 'unspecified').toLowerCase();
  const bare = name.startsWith('tool_state_') ? name.slice(prefix.length) : name;
  return bare === 'cancelled' ? 'canceled' : bare;
}

const makers: { readonly [K in keyof OperatorEvents]?: Maker<K> } = {
  text: ({ text }) => ({ text: { content: text } }),
  thinking: ({ text }) => ({ thinking: { content: text } }),
  tool_use: (data) => ({ tool_use: data }),
  tool_result: (data) => ({ tool_result: data }),
  tool_state: ({ state, ...rest }) => ({ tool_state: { ...rest, state: wireState(state) } }),
  tool_approval: ({ id, name, input_json, request_id }, agent_id) => ({
    tool_approval: { agent_id, request_id, tool_id: id, tool_name: name, input_json },
  }),
  usage: (data) => ({ usage: data }),
  done: ({ full_response }) => ({ done: { full_response } }),
  error: ({ error }) => ({ error: { message: error } }),
  canceled: ({ reason }) => ({ error: { message: reason === '' ? 'canceled' : `canceled: ${reason}` } }),
};

/**
 * An operator's event as a client's, without its conversation and time; nothing where ClientService shows none.
 *
 * @example
 * clientEventOf({ name: 'text', data: { text: 'hi' } }, 'a-1'); // { text: { content: 'hi' } }
 */
export function clientEventOf(event: NamedEvent, agentId: string): ClientStreamEvent | undefined {
  if (!Object.hasOwn(makers, event.name)) return undefined;
  // The gateway is our own: under this name it sends this data.
  const make = makers[event.name as keyof OperatorEvents] as Maker<keyof OperatorEvents> | undefined;
  return make?.(event.data as never, agentId);
}

/** What a count is that the wire leaves out. */
const noUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  thinking_tokens: 0,
};

const canceled = /^cancell?ed(?:: (.*))?$/s;

function ended(message: string): NamedEvent {
  const found = canceled.exec(message);
  if (found === null) return { name: 'error', data: { error: message } };
  return { name: 'canceled', data: { reason: found[1] ?? '' } };
}

/** The tools' part of {@link operatorEventOf}. */
function toolEvent(event: Payload): NamedEvent | undefined {
  const { tool_use, tool_result, tool_state, tool_approval } = event;
  if (tool_use !== undefined) {
    const { id = '', name = '', input_json = '' } = tool_use;
    return { name: 'tool_use', data: { id, name, input_json } };
  }
  if (tool_result !== undefined) {
    const { id = '', output = '', is_error = false } = tool_result;
    return { name: 'tool_result', data: { id, output, is_error } };
  }
  if (tool_state !== undefined) {
    const { id = '', state, detail } = tool_state;
    const told = detail === undefined ? {} : { detail };
    return { name: 'tool_state', data: { id, state: operatorState(state), ...told } };
  }
  if (tool_approval === undefined) return undefined;
  const { tool_id: id = '', tool_name: name = '', input_json = '', request_id = '' } = tool_approval;
  return { name: 'tool_approval', data: { id, name, input_json, request_id } };
}

/**
 * A client's event as the operator's it stands for; nothing where it carries none the schema knows.
 *
 * @example
 * operatorEventOf({ text: { content: 'hi' } }); // { name: 'text', data: { text: 'hi' } }
 */
export function operatorEventOf(event: ClientStreamEvent): NamedEvent | undefined {
  if (event.text !== undefined) return { name: 'text', data: { text: event.text.content ?? '' } };
  if (event.thinking !== undefined) return { name: 'thinking', data: { text: event.thinking.content ?? '' } };
  if (event.usage !== undefined) return { name: 'usage', data: { ...noUsage, ...event.usage } };
  if (event.done !== undefined)
    return { name: 'done', data: { full_response: event.done.full_response ?? '' } };
  if (event.error !== undefined) return ended(event.error.message ?? '');
  return toolEvent(event);
}
