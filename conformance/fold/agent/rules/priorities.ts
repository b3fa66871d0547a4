/** FOLD-A42: where an injection takes effect, by its priority. */
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Injection, Moment, Request, Session } from '../../../../src/fold/index.ts';
import { isBlocked, echoesInjections, saysOf } from '../expected.ts';
import { terminals } from '../topics.ts';
import type { FoldView } from '../view.ts';
import { agentMessage, responseOf, serverMessage } from '../view.ts';

/** An injection, and the position where its text should come. */
interface InjectionPlace {
  readonly injection: Injection;
  readonly priority: 'IMMEDIATE' | 'NORMAL' | 'DEFERRED';
  /** The request it belongs to; undefined when no request was active. */
  readonly owner: Request | undefined;
  /** Whether the owner had been still for a while. Then it holds, and has no natural point before the release. */
  readonly held: boolean;
  /** Whether its ack has come. Then the agent took it before its later messages. */
  acked: boolean;
  /** The release that ended the owner's hold. */
  released: Moment | undefined;
  /** The number of the owner's holds that were released before it came. */
  readonly holds: number;
  /** When its text came, in which request, and whether the same event holds the text of a later step. */
  said: (Moment & { readonly by: Request; readonly joined: boolean }) | undefined;
}

interface Places {
  /** By stream and content. The contents of one scenario are unique. */
  readonly waiting: Map<string, InjectionPlace>;
}

/** The silence that shows a hold (ms). */
const grace = 100;
/** An IMMEDIATE injection may take this long to be said (ms). */
const immediateGrace = 1000;

/** Whether a request is only silent at its holds. Then silence means that its next natural point comes after a release. */
const onlyHolds = (request: Request): boolean =>
  (request.steps ?? []).every(
    (s) => !('wait_ms' in s || 'pack_tool' in s || ('tool' in s && s.tool.approval === true)),
  );

function placeOf(
  event: TraceEvent,
  session: Session,
  { late, timeouts }: FoldView,
): InjectionPlace | undefined {
  const message = serverMessage(event).inject_context;
  if (
    message === undefined ||
    message.content === 'release' ||
    session.injections.has(message.injection_id ?? '')
  )
    return undefined;
  const [owner] = session.active.values();
  if (owner !== undefined && !echoesInjections(owner) && message.priority !== 'INJECTION_PRIORITY_DEFERRED')
    return undefined;
  // The owner must be certain: one request that cannot have ended yet, or no request.
  const sure =
    owner === undefined ||
    (owner.cancel === undefined && isBlocked(owner, session, event.at + grace + late, timeouts));
  if (session.active.size > 1 || !sure) return undefined;
  const injection: Injection = {
    seq: event.seq,
    at: event.at,
    id: message.injection_id ?? '',
    message,
    sends: 1,
    acks: [],
  };
  const named = String(message.priority ?? '').replace('INJECTION_PRIORITY_', '');
  const priority = named === 'IMMEDIATE' || named === 'DEFERRED' ? named : 'NORMAL';
  const still = owner === undefined ? 0 : event.at - Math.max(owner.last.at, owner.releasedAt);
  const held = owner !== undefined && still >= grace + late && onlyHolds(owner);
  const holds = owner?.releases ?? 0;
  return { injection, priority, owner, held, holds, acked: false, released: undefined, said: undefined };
}

/** Judges a place at the end of the request that should have had the text; undefined when its time cannot be seen. */
function judgePlace(
  place: InjectionPlace,
  event: TraceEvent,
  ended: Request,
  { late: heldUp, stream }: FoldView,
): Finding | undefined {
  const { injection, priority, owner, released, said } = place;
  const what = `${priority} injection ${injection.id}`;
  const at = [injection.seq, ...(said === undefined ? [] : [said.seq])];
  if (owner === undefined || priority === 'DEFERRED') {
    if (said?.by === ended) return exercised(event);
    return violated(event, `expected ${what} to be said in the next request; it was not`, at);
  }
  if (said === undefined)
    return violated(event, `expected ${what} in the current request ${owner.id}; it was never said`, at);
  const before = released === undefined || said.seq < released.seq;
  if (priority === 'IMMEDIATE') {
    if (before) return exercised(event);
    // A text that also holds a later step's text was joined from several: its parts have no time of their own.
    const waited = released.at - injection.at >= immediateGrace + heldUp;
    return waited && !said.joined
      ? violated(event, `expected ${what} at once, before the hold was released; it was said after`, at)
      : undefined;
  }
  if (place.held && released !== undefined && before)
    return violated(
      event,
      `expected ${what} at the next natural point, after the hold; it was said during it`,
      at,
    );
  const { text } = ended;
  if (text === undefined) return unknowable(event, 'the text of the request is longer than the kit keeps');
  return place.held && isAfterNextStep(place, ended, text, stream?.session.injections.values() ?? [])
    ? violated(event, `expected ${what} before the next step after the hold; the step came first`, at)
    : exercised(event);
}

/**
 * Whether the first text of the steps after the present hold is before the injection's text. An injection that holds the
 * step's text hides the step.
 */
function isAfterNextStep(
  { injection, holds }: InjectionPlace,
  request: Request,
  text: string,
  injections: Iterable<Injection>,
): boolean {
  const { earlier, next } = textsAround(request, holds);
  if (next === undefined) return false;
  for (const { message } of injections) if (message.content?.includes(next) === true) return false;
  const step = text.indexOf(next, earlier);
  return step !== -1 && step < text.indexOf(injection.message.content ?? '');
}

/** The length of the texts before the hold with this number (from 0), and the first text after it. */
function textsAround(request: Request, hold: number): { earlier: number; next: string | undefined } {
  let holds = 0;
  let earlier = 0;
  for (const step of request.steps ?? []) {
    if ('hold' in step || ('tool' in step && step.tool.hold === true)) holds++;
    else if ('say' in step && holds > hold) return { earlier, next: step.say };
    else if ('say' in step) earlier += step.say.length * (step.times ?? 1);
  }
  return { earlier, next: undefined };
}

const priorities = rule({
  requirement: 'FOLD-A42',
  listens: [
    'inject_context',
    'tool_approval',
    'injection_ack',
    'response.text',
    ...terminals,
    'end',
    'reset',
  ],
  start: (): Places => ({ waiting: new Map() }),
  step({ waiting }, event, view: FoldView): Findings {
    if (waiting.size === 0 && event.from === 'target') return undefined;
    const session = view.stream?.session;
    if (session?.features.has('injection') !== true) return undefined;
    if (event.kind !== 'message') {
      for (const key of waiting.keys()) if (key.startsWith(`${event.stream} `)) waiting.delete(key);
      return undefined;
    }
    if (event.from !== 'target') {
      noteGatewayMessage(waiting, event, session, view);
      return undefined;
    }
    const ack = agentMessage(event).injection_ack;
    if (ack !== undefined) {
      for (const [key, place] of waiting) {
        if (place.injection.id !== ack.injection_id) continue;
        if (ack.accepted === true) place.acked = true;
        else waiting.delete(key);
      }
      return undefined;
    }
    const { request } = view;
    if (request === undefined) return undefined;
    const { text } = responseOf(event);
    return text === undefined
      ? settlePlaces(waiting, event, request, view)
      : judgeText(waiting, event, request, text, session);
  },
});

function noteGatewayMessage(
  waiting: Map<string, InjectionPlace>,
  event: TraceEvent,
  session: Session,
  view: FoldView,
): void {
  const { inject_context, tool_approval } = serverMessage(event);
  const isRelease = inject_context?.content === 'release';
  for (const place of waiting.values()) {
    const tool = place.owner?.tools.get(tool_approval?.id ?? '');
    const goesOn = isRelease || (tool?.asked !== undefined && tool.decided === undefined);
    if (goesOn && place.owner?.terminal === undefined) place.released ??= { seq: event.seq, at: event.at };
  }
  const place = placeOf(event, session, view);
  if (place !== undefined) waiting.set(`${event.stream} ${place.injection.message.content ?? ''}`, place);
}

/** Judges the injections whose text this event completes. An agent may split a text, or join it with others. */
function judgeText(
  waiting: Map<string, InjectionPlace>,
  event: TraceEvent,
  request: Request,
  text: string,
  session: Session,
): Findings {
  const found: Finding[] = [];
  for (const [key, place] of completedPlaces(waiting, event, request, text, session)) {
    const { injection, said, owner } = place;
    if (said !== undefined) {
      const message = `expected injection ${injection.id} to be said once; it was said again`;
      found.push(violated(event, message, [said.seq]));
      continue;
    }
    const { next } = textsAround(request, place.holds);
    const joined = next !== undefined && text.includes(next);
    place.said = { seq: event.seq, at: event.at, by: request, joined };
    if (place.priority !== 'DEFERRED' || owner !== request) continue;
    waiting.delete(key);
    const message = `expected DEFERRED injection ${injection.id} after the current request; it was said in it`;
    found.push(violated(event, message, [injection.seq]));
  }
  return found;
}

/** The injections whose content this text completes. Where one content is a part of another, only the longer counts. */
function completedPlaces(
  waiting: ReadonlyMap<string, InjectionPlace>,
  event: TraceEvent,
  request: Request,
  text: string,
  { injections }: Session,
): readonly (readonly [string, InjectionPlace])[] {
  const key = `${event.stream} ${text}`;
  const exact = waiting.get(key);
  if (exact !== undefined) return [[key, exact]];
  if (saysOf(request).has(text)) return [];
  for (const { message } of injections.values()) if (message.content === text) return [];
  const contentOf = ({ injection }: InjectionPlace): string => injection.message.content ?? '';
  const completed = [...waiting].filter(
    ([at, place]) => at.startsWith(`${event.stream} `) && completes(contentOf(place), request.text, text),
  );
  return completed.filter(([, place]) =>
    completed.every(([, other]) => other === place || !contentOf(other).includes(contentOf(place))),
  );
}

/** Whether a text, joined to the texts before it, completes this content. */
function completes(content: string, before: string | undefined, text: string): boolean {
  if (content === '') return false;
  const tail = content.length > 1 ? (before ?? '').slice(1 - content.length) : '';
  return (tail + text).includes(content);
}

/** The next request that echoes injections; undefined when several requests may have been the next. */
function nextEcho(session: Session, place: InjectionPlace): Request | undefined {
  const later = [...session.requests.values()].filter(
    (request) => request.seq > place.injection.seq && request !== place.owner && echoesInjections(request),
  );
  return later.length === 1 ? later[0] : undefined;
}

/** Judges the places of a request that ended, and the places deferred to it. */
function settlePlaces(
  waiting: Map<string, InjectionPlace>,
  event: TraceEvent,
  request: Request,
  view: FoldView,
): Findings {
  const session = view.stream?.session;
  const found: Finding[] = [];
  const whole = responseOf(event).done !== undefined;
  for (const [key, place] of waiting) {
    if (session === undefined || !key.startsWith(`${event.stream} `)) continue;
    const kept = place.owner === undefined || place.priority === 'DEFERRED';
    if ((kept ? nextEcho(session, place) : place.owner) !== request) continue;
    waiting.delete(key);
    // A request that was cut short, or ended before the injection came, leaves it to the next. That case is not judged.
    const finding = whole && place.acked ? judgePlace(place, event, request, view) : undefined;
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

export const priorityRules: readonly Rule<FoldView>[] = [priorities];
