/**
 * Translates operators' events to the events of the published ClientService, and back. ClientService has no event for
 * `started`, `file` and the session events; a cancellation is an error whose message begins with `canceled`.
 */
import { ToolStateNames, countsOf } from '../../messages.ts';
import type { ClientStreamEvent, ToolState } from '../../messages.ts';
import type { OperatorEvents } from '../../operator.ts';

/** An operator's event: its name and data. */
export interface NamedEvent {
  readonly name: string;
  readonly data: unknown;
}

/** A client's event without its conversation and time. */
type Payload = Omit<ClientStreamEvent, 'conversation_key' | 'timestamp'>;

type Maker<K extends keyof OperatorEvents> = (data: OperatorEvents[K], agentId: string) => ClientStreamEvent;

const prefix = 'TOOL_STATE_';

/** The schema's tool state of an operator's: `canceled` has two l there; a number stays a number. */
function wireState(state: string): ToolState {
  if (/^-?\d+$/.test(state)) return Number(state);
  const name = prefix + (state === 'canceled' ? 'cancelled' : state).toUpperCase();
  return ToolStateNames.find((one) => one === name) ?? 'TOOL_STATE_UNSPECIFIED';
}

/** The operator's name of a tool state; an unknown state is its number. */
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
 * An operator's event as a client's, without its conversation and time; undefined when ClientService has none.
 *
 * @example
 * clientEventOf({ name: 'text', data: { text: 'hi' } }, 'a-1'); // { text: { content: 'hi' } }
 */
export function clientEventOf(event: NamedEvent, agentId: string): ClientStreamEvent | undefined {
  if (!Object.hasOwn(makers, event.name)) return undefined;
  // The gateway is our own, so the data has the type of its name.
  const make = makers[event.name as keyof OperatorEvents];
  return make?.(event.data as never, agentId);
}

const canceled = /^cancell?ed(?:: (.*))?$/s;

function endedBy(message: string): NamedEvent {
  const found = canceled.exec(message);
  if (found === null) return { name: 'error', data: { error: message } };
  return { name: 'canceled', data: { reason: found[1] ?? '' } };
}

/** The names that gateways give to stored ends, by the operator's name. */
const storedEnds: { readonly [type: string]: 'done' | 'error' | 'canceled' } = {
  done: 'done',
  completed: 'done',
  error: 'error',
  failed: 'error',
  canceled: 'canceled',
  cancelled: 'canceled',
};

/**
 * A stored event as an operator's: its end of a request. Other stored events repeat earlier payloads, or are the
 * operator's own message, and are left out.
 */
function storedEvent({ type = '', text = '' }: NonNullable<Payload['event']>): NamedEvent | undefined {
  const name = type.toLowerCase().replace(/^event_type_/, '');
  const end = Object.hasOwn(storedEnds, name) ? storedEnds[name] : undefined;
  if (end === 'done') return { name: end, data: { full_response: text } };
  if (end === 'canceled') return { name: end, data: { reason: text } };
  return end === undefined ? undefined : endedBy(text);
}

/** The tool events of {@link operatorEventOf}. */
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
    const shown = detail === undefined ? {} : { detail };
    return { name: 'tool_state', data: { id, state: operatorState(state), ...shown } };
  }
  if (tool_approval === undefined) return undefined;
  const { tool_id: id = '', tool_name: name = '', input_json = '', request_id = '' } = tool_approval;
  return { name: 'tool_approval', data: { id, name, input_json, request_id } };
}

/**
 * A client's event as an operator's; undefined without an event that the schema knows.
 *
 * @example
 * operatorEventOf({ text: { content: 'hi' } }); // { name: 'text', data: { text: 'hi' } }
 */
export function operatorEventOf(event: ClientStreamEvent): NamedEvent | undefined {
  if (event.text !== undefined) return { name: 'text', data: { text: event.text.content ?? '' } };
  if (event.thinking !== undefined) return { name: 'thinking', data: { text: event.thinking.content ?? '' } };
  if (event.usage !== undefined) return { name: 'usage', data: countsOf(event.usage) };
  if (event.done !== undefined)
    return { name: 'done', data: { full_response: event.done.full_response ?? '' } };
  if (event.error !== undefined) return endedBy(event.error.message ?? '');
  if (event.event !== undefined) return storedEvent(event.event);
  return toolEvent(event);
}
