/** Responses of agents, and the events that the gateway owes the operator for them. */
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import { remembered } from '../../../src/fold/index.ts';
import type { AgentMessage, Moment } from '../../../src/fold/index.ts';
import { owedOf } from './feed.ts';
import type { ForwardedRequest, GatewayView, OwedEvent, StreamView } from './model.ts';
import { membersOf, textOf } from './model.ts';
import { strayOf } from './strays.ts';

/** The most stray events that are kept. */
const straysKept = 256;

/** Takes a response into the view. Call it before the session takes the message. */
export function takeResponse(
  view: GatewayView,
  stream: StreamView,
  message: AgentMessage,
  now: Moment,
): void {
  const response = message.response ?? {};
  const owed = owedOf(response, now);
  const stray = strayOf(view, stream, message);
  if (stray !== undefined) {
    if (owed === undefined) return;
    const { name, data } = owed;
    view.strays.push({ ...momentOf(now), row: stray.row, name, data, id: response.request_id ?? '' });
    if (view.strays.length > straysKept) view.strays.shift();
    return;
  }
  const asked = stream.requests.get(response.request_id ?? '');
  if (asked === undefined || stream.session.phase !== 'ready') return;
  burst(asked, now.at);
  asked.odd = owed === undefined ? momentOf(now) : asked.odd;
  if (owed === undefined) return;
  const isSession = owed.name === 'session_init' || owed.name === 'session_orphaned';
  if (isSession) asked.sessionEvent = momentOf(now);
  asked.sessionLast = isSession;
  asked.states ||= owed.name === 'tool_state';
  asked.unknownState ||= typeof response.tool_state?.state === 'number';
  asked.said ||= owed.name === 'text' && owed.text !== '';
  if (owed.name === 'tool_approval') ask(stream, textOf(membersOf(owed.data)['id']), now);
  if (owed.text === '') return;
  if (asked.call !== undefined && asked.call.terminal === undefined) owe(asked, owed);
}

/** The most pending events of one request. Beyond it, the request is ambiguous. */
const owedKept = 50_000;

function owe(asked: ForwardedRequest, owed: OwedEvent): void {
  if (asked.ambiguous || asked.call?.stream.ended !== undefined) return;
  asked.pending.push(owed);
  if (asked.pending.length <= owedKept) return;
  asked.ambiguous = true;
  asked.pending = [];
}

/** The time of one burst (ms). */
const burstWithin = 100;

function burst(asked: ForwardedRequest, at: number): void {
  if (at - asked.burstFrom > burstWithin) {
    asked.burstFrom = at;
    asked.burstCount = 0;
  }
  asked.burstCount++;
  asked.burst = Math.max(asked.burst, asked.burstCount);
}

function ask(stream: StreamView, id: string, now: Moment): void {
  const known = stream.asks.get(id);
  if (known !== undefined) known.asked++;
  else stream.asks.set(id, { asked: 1, wanted: 0, decided: 0, seq: now.seq });
  forgetOldest(stream.asks, remembered);
}
