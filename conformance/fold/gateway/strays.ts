/** Acts of agents that a gateway must tolerate, with the row that demands it, and responses that must not reach operators. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { eventOf } from '../../../src/fold/index.ts';
import type { AgentMessage } from '../../../src/fold/index.ts';
import type { ForwardedRequest, GatewayView, Provocation, StreamView } from './model.ts';
import { agentIdOf } from './model.ts';

/** The request of another agent with this id; undefined when there is none. */
function ownerElsewhere(view: GatewayView, stream: StreamView, id: string): ForwardedRequest | undefined {
  const own = agentIdOf(stream);
  for (const other of view.streams.values()) {
    if (other === stream) continue;
    const asked = other.requests.get(id);
    if (asked !== undefined && (agentIdOf(other) !== own || other.ended === undefined)) return asked;
  }
  return undefined;
}

/** Whether this agent received the request on an earlier stream. */
function ownBefore(view: GatewayView, stream: StreamView, id: string): boolean {
  const own = agentIdOf(stream);
  for (const other of view.streams.values())
    if (other !== stream && agentIdOf(other) === own && other.requests.has(id)) return true;
  return false;
}

/** Whether the gateway ended a request on its own, because the operator asked to cancel it. */
const givenUp = (asked: ForwardedRequest): boolean =>
  asked.call?.terminal !== undefined &&
  asked.call.terminal.seq < (asked.request.terminal?.seq ?? Infinity) &&
  (asked.request.cancel !== undefined || asked.stopAsked !== undefined);

/** The row that demands that the gateway ignores a response, and a description; undefined for a proper response. */
export function strayOf(
  view: GatewayView,
  stream: StreamView,
  message: AgentMessage,
): { readonly row: string | undefined; readonly what: string } | undefined {
  const { response } = message;
  if (response === undefined || stream.session.welcome === undefined) return undefined;
  const id = response.request_id ?? '';
  const asked = stream.requests.get(id);
  if (asked === undefined) {
    if (ownerElsewhere(view, stream, id) !== undefined)
      return { row: 'FOLD-G23', what: `a response for request ${id}, which another agent was sent` };
    if (ownBefore(view, stream, id) || stream.session.forgotten > 0)
      return { row: undefined, what: `a response for ${id}, a request of an earlier stream` };
    return { row: 'FOLD-G22', what: `a response for "${id}", which is not a request` };
  }
  if (asked.ambiguous) return undefined;
  if (givenUp(asked)) return { row: 'FOLD-G41', what: `an event of ${id} after the gateway ended it` };
  const terminal = asked.request.terminal?.event;
  if (terminal === undefined) return undefined;
  return {
    row: terminal === 'cancelled' ? 'FOLD-G37' : 'FOLD-G21',
    what: `an event of ${id} after its ${terminal}`,
  };
}

/** The provocation by an agent's event; undefined for an ordinary event. */
export function provocationOf(view: GatewayView, event: TraceEvent): Provocation | undefined {
  const { agentStream: stream } = view;
  if (stream === undefined || event.from === 'target' || event.from === 'kit') return undefined;
  if (stream.session.phase !== 'ready' || stream.ended !== undefined || stream.disturbed) return undefined;
  const of = (row: string, what: string): Provocation => ({ row, what, seq: event.seq, at: event.at });
  if (event.kind === 'undecodable') return of('FOLD-G24', 'bytes that are not a message');
  if (event.kind !== 'message') return undefined;
  const message: AgentMessage = event.data;
  if (message.register !== undefined) return of('FOLD-G09', 'a second register');
  if (message.heartbeat !== undefined) return of('FOLD-G43', 'a heartbeat');
  if (message.injection_ack !== undefined) return of('FOLD-G35', 'an injection_ack');
  if (message.execute_pack_tool !== undefined) return undefined;
  const stray = strayOf(view, stream, message);
  if (stray !== undefined) return stray.row === undefined ? undefined : of(stray.row, stray.what);
  return provokingEvent(message, of);
}

function provokingEvent(
  { response }: AgentMessage,
  of: (row: string, what: string) => Provocation,
): Provocation | undefined {
  if (response === undefined) return of('FOLD-G24', 'a message with no payload that the schema knows');
  if (eventOf(response) === undefined)
    return of('FOLD-G24', 'a response with no event that the schema knows');
  if (response.session_init !== undefined) return of('FOLD-G46', 'session_init');
  if (response.session_orphaned !== undefined) return of('FOLD-G46', 'session_orphaned');
  return undefined;
}
