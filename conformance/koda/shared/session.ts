/** The view of one session: the prompts that wait, the turn that runs and the one before it, before the event at hand. */
import { momentOf } from '../../../src/kit/judge/index.ts';
import type { KnownStream, Moment } from '../../../src/kit/judge/index.ts';
import { parseDirective } from '../../../src/koda/index.ts';
import type { EngineCommand, EngineEvent } from '../../../src/koda/index.ts';
import { takeEvent } from './turn-events.ts';
import { anyTime, lineSeparators, runningCalls, startTurn, stopOneOf } from './turn.ts';
import type { Pause, Prompt, Turn } from './turn.ts';

export interface EndedTurn extends Moment {
  readonly turn: Turn;
}

/** A message of the kit's peer that the target cannot read. */
export interface BadMessage extends Moment {
  /** Whether the target has done something since. */
  survived: boolean;
}

export interface Session extends KnownStream {
  readonly carrier: string;
  readonly opened: Moment;
  /** Prompts without a turn, the oldest first. */
  readonly prompts: Prompt[];
  /** The latest prompts that have a turn, the oldest first. */
  readonly ran: Prompt[];
  turn: Turn | undefined;
  /** The last turn that ended. */
  before: EndedTurn | undefined;
  /** The number of turns so far. */
  turns: number;
  /** The names of the latest calls of the turns that have ended, the oldest first. */
  names: readonly string[];
  /** Whether the client has sent a command. */
  commanded: boolean;
  /** The command that ends the session. */
  quit: Moment | undefined;
  /** The client has half-closed the stream: it sends no more commands. */
  halfClosed: boolean;
  /** The latest interrupts that no cancelled turn accounts for. */
  interrupts: Moment[];
  /** The last decision that no reached cap asked for. */
  looseDecision: Moment | undefined;
  /** The last unreadable message of the kit's peer. */
  bad: BadMessage | undefined;
  /** The first unreadable message of the target. Its meaning, and that of later events, is unknown. */
  lost: Moment | undefined;
  /** Whether the events that came show that others were lost. */
  lossy: boolean;
  ended: (Moment & { readonly by: 'target' | 'peer' }) | undefined;
  /** Whether an open prompt, call or pause was evicted. */
  forgotten: boolean;
}

/** The most prompts of a session that are kept. */
export const promptsKept = 1024;

/** The most prompts with a turn that are kept. */
const ranKept = 64;

/** The most names of calls of earlier turns that are kept: as many as a cap lists. */
const namesKept = 5;

/** The most interrupts of a session that are kept. */
const interruptsKept = 64;

/** The view of a new session. */
export const startSession = (id: string, carrier: string, opened: Moment): Session => ({
  id,
  carrier,
  opened,
  prompts: [],
  ran: [],
  turn: undefined,
  before: undefined,
  turns: 0,
  names: [],
  commanded: false,
  quit: undefined,
  halfClosed: false,
  interrupts: [],
  looseDecision: undefined,
  bad: undefined,
  lost: undefined,
  lossy: false,
  disturbed: false,
  ended: undefined,
  forgotten: false,
});

/** Takes an event of the engine into the session. `crossing`: the delay of messages that cross each other (ms). */
export function takeEngineEvent(session: Session, event: EngineEvent, at: Moment, crossing: number): void {
  const { turn } = session;
  session.lossy ||= showsLoss(turn, event);
  if (event.type === 'turn_start') {
    // The end of the turn before it was lost.
    if (turn !== undefined) endTurn(session, at, false);
    session.turns++;
    session.turn = startTurn(event.turn_id, takePrompt(session), at);
    session.interrupts = session.interrupts.filter((sent) => at.at - sent.at < crossing);
    const last = session.interrupts.at(-1);
    if (last !== undefined)
      session.turn.interrupted = {
        ...last,
        certain: false,
        pause: undefined,
      };
  } else if (turn === undefined) {
    // The turn_start was lost. A client goes on to answer what comes.
    if (!anyTime.has(event.type) && event.type !== 'turn_end') {
      session.turn = startTurn('', undefined, at);
      takeEvent(session.turn, event, at);
    }
  } else {
    session.forgotten ||= takeEvent(turn, event, at);
    const cap = event.type === 'loop_cap_reached' ? turn.pauses.at(-1) : undefined;
    if (cap !== undefined && session.looseDecision !== undefined)
      cap.doubtful = at.at - session.looseDecision.at < crossing;
    if (event.type === 'turn_end') endTurn(session, at, event.reason.kind === 'cancelled');
  }
}

/**
 * The prompt of a turn that begins. Where the engine may have ignored the oldest prompt, it may be the next one: it is
 * unknown which.
 */
function takePrompt({ prompts, ran }: Session): Prompt | undefined {
  const prompt = prompts.shift();
  const [next] = prompts;
  if (prompt !== undefined) ran.push(prompt);
  if (ran.length > ranKept) ran.shift();
  if (prompt?.optional !== true || next === undefined) return prompt;
  next.optional = true;
  return undefined;
}

/** Whether an event shows that the event before it, to which it belongs, was lost. */
function showsLoss(turn: Turn | undefined, event: EngineEvent): boolean {
  if (event.type === 'turn_start') return turn !== undefined;
  if (turn === undefined) return !anyTime.has(event.type);
  if (event.type === 'approval_request') return runningCalls(turn, event.tool_name).length === 0;
  return event.type === 'tool_call_result' && !turn.calls.has(event.id);
}

/** One interrupt cancels one turn. The others may meet the next one. */
function endTurn(session: Session, at: Moment, cancelled: boolean): void {
  const { turn } = session;
  if (turn === undefined) return;
  if (cancelled) session.interrupts.shift();
  session.before = { ...momentOf(at), turn };
  session.names = [...session.names, ...turn.names].slice(-namesKept);
  session.turn = undefined;
}

/** Takes a command of the client into the session. `obeys`: whether the engine is driven by directives. */
export function takeClientCommand(
  session: Session,
  command: EngineCommand,
  at: Moment,
  obeys: boolean,
): void {
  session.commanded = true;
  const { turn } = session;
  const answered = turn === undefined ? undefined : answeredBy(turn, command);
  if (turn !== undefined) {
    if (answered === undefined) noteUnrelated(turn, command, at);
    else answerPause(turn, answered, command, at);
  }
  if (command.type === 'loop_decision' && answered === undefined) session.looseDecision = momentOf(at);
  if (command.type === 'user_prompt') addPrompt(session, command.text, at, { obeys, optional: false });
  // KODA-54: an engine may ignore a slash command.
  else if (command.type === 'slash_command' && command.cmd === 'inject_prompt')
    addPrompt(session, command.text, at, { obeys, optional: true });
  else if (command.type === 'quit') session.quit ??= momentOf(at);
  else if (command.type === 'interrupt') {
    session.interrupts.push(momentOf(at));
    if (session.interrupts.length > interruptsKept) session.interrupts.shift();
    if (turn !== undefined) interrupt(session, turn, at);
  }
}

function addPrompt(
  session: Session,
  text: string,
  at: Moment,
  { obeys, optional }: { readonly obeys: boolean; readonly optional: boolean },
): void {
  const directive = parseDirective(text);
  const all = directive.ok ? directive.value : undefined;
  const steps = obeys ? all : undefined;
  const ordered = (all ?? []).flatMap((step) => ('say' in step ? step.say : [])).join('');
  const queued = session.turn !== undefined || session.prompts.length > 0;
  const separated = lineSeparators.test(text);
  session.prompts.push({
    ...momentOf(at),
    steps,
    ordered,
    queued,
    optional,
    separated,
    interrupted: undefined,
  });
  if (session.prompts.length <= promptsKept) return;
  session.prompts.shift();
  session.forgotten = true;
}

function interrupt(session: Session, turn: Turn, at: Moment): void {
  for (const prompt of session.prompts) prompt.interrupted ??= momentOf(at);
  if (turn.interrupted?.certain !== true)
    turn.interrupted = { ...momentOf(at), certain: true, pause: turn.pauses[0] };
}

/** The open pause that a command answers. */
export function answeredBy({ pauses }: Turn, command: EngineCommand): Pause | undefined {
  switch (command.type) {
    case 'approval_response':
      return pauses.find(({ kind, id }) => kind === 'approval' && id === command.id);
    case 'ask_user_response':
      return pauses.find(({ kind, id }) => kind === 'ask' && id === command.id);
    case 'loop_decision':
      return pauses.find(({ kind }) => kind === 'cap');
    default:
      return undefined;
  }
}

function answerPause(turn: Turn, pause: Pause, command: EngineCommand, at: Moment): void {
  pause.answer = { ...momentOf(at), said: pause.doubtful ? '' : answerIn(command) };
  turn.pauses.splice(turn.pauses.indexOf(pause), 1);
  turn.answered = pause;
  turn.resuming = pause;
  turn.last = momentOf(at);
  const { said } = pause.answer;
  // After its cap a turn goes on with a response.
  if (pause.kind === 'cap' && said !== 'stop') turn.owesTextDone = true;
  if (pause.kind !== 'approval' || said === 'approve') return;
  // The answer that counted may be one that the client had sent before the request.
  if (pause.doubtful) for (const one of pause.fits) one.unclear = true;
  else stopOneOf(pause.fits, 'rejected');
}

function answerIn(command: EngineCommand): string {
  switch (command.type) {
    case 'approval_response':
      return command.decision.decision;
    case 'ask_user_response':
      return command.answer;
    case 'loop_decision':
      return command.action;
    default:
      return '';
  }
}

function noteUnrelated(turn: Turn, { type }: EngineCommand, at: Moment): void {
  if (type === 'interrupt' || type === 'quit') return;
  for (const pause of turn.pauses) {
    if (type === answerTypes[pause.kind]) pause.stranger ??= momentOf(at);
    else pause.unrelated ??= momentOf(at);
  }
}

/** The type of the command that answers a pause. */
export const answerTypes = {
  approval: 'approval_response',
  ask: 'ask_user_response',
  cap: 'loop_decision',
} as const;
