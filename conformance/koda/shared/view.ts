/** The view of all rules of the live suites of Koda: every session, and the time limits, before the event at hand. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Streams, momentOf, takeMark, undelayed } from '../../../src/kit/judge/index.ts';
import type { Judging, RunView } from '../../../src/kit/judge/index.ts';
import type { EngineCommand, EngineEvent } from '../../../src/koda/index.ts';
import { textFaultOf } from './text-fault.ts';
import type { TextFault } from './text-fault.ts';
import { promptsKept, startSession, takeClientCommand, takeEngineEvent } from './session.ts';
import type { Session } from './session.ts';
import { extraTopicsOf, fromTarget, isClosing, topicOf } from './topics.ts';

/** The two sides of a session. */
export type Side = 'engine' | 'client';

/** The time limits of rules (ms). Each is an option of the run. */
export interface Timeouts {
  /** From a prompt to its turn_start, while no turn runs. */
  readonly prompt: number;
  /** Between two events of a turn that waits for nothing. */
  readonly turn: number;
  /** From an interrupt to the end of its turn. */
  readonly interrupt: number;
  /** From a request of the engine to the client's answer. */
  readonly answer: number;
  /** The delay of messages that cross each other on the wire. */
  readonly crossing: number;
}

/** Long enough for a program that works, and short enough for a check of a minute. */
export const defaultTimeouts: Timeouts = {
  prompt: 5000,
  turn: 10_000,
  interrupt: 5000,
  answer: 5000,
  crossing: 200,
};

/** Everything before the event at hand. */
export interface KodaView extends RunView<Timeouts> {
  readonly target: Side;
  readonly streams: Streams<Session>;
  /** The session of the event at hand, once it has opened. */
  session: Session | undefined;
  /** The fault in the text of the target's message at hand. */
  fault: TextFault | undefined;
  /** The number of prompts that the engine was given, and of its turns. */
  prompts: number;
  turns: number;
  /** The types of the messages that the target has sent. */
  readonly sent: Set<string>;
  /** Whether the target obeyed the last directive. */
  obeyed: boolean;
  /** Whether the engine has run a prompt that waited while another turn ran. It need not (KODA-54). */
  queues: boolean;
  /** Whether a session evicted an open item. Then its outcome is unknown. */
  forgotten: boolean;
}

/** The side that sent an event. */
const senderOf = ({ target }: KodaView, event: TraceEvent): Side =>
  fromTarget(event) === (target === 'engine') ? 'engine' : 'client';

/** The message of an event from the engine. */
export const engineEvent = ({ data }: TraceEvent): EngineEvent => data as unknown as EngineEvent;

/** The message of an event from the client. */
export const clientCommand = ({ data }: TraceEvent): EngineCommand => data as unknown as EngineCommand;

function look(view: KodaView, event: TraceEvent): void {
  view.session = view.streams.get(event.stream);
  view.fault = fromTarget(event)
    ? textFaultOf(view.target === 'engine' ? 'event' : 'command', event)
    : undefined;
}

function step(view: KodaView, event: TraceEvent): void {
  if (event.kind === 'mark') {
    takeMark(view, event, defaultTimeouts);
    view.streams.disturb(event);
  } else if (event.kind === 'open') open(view, event);
  else if (view.session !== undefined) stepSession(view, view.session, event);
}

function open(view: KodaView, event: TraceEvent): void {
  const carrier = event.data[':carrier'];
  view.streams.open(
    startSession(event.stream, typeof carrier === 'string' ? carrier : 'stdio', momentOf(event)),
  );
}

function stepSession(view: KodaView, session: Session, event: TraceEvent): void {
  const mine = fromTarget(event);
  if (event.kind === 'message') {
    if (topicOf(event) === 'odd') return;
    if (mine) view.sent.add(topicOf(event));
    if (mine && session.bad !== undefined) session.bad.survived = true;
    if (senderOf(view, event) === 'engine') byEngine(view, session, event);
    else byClient(view, session, event);
  } else if (event.kind === 'undecodable') {
    if (!mine) session.bad = { ...momentOf(event), survived: false };
    else takeUnreadable(view, session, event);
  } else if (event.kind === 'half_close' && !mine) session.halfClosed = true;
  else if (isClosing(event))
    session.ended ??= { ...momentOf(event), by: mine && !session.disturbed ? 'target' : 'peer' };
  view.forgotten ||= session.forgotten;
}

/** A nested slash command is a slash command, in the wrong form: the client claims to send them. */
function takeUnreadable(view: KodaView, session: Session, event: TraceEvent): void {
  if (view.fault?.requirement === 'KODA-82') view.sent.add('command.slash_command');
  if (view.fault?.hidesMeaning === true) session.lost ??= momentOf(event);
}

function byEngine(view: KodaView, session: Session, event: TraceEvent): void {
  const message = engineEvent(event);
  if (message.type === 'turn_start') {
    view.turns++;
    // The events of an engine whose turns overlap belong to one of them, and it is unknown to which.
    if (view.target === 'engine' && session.turn !== undefined) session.lost ??= momentOf(event);
  }
  if (message.type === 'turn_end') {
    view.obeyed = obeys(session, view);
    view.queues ||= ranQueued(session);
  }
  // An engine's event outside of a turn begins no turn.
  if (view.target === 'client' || session.turn !== undefined || message.type === 'turn_start')
    takeEngineEvent(session, message, event, view.timeouts.crossing);
}

function byClient(view: KodaView, session: Session, event: TraceEvent): void {
  const message = clientCommand(event);
  if (message.type === 'user_prompt') view.prompts++;
  takeClientCommand(session, message, event, view.drive === 'directive');
}

/** Whether the text of the turn that ends is that of a prompt that waited. */
function ranQueued({ turn }: Session): boolean {
  const { queued = false, ordered = '' } = turn?.prompt ?? {};
  return queued && ordered !== '' && turn?.text.includes(ordered) === true;
}

/** Whether the text of the turn that ends is the text that its directive orders. */
function obeys({ turn }: Session, { obeyed }: KodaView): boolean {
  const ordered = turn?.prompt?.ordered ?? '';
  return turn === undefined || ordered === '' ? obeyed : turn.text.includes(ordered);
}

/** The reason why nothing can be judged; undefined when everything can. */
const forgot = ({ forgotten }: KodaView): string | undefined =>
  forgotten
    ? `more than ${promptsKept} prompts, calls or requests of one session were open at once`
    : undefined;

const ignoresPrompts = ({ target, prompts, turns }: KodaView): boolean =>
  target === 'engine' && prompts > 0 && turns === 0;

/** The reason why a session shows nothing of an engine; undefined when it shows a turn. */
const unshown = (view: KodaView): string | undefined =>
  ignoresPrompts(view)
    ? 'the engine ignored user_prompt, which KODA-54 allows: its turns could not be seen'
    : undefined;

/** The fact that an engine ran no prompt of a session, and what its author can do. Where the wait was delay for the most part, it says nothing of the engine. */
export const lostPromptNote = (view: KodaView): string | undefined =>
  ignoresPrompts(view) && view.late <= undelayed(view.timeouts.prompt, view)
    ? 'the engine ran no prompt of a scenario: it must send a turn_start for each user_prompt, also for one with images, unknown fields, a long text or any character (--timeout prompt=30s waits longer)'
    : undefined;

/** The topics and the view of a live suite, for a judge. */
export const kodaJudging = (target: Side): Omit<Judging<KodaView>, 'rules'> => ({
  topicOf,
  extraTopicsOf,
  view: {
    start: () => ({
      target,
      drive: 'passive',
      timeouts: defaultTimeouts,
      late: 0,
      streams: new Streams(),
      session: undefined,
      fault: undefined,
      prompts: 0,
      turns: 0,
      sent: new Set(),
      obeyed: false,
      queues: false,
      forgotten: false,
    }),
    look,
    step,
  },
  forgot,
  unshown,
});
