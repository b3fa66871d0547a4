/** FOLD-A13 to A17, A21 and A22: requests and their events. */
import { isObject, saysUnsupported } from '../../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { eventOf } from '../../../../src/fold/index.ts';
import type { Request } from '../../../../src/fold/index.ts';
import { endsRequest } from '../expected.ts';
import { terminals } from '../topics.ts';
import type { FoldView } from '../view.ts';
import { responseOf } from '../view.ts';
import { pendingEnd, stalled } from './silence.ts';

const knownRequest = rule({
  requirement: 'FOLD-A13',
  listens: ['response'],
  start: () => null,
  step(_, event, view: FoldView) {
    const session = view.stream?.session;
    if (session === undefined || session.register === undefined) return undefined;
    if (view.namedRequest !== undefined) return exercised(event);
    const id = responseOf(event).request_id ?? '';
    if (session.forgotten > 0) return unknowable(event, 'the first requests of the stream were evicted');
    return violated(event, `expected the request_id of a SendMessage received on this stream; came "${id}"`);
  },
});

const everyRequestEnds = rule({
  requirement: 'FOLD-A14',
  listens: [...terminals, 'half_close', 'reset', 'end'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.kind === 'message') return view.request === undefined ? undefined : exercised(event);
    const { stream } = view;
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
  pending: (_, view, now) =>
    [...view.streams.values()].flatMap((stream) =>
      stalled(stream, view, now).map((request) =>
        pendingEnd(request, view, `done, error or cancelled for request ${request.id}`),
      ),
    ),
});

const nothingAfterTerminal = rule({
  requirement: 'FOLD-A15',
  listens: ['stray'],
  start: () => null,
  step(_, event, view: FoldView) {
    const request = view.namedRequest;
    if (request?.terminal === undefined) return undefined;
    const after = Math.round(event.at - request.terminal.at);
    return violated(
      event,
      `expected nothing for request ${request.id} after its ${request.terminal.event}; ${eventOf(responseOf(event)) ?? 'an event'} came ${after} ms later`,
      [request.terminal.seq],
    );
  },
});

/** The second part of FOLD-A15: a terminal exercises it. */
const terminalSeen = rule({
  requirement: 'FOLD-A15',
  listens: terminals,
  start: () => null,
  step: (_, event, view: FoldView) => (view.request === undefined ? undefined : exercised(event)),
});

const unknownEvents = /unknown field \d+ at response(?:;|$)/;

/** The number of events that a response carries on the wire; undefined when an unknown field may be an event or not. */
function eventsIn(event: TraceEvent): number | undefined {
  let known = 0;
  const response: unknown = responseOf(event);
  // A trace file may have a text for the response: its characters are no events.
  if (isObject(response)) for (const key in response) if (key !== 'request_id') known++;
  const { note } = event;
  if (note === undefined) return known;
  const several = /(\d+) members of event set/.exec(note)?.[1];
  const certain = several === undefined ? known : Number(several);
  return certain < 2 && unknownEvents.test(note) ? undefined : certain;
}

const oneEvent = rule({
  requirement: 'FOLD-A16',
  listens: ['response', 'undecodable'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.kind === 'undecodable') {
      if (event.from !== 'target') return undefined;
      if (event.size !== undefined) return undefined; // FOLD-A22 judges messages that are too large
      const registered = view.stream?.session.register !== undefined;
      return registered
        ? violated(
            event,
            `expected a message with one event; came bytes that are not a message: ${event.note ?? ''}`,
          )
        : undefined;
    }
    const events = eventsIn(event);
    if (events === undefined) return undefined;
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
    const { request } = view;
    const whole = responseOf(event).done?.full_response ?? '';
    if (request === undefined || whole === '') return undefined;
    if (request.text === undefined)
      return unknowable(event, 'the text of the request is longer than the kit keeps');
    if (whole === request.text) return exercised(event);
    const differs = firstDifference(whole, request.text);
    return violated(
      event,
      `expected full_response to be the joined text (${request.text.length} characters); it has ${whole.length} and differs from character ${differs}`,
      [request.seq],
    );
  },
});

/** How the agent answered messages without attachments. */
interface Answers {
  worked: boolean;
  /** The last error of a message in plain words. */
  error: string | undefined;
}

/** An error text without the parts that differ between two requests. */
const withoutNumbers = (text: string): string => text.replace(/[0-9a-f]*\d[0-9a-f]*/gi, '#');

/** Whether a tool of the request was denied: the agent may end such a request in error. */
const wasDenied = (request: Request): boolean =>
  [...request.tools.values()].some(({ decided }) => decided?.approved === false);

const attachments = rule({
  requirement: 'FOLD-A21',
  listens: terminals,
  start: (): Answers => ({ worked: false, error: undefined }),
  step(state, event, view: FoldView) {
    const { request } = view;
    if (request === undefined) return undefined;
    const { error } = responseOf(event);
    if (request.attachments === 0) {
      state.worked ||= error === undefined;
      if (error !== undefined && request.steps === undefined) state.error = withoutNumbers(error);
      return undefined;
    }
    if (error === undefined) return exercised(event);
    if (view.stream?.session.shutdown !== undefined || request.steps?.some(endsRequest) === true)
      return undefined;
    if (saysUnsupported(error) || wasDenied(request)) return undefined;
    // The message with attachments came as far as the message without: the model is down for both.
    if (request.steps === undefined && !state.worked)
      return state.error === withoutNumbers(error) ? exercised(event) : undefined;
    return violated(
      event,
      `expected a message with ${request.attachments} attachments to be accepted; the request ended in error "${error.slice(0, 120)}"`,
      [request.seq],
    );
  },
});

/** The receive limit of gRPC (bytes). */
const limit = 4 << 20;
/** The size from which a message exercises the limit (bytes). */
const large = 1 << 20;

const underLimit = rule({
  requirement: 'FOLD-A22',
  listens: ['large'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { size = 0 } = event;
    if (size < large) return undefined;
    return size < limit
      ? exercised(event)
      : violated(event, `expected messages under ${limit} bytes; a message of ${size} bytes came`);
  },
});

export const requestRules: readonly Rule<FoldView>[] = [
  knownRequest,
  everyRequestEnds,
  nothingAfterTerminal,
  terminalSeen,
  oneEvent,
  fullResponse,
  attachments,
  underLimit,
];
