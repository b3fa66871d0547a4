/** FOLD-A13 to A22: requests and their events. */
import { exercised, rule, unknowable, violated } from '../../../src/kit/check/index.ts';
import type { Findings, Rule } from '../../../src/kit/check/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { eventOf } from '../../../src/fold/index.ts';
import type { Request } from '../../../src/fold/index.ts';
import type { FoldView, StreamView } from '../view.ts';
import {
  agentMessage,
  endsRequest,
  blocked,
  namedRequest,
  requestOf,
  responseOf,
  serverMessage,
  streamOf,
} from '../view.ts';

const terminals = ['response.done', 'response.error', 'response.cancelled'];

const knownRequest = rule({
  requirement: 'FOLD-A13',
  listens: ['response'],
  start: () => null,
  step(_, event, view: FoldView) {
    const session = streamOf(view, event)?.session;
    if (session === undefined || session.register === undefined) return undefined;
    if (namedRequest(view, event) !== undefined) return exercised(event);
    const id = responseOf(event).request_id ?? '';
    if (session.forgotten > 0) return unknowable(event, 'more requests than are remembered');
    return violated(event, `expected the request_id of a SendMessage received on this stream; came "${id}"`);
  },
});

/** Whether another rule answers for a request that has not ended. */
const excused = (request: Request): boolean =>
  request.cancel !== undefined ||
  [...request.tools.values()].some(
    (t) =>
      t.decided !== undefined && (!t.decided.approved || (t.ended === undefined && t.result === undefined)), // FOLD-A33's, FOLD-A20's
  );

function unended(stream: StreamView, view: FoldView, last: TraceEvent): Findings {
  const { session } = stream;
  if (stream.disturbed || stream.ended?.by === 'kit' || session.shutdown !== undefined) return undefined;
  const found = [];
  for (const request of session.active.values()) {
    const since = request.last;
    if (excused(request) || blocked(request, session, last.at, view.timeouts)) continue;
    if (last.at - since.at < view.timeouts.step) continue;
    const waited = Math.round(last.at - since.at);
    found.push(
      violated(
        last,
        `expected done, error or cancelled for request ${request.id}; none came, and nothing for ${waited} ms`,
        [request.seq, since.seq],
      ),
    );
  }
  return found;
}

const everyRequestEnds = rule({
  requirement: 'FOLD-A14',
  listens: [...terminals, 'half_close', 'reset', 'end'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.kind === 'message') return requestOf(view, event) === undefined ? undefined : exercised(event);
    const stream = streamOf(view, event);
    if (stream === undefined || event.from !== 'target' || stream.disturbed || stream.ended !== undefined)
      return undefined;
    if (stream.session.shutdown !== undefined || stream.closedByTarget !== undefined) return undefined;
    const open = [...stream.session.active.values()];
    if (open.length === 0) return undefined;
    return violated(
      event,
      `expected done, error or cancelled before the stream ends; the target ended it with ${open.map((r) => r.id).join(', ')} open`,
      open.map((r) => r.seq),
    );
  },
  end: (_, view, last) => [...view.streams.values()].flatMap((stream) => unended(stream, view, last) ?? []),
});

const nothingAfterTerminal = rule({
  requirement: 'FOLD-A15',
  listens: ['response'],
  start: () => null,
  step(_, event, view: FoldView) {
    const request = namedRequest(view, event);
    if (request?.terminal === undefined) return undefined;
    const after = Math.round(event.at - request.terminal.at);
    return violated(
      event,
      `expected nothing for request ${request.id} after its ${request.terminal.event}; ${eventOf(responseOf(event)) ?? 'an event'} came ${after} ms later`,
      [request.terminal.seq],
    );
  },
});

/** The other half of FOLD-A15, which most responses need not hear: a terminal puts it to the test. */
const terminalSeen = rule({
  requirement: 'FOLD-A15',
  listens: terminals,
  start: () => null,
  step: (_, event, view: FoldView) => (requestOf(view, event) === undefined ? undefined : exercised(event)),
});

const unknownEvents = /unknown field \d+ at response(?:;|$)/g;

/** How many events a response carries, by what was on the wire. */
function eventsIn(event: TraceEvent): number {
  let known = 0;
  for (const key in responseOf(event)) if (key !== 'request_id') known++;
  const { note } = event;
  if (note === undefined) return known;
  const several = /(\d+) members of event set/.exec(note)?.[1];
  const twice = /set twice at response/.test(note) ? 1 : 0;
  return (several === undefined ? known : Number(several)) + twice + (note.match(unknownEvents)?.length ?? 0);
}

const oneEvent = rule({
  requirement: 'FOLD-A16',
  listens: ['response', 'undecodable'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.from !== 'target') return undefined;
    if (event.kind === 'undecodable') {
      if (event.size !== undefined) return undefined; // too large to take: FOLD-A22's
      const registered = streamOf(view, event)?.session.register !== undefined;
      return registered
        ? violated(event, `expected a message with one event; came bytes that are none: ${event.note ?? ''}`)
        : undefined;
    }
    const events = eventsIn(event);
    return events === 1
      ? exercised(event)
      : violated(event, `expected exactly one event in a response; ${events} are set`);
  },
});

function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

const fullResponse = rule({
  requirement: 'FOLD-A17',
  listens: ['response.done'],
  start: () => null,
  step(_, event, view: FoldView) {
    const request = requestOf(view, event);
    const whole = responseOf(event).done?.full_response ?? '';
    if (request === undefined || whole === '') return undefined;
    if (request.text === undefined) return unknowable(event, 'more text than is remembered');
    if (whole === request.text) return exercised(event);
    const differs = firstDifference(whole, request.text);
    return violated(
      event,
      `expected full_response to be the joined text (${request.text.length} characters); it has ${whole.length} and differs from character ${differs}`,
      [request.seq],
    );
  },
});

const said = new WeakMap<Request, ReadonlySet<string>>();

/** The texts a request's directive has it say. */
function saysOf(request: Request): ReadonlySet<string> {
  const known = said.get(request);
  if (known !== undefined) return known;
  const says = new Set((request.steps ?? []).flatMap((step) => ('say' in step ? [step.say] : [])));
  said.set(request, says);
  return says;
}

const noMixing = rule({
  requirement: 'FOLD-A18',
  listens: ['response.text', ...terminals],
  start: () => ({ shared: new Set<string>() }),
  step(state, event, view: FoldView) {
    const session = streamOf(view, event)?.session;
    const request = requestOf(view, event);
    if (session === undefined || request?.steps === undefined) return undefined;
    const { text } = responseOf(event);
    if (text !== undefined && session.active.size < 2) return undefined;
    const key = `${event.stream} ${request.id}`;
    if (text === undefined) return state.shared.delete(key) ? exercised(event) : undefined;
    if (saysOf(request).has(text)) return void state.shared.add(key);
    for (const other of session.active.values()) {
      if (other !== request && saysOf(other).has(text)) {
        return violated(
          event,
          `expected each request's own text; request ${request.id} got text of request ${other.id}`,
          [request.seq, other.seq],
        );
      }
    }
    return undefined;
  },
});

const threadOrder = rule({
  requirement: 'FOLD-A19',
  listens: ['send_message', ...terminals, 'end', 'reset'],
  start: () => new Map<string, { readonly stream: string; readonly before: readonly Request[] }>(),
  step(state, event, view: FoldView) {
    const session = streamOf(view, event)?.session;
    if (session === undefined) return undefined;
    const sent = serverMessage(event).send_message;
    if (sent !== undefined && event.from !== 'target') {
      const thread = sent.thread_id ?? '';
      const before = thread === '' ? [] : [...session.active.values()].filter((r) => r.thread === thread);
      if (before.length > 0)
        state.set(`${event.stream} ${sent.request_id ?? ''}`, { stream: event.stream, before });
      return undefined;
    }
    if (event.kind !== 'message') {
      for (const [key, { stream }] of state) if (stream === event.stream) state.delete(key);
      return undefined;
    }
    const request = requestOf(view, event);
    const key = `${event.stream} ${request?.id ?? ''}`;
    const queued = state.get(key);
    if (request === undefined || queued === undefined) return undefined;
    state.delete(key);
    if (request.cancel !== undefined) return undefined;
    const open = queued.before.find((r) => r.terminal === undefined);
    if (open === undefined) return exercised(event);
    return violated(
      event,
      `expected requests of thread ${request.thread} to be answered in order; ${request.id} ended before ${open.id}`,
      [open.seq, request.seq],
    );
  },
});

interface Blocked {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly due: number;
  readonly request: Request;
}

/** What was sent while a request was blocked and has shown no effect yet. */
interface Stimuli {
  /** By injection id. */
  readonly acks: Map<string, Blocked>;
  /** By request id. */
  readonly decisions: Map<string, Blocked>;
  readonly cancels: Map<string, Blocked>;
}

const keepsReading = rule({
  requirement: 'FOLD-A20',
  listens: ['inject_context', 'tool_approval', 'cancel_request', 'injection_ack', 'response', 'end', 'reset'],
  start: (): Stimuli => ({ acks: new Map(), decisions: new Map(), cancels: new Map() }),
  step(state, event, view: FoldView): Findings {
    const nothingSent = state.acks.size + state.decisions.size + state.cancels.size === 0;
    if (nothingSent && event.from === 'target') return undefined;
    const stream = streamOf(view, event);
    if (stream === undefined) return undefined;
    if (event.kind === 'message') {
      return event.from === 'target' ? tookEffect(state, event) : stimulus(state, event, stream, view);
    }
    for (const kind of Object.values(state) as Map<string, Blocked>[]) {
      for (const [key, b] of kind) if (b.stream === event.stream) kind.delete(key);
    }
    return undefined;
  },
  end({ decisions }, _view, last) {
    const late = [...decisions.values()].filter(
      (b) => last.at - b.at > b.due && b.request.terminal === undefined,
    );
    return late.map((b) =>
      violated(
        last,
        `expected the decision to take effect within ${b.due} ms while request ${b.request.id} is blocked; it had none`,
        [b.seq],
      ),
    );
  },
});

function stimulus(state: Stimuli, event: TraceEvent, stream: StreamView, view: FoldView): undefined {
  const { session } = stream;
  const { ack, cancel, step } = view.timeouts;
  const m = serverMessage(event);
  const put = (kind: Map<string, Blocked>, key: string, due: number, request: Request): void => {
    if (!blocked(request, session, event.at, view.timeouts)) return;
    kind.set(key, { stream: event.stream, seq: event.seq, at: event.at, due, request });
  };
  const [first] = session.active.values();
  if (m.inject_context !== undefined && first !== undefined && session.features.has('injection')) {
    put(state.acks, m.inject_context.injection_id ?? '', ack, first);
  }
  const cancelled = session.active.get(m.cancel_request?.request_id ?? '');
  if (cancelled !== undefined && session.features.has('cancellation')) {
    put(state.cancels, cancelled.id, cancel, cancelled);
  }
  if (m.tool_approval === undefined) return undefined;
  for (const request of session.active.values()) {
    const tool = request.tools.get(m.tool_approval.id ?? '');
    if (tool?.asked !== undefined && tool.decided === undefined)
      put(state.decisions, request.id, step, request);
  }
  return undefined;
}

/** States that were on their way when the decision was sent: no effect of it. */
function stillWaits(event: TraceEvent): boolean {
  const { tool_approval_request, tool_state } = responseOf(event);
  return (
    tool_approval_request !== undefined ||
    tool_state?.state === 'TOOL_STATE_PENDING' ||
    tool_state?.state === 'TOOL_STATE_AWAITING_APPROVAL'
  );
}

function tookEffect({ acks, decisions, cancels }: Stimuli, event: TraceEvent): Findings {
  const ack = agentMessage(event).injection_ack;
  if (ack !== undefined) return inTime(acks, ack.injection_id ?? '', event);
  if (decisions.size === 0 && cancels.size === 0) return undefined;
  const { request_id: id = '', done, error, cancelled } = responseOf(event);
  const decision = decisions.get(id);
  if (decision !== undefined && !stillWaits(event)) {
    decisions.delete(id);
    const took = Math.round(event.at - decision.at);
    if (took <= decision.due) return exercised(event);
    return violated(
      event,
      `expected the decision to take effect within ${decision.due} ms while request ${id} is blocked; it took ${took} ms`,
      [decision.seq],
    );
  }
  if (cancelled !== undefined) return inTime(cancels, id, event);
  if (done !== undefined || error !== undefined) cancels.delete(id);
  return undefined;
}

/** An ack or a cancel took effect. One that is late is FOLD-A40's, or FOLD-A44's: only a decision has no row of its own. */
function inTime(kind: Map<string, Blocked>, key: string, event: TraceEvent): Findings {
  const b = kind.get(key);
  if (b === undefined) return undefined;
  kind.delete(key);
  return event.at - b.at <= b.due ? exercised(event) : undefined;
}

const attachments = rule({
  requirement: 'FOLD-A21',
  listens: terminals,
  start: () => ({ worked: false }),
  step(state, event, view: FoldView) {
    const request = requestOf(view, event);
    if (request === undefined) return undefined;
    const { error } = responseOf(event);
    if (request.attachments === 0) {
      state.worked ||= error === undefined;
      return undefined;
    }
    if (error === undefined) return exercised(event);
    if (streamOf(view, event)?.session.shutdown !== undefined || request.steps?.some(endsRequest) === true)
      return undefined;
    if (error.startsWith('unsupported: ') || (request.steps === undefined && !state.worked)) return undefined;
    return violated(
      event,
      `expected a message with ${request.attachments} attachments to be accepted; the request ended in error "${error.slice(0, 120)}"`,
      [request.seq],
    );
  },
});

/** The receive limit of gRPC, and what counts as large (bytes). */
const limit = 4 << 20;
const large = 1 << 20;

const underLimit = rule({
  requirement: 'FOLD-A22',
  listens: ['response', 'undecodable'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { size } = event;
    if (size === undefined || size < large || event.from !== 'target') return undefined;
    return size < limit
      ? exercised(event)
      : violated(event, `expected messages under ${limit} bytes; one of ${size} came`);
  },
});

/** The rules of this theme. */
export const requestRules: readonly Rule<FoldView>[] = [
  knownRequest,
  everyRequestEnds,
  nothingAfterTerminal,
  terminalSeen,
  oneEvent,
  fullResponse,
  noMixing,
  threadOrder,
  keepsReading,
  attachments,
  underLimit,
];
