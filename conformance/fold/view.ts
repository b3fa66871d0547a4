/**
 * What all Fold rules look at: every stream's session so far, and the run's own numbers. A rule sees it as it was
 * before the event at hand.
 */
import { isObject } from '../../src/kit/base/index.ts';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import {
  MessageResponse_eventNames,
  observeAgent,
  observeEnd,
  observeGateway,
  sessionMachine,
} from '../../src/fold/index.ts';
import type {
  AgentMessage,
  MessageResponse,
  Moment,
  Request,
  ServerMessage,
  Session,
  Step,
  ToolStep,
  Tool,
} from '../../src/fold/index.ts';

/** Times that rules go by, in milliseconds; each an option of the run. */
export interface Timeouts {
  readonly ack: number;
  readonly cancel: number;
  readonly step: number;
  readonly shutdown: number;
  readonly reconnect: number;
  readonly approval: number;
}

/** The numbers of spec/fold/README.md, "How a run is judged". */
export const defaultTimeouts: Timeouts = {
  ack: 5000,
  cancel: 10_000,
  step: 10_000,
  shutdown: 10_000,
  reconnect: 10_000,
  approval: 300_000,
};

/** One stream of the target's. */
export interface StreamView {
  readonly id: string;
  readonly conn: string;
  readonly session: Session;
  /** The kit disturbed its connection; what follows is not the target's fault. */
  disturbed: boolean;
  ended: (Moment & { readonly by: 'target' | 'kit'; readonly code: number | undefined }) | undefined;
  /** The target will send no more on it. */
  closedByTarget: Moment | undefined;
}

/** Everything before the event at hand. */
export interface FoldView {
  drive: string;
  timeouts: Timeouts;
  /** How much later than it should anything may arrive, because the kit held the network up (ms). */
  late: number;
  readonly streams: Map<string, StreamView>;
  /** The event last looked up, with its stream and request: a dozen rules ask for the same. */
  looked: TraceEvent | undefined;
  lookedStream: StreamView | undefined;
  lookedRequest: Request | undefined;
}

/** Streams that have ended and are still remembered; the oldest are forgotten first. */
const endedKept = 512;

/** A view of nothing yet. */
export const startView = (): FoldView => ({
  drive: 'passive',
  timeouts: defaultTimeouts,
  late: 0,
  streams: new Map(),
  looked: undefined,
  lookedStream: undefined,
  lookedRequest: undefined,
});

/** The agent's message of an event. */
export const agentMessage = (event: TraceEvent): AgentMessage => event.data;

/** The gateway's message of an event. */
export const serverMessage = (event: TraceEvent): ServerMessage => event.data;

/** The response in an event of topic `response`. */
export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

function lookUp(view: FoldView, event: TraceEvent): void {
  const stream = view.streams.get(event.stream);
  const response = event.kind === 'message' ? agentMessage(event).response : undefined;
  view.looked = event;
  view.lookedStream = stream;
  view.lookedRequest =
    response === undefined ? undefined : stream?.session.requests.get(response.request_id ?? '');
}

/** The stream of an event, once it has opened. */
export function streamOf(view: FoldView, event: TraceEvent): StreamView | undefined {
  if (view.looked !== event) lookUp(view, event);
  return view.lookedStream;
}

/** The request a response names, whether it has ended or not. */
export function namedRequest(view: FoldView, event: TraceEvent): Request | undefined {
  if (view.looked !== event) lookUp(view, event);
  return view.lookedRequest;
}

/** The request a response belongs to; undefined when there is none, or it has ended (other rules judge those). */
export function requestOf(view: FoldView, event: TraceEvent): Request | undefined {
  const request = namedRequest(view, event);
  return request?.terminal === undefined ? request : undefined;
}

/** The tool a response is about: of an open request, by its tool_use. */
export function toolOf(view: FoldView, event: TraceEvent): { request: Request; tool: Tool } | undefined {
  const request = requestOf(view, event);
  const r = responseOf(event);
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  const tool = request?.tools.get(about?.id ?? '');
  return request === undefined || tool === undefined ? undefined : { request, tool };
}

/** Whether an event is from the target. */
const fromTarget = (event: TraceEvent): boolean => event.from === 'target';

/**
 * The one topic of an event: a payload's name (`register`, `welcome`), `response.` with the event's name, or for
 * what is no message the event's kind.
 */
export function topicOf(event: TraceEvent): string {
  if (event.kind !== 'message') return event.kind;
  if (fromTarget(event)) {
    const m = agentMessage(event);
    if (m.response !== undefined) return responseTopic(m.response);
  }
  for (const name in event.data) return name;
  return fromTarget(event) ? 'agent.empty' : 'server.empty';
}

function responseTopic(response: MessageResponse): string {
  for (const key in response) {
    const topic = responseTopics[key];
    if (topic !== undefined) return topic;
  }
  return 'response.none';
}

const responseTopics: { readonly [name: string]: string } = Object.fromEntries(
  MessageResponse_eventNames.map((name) => [name, `response.${name}`]),
);

/** Takes an event into the view. */
export function stepView(view: FoldView, event: TraceEvent): void {
  const stream = view.looked === event ? view.lookedStream : view.streams.get(event.stream);
  view.looked = undefined;
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  if (stream === undefined) return;
  switch (event.kind) {
    case 'message':
      if (fromTarget(event)) observeAgent(stream.session, agentMessage(event), event);
      else observeGateway(stream.session, serverMessage(event), event);
      return;
    case 'half_close':
    case 'reset':
    case 'end':
      return close(stream, event);
    default:
      return;
  }
}

function mark(view: FoldView, event: TraceEvent): void {
  const { run, fault, ms } = event.data;
  if (fault === 'slow') holdUp(view, slowness);
  else if (fault !== undefined && typeof ms === 'number') holdUp(view, ms);
  if (isObject(run)) {
    if (typeof run['drive'] === 'string') view.drive = run['drive'];
    if (isObject(run['timeouts']))
      view.timeouts = { ...defaultTimeouts, ...(run['timeouts'] as Partial<Timeouts>) };
  }
  if (fault === 'cut' || fault === 'reset' || fault === 'stop') {
    for (const stream of view.streams.values()) {
      if (stream.ended === undefined && (event.stream === '' || event.stream === stream.id))
        stream.disturbed = true;
    }
  }
}

/** What a slow network is taken to hold up: its backlog outlives it (ms). */
const slowness = 60_000;

/** The kit held the network up: every time that rules go by is longer for it. */
function holdUp(view: FoldView, ms: number): void {
  view.late += ms;
  const { ack, cancel, step, shutdown, reconnect, approval } = view.timeouts;
  view.timeouts = {
    ack: ack + ms,
    cancel: cancel + ms,
    step: step + ms,
    shutdown: shutdown + ms,
    reconnect: reconnect + ms,
    approval: approval + ms,
  };
}

function open(view: FoldView, event: TraceEvent): void {
  const { stream: id, conn } = event;
  view.streams.set(id, {
    id,
    conn,
    session: sessionMachine.start(),
    disturbed: false,
    ended: undefined,
    closedByTarget: undefined,
  });
  if (view.streams.size <= endedKept) return;
  for (const [oldest, stream] of view.streams) {
    if (stream.ended === undefined) continue;
    view.streams.delete(oldest);
    return;
  }
}

function close(stream: StreamView, event: TraceEvent): void {
  const { seq, at } = event;
  if (event.kind !== 'end' || fromTarget(event)) {
    if (!stream.disturbed && stream.ended === undefined) stream.closedByTarget ??= { seq, at };
    if (event.kind === 'half_close') return;
  }
  const by = stream.disturbed || (event.kind === 'end' && !fromTarget(event)) ? 'kit' : 'target';
  const code = event.data['code'];
  stream.ended ??= { seq, at, by, code: typeof code === 'number' ? code : undefined };
  observeEnd(stream.session);
}

/** A directive's steps up to the one that ends its request; those behind it never come. */
export function stepsOf(request: Request): readonly Step[] {
  const steps = request.steps ?? [];
  const last = steps.findIndex(endsRequest);
  return last < 0 ? steps : steps.slice(0, last + 1);
}

/** Whether a step ends its request in error. */
export const endsRequest = (step: Step): boolean =>
  'fail' in step || ('session' in step && step.session === 'orphaned');

/** Whether a tool holds whatever happens: a gated one that is denied does not. */
const holdsForSure = (tool: ToolStep): boolean => tool.hold === true && tool.approval !== true;

/** How many holds a directive has, in tools and between them. */
function holdsOf(request: Request): number {
  let holds = 0;
  for (const step of stepsOf(request))
    if ('hold' in step || ('tool' in step && holdsForSure(step.tool))) holds++;
  return holds;
}

/** How long a directive waits in all (ms). */
function waitsOf(request: Request): number {
  let ms = 0;
  for (const step of stepsOf(request)) if ('wait_ms' in step) ms += step.wait_ms;
  return ms;
}

/** The approval timeout of the n-th tool (from 0) of a directive (ms). */
export function approvalTimeoutOf(request: Request, tool: Tool, otherwise: number): number {
  return toolStepOf(request, tool)?.approval_timeout_ms ?? otherwise;
}

/** The directive's step that a tool is: the n-th tool is the n-th tool step. */
export function toolStepOf(
  request: Request,
  tool: Tool,
): { approval?: boolean; approval_timeout_ms?: number; hold?: boolean } | undefined {
  const steps = (request.steps ?? []).flatMap((step) => ('tool' in step ? [step.tool] : []));
  return steps[[...request.tools.values()].indexOf(tool)];
}

/** A tool that waits for a decision: asked, undecided, and neither denied nor run meanwhile. */
export const undecided = (tool: Tool): boolean =>
  tool.asked !== undefined &&
  tool.decided === undefined &&
  tool.ended === undefined &&
  tool.result === undefined;

/**
 * Whether a request cannot have ended yet, by its own directive: it has a hold that was not released, waits for a
 * decision or for time, or is queued behind another of its thread.
 */
export function blocked(request: Request, session: Session, at: number, timeouts: Timeouts): boolean {
  if (request.steps === undefined) return false;
  if (holdsOf(request) > request.releases) return true;
  if (request.at + waitsOf(request) > at) return true;
  for (const tool of request.tools.values()) {
    if (undecided(tool) && at - (tool.asked?.at ?? 0) < approvalTimeoutOf(request, tool, timeouts.approval))
      return true;
  }
  if (request.thread === '') return false;
  for (const other of session.active.values()) {
    if (other === request) return false;
    if (other.thread !== request.thread || other.cancel !== undefined) continue;
    if (blocked(other, session, at, timeouts)) return true;
  }
  return false;
}
