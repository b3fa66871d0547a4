/** Takes the events of an engine into the view of their turn. */
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { EngineEvent } from '../../../src/koda/index.ts';
import {
  anyTime,
  charactersKept,
  keptPerTurn,
  lineSeparators,
  noResponse,
  runningCalls,
  stopOneOf,
  textKept,
} from './turn.ts';
import type { Call, Pause, Turn } from './turn.ts';

/**
 * Takes an event of the engine into its turn.
 *
 * @returns whether an open call or pause was evicted
 */
export function takeEvent(turn: Turn, event: EngineEvent, at: Moment): boolean {
  turn.last = momentOf(at);
  if (!anyTime.has(event.type)) turn.resuming = undefined;
  return takeTyped(turn, event, at);
}

/** Takes an event by its type. Returns whether facts were forgotten. */
function takeTyped(turn: Turn, event: EngineEvent, at: Moment): boolean {
  switch (event.type) {
    case 'thinking_start':
    case 'thinking_delta':
    case 'thinking_done':
    case 'response_start':
    case 'text_delta':
      takeResponse(turn, event);
      return false;
    case 'text_done':
      endResponse(turn);
      return false;
    case 'context_usage':
      turn.assembled = momentOf(at);
      for (const call of turn.calls.values()) call.settled ||= call.state !== 'running';
      turn.used.add(String(event.used));
      forgetOldest(turn.used, keptPerTurn);
      return false;
    case 'tool_call_start':
    case 'tool_output_line':
    case 'tool_call_result':
    case 'action_blocked':
      return takeCall(turn, event, at);
    case 'approval_request':
    case 'ask_user_request':
    case 'loop_cap_reached':
      return takePause(turn, event, at);
    case 'error':
      turn.error = momentOf(at);
      return false;
    case 'warn':
      turn.warned = momentOf(at);
      turn.retries ||= turn.response.state === 'done' && !turn.calledLast;
      return false;
    case 'footer':
      turn.footer = momentOf(at);
      return false;
    case 'spinner_start':
      turn.asksModel ||= turn.assembled !== undefined;
      return false;
    case 'sub_agent_start':
      turn.subAgents++;
      return false;
    case 'turn_start':
    case 'turn_end':
    case 'status_update':
    case 'info':
    case 'spinner_stop':
      return false;
    default:
      // Traces of newer kits may have further events.
      event satisfies never;
      return false;
  }
}

function endResponse(turn: Turn): void {
  turn.calledLast = false;
  turn.asksModel = false;
  turn.response = { ...turn.response, state: 'done' };
  turn.owesTextDone = false;
  turn.retries = false;
  turn.assembled = undefined;
}

function takeResponse(turn: Turn, event: EngineEvent): void {
  turn.calledLast = false;
  turn.asksModel = false;
  if (turn.response.state !== 'open') turn.response = { ...noResponse(), state: 'open' };
  turn.retries = false;
  const { response } = turn;
  response.thinks = event.type === 'thinking_start' || event.type === 'thinking_delta';
  if (event.type === 'thinking_start') response.thinkingStarts++;
  else if (event.type === 'thinking_delta') {
    response.thinkingDeltas++;
    turn.thought = extended(turn.thought, event.text);
  } else if (event.type === 'response_start') response.responseStarts++;
  else if (event.type === 'text_delta') {
    response.hasText = true;
    if (turn.text.length < textKept) turn.text += event.text.slice(0, textKept);
    turn.said = extended(turn.said, event.text);
  }
}

/** The beginning of a text with its next piece. Blank pieces may come before a text (KODA-33). */
const extended = (text: string, piece: string): string =>
  piece.trim() === '' || text.length >= textKept ? text : text + piece.slice(0, textKept);

type CallEvent = Extract<
  EngineEvent,
  { type: 'tool_call_start' | 'tool_output_line' | 'tool_call_result' | 'action_blocked' }
>;

function takeCall(turn: Turn, event: CallEvent, at: Moment): boolean {
  const { calls } = turn;
  if (event.type === 'tool_output_line') return takeLine(turn, event, at);
  turn.calledLast = true;
  turn.asksModel = false;
  turn.assembled = undefined;
  if (event.type === 'tool_call_start' && turn.response.state === 'open') turn.response.state = 'done';
  if (event.type === 'tool_call_start') {
    const { id, name, is_sub_agent: isSubAgent } = event;
    if (!hasRoom(turn, id.length + name.length)) return true;
    turn.owesTextDone = false;
    const early = calls.get(id);
    const lines = early !== undefined && early.name === '' ? early.lines : [];
    calls.delete(id);
    calls.set(id, { ...newCall(id, at), name, isSubAgent, lines });
    turn.names.push(name);
    if (turn.names.length > keptPerTurn) turn.names.shift();
    return forgetOldest(calls, keptPerTurn);
  }
  if (event.type === 'action_blocked') {
    stopOneOf(runningCalls(turn, event.tool_name), 'blocked');
    return false;
  }
  const call = calls.get(event.id);
  if (call !== undefined) call.state = 'done';
  return false;
}

const newCall = (id: string, at: Moment): Call => ({
  ...momentOf(at),
  id,
  name: '',
  isSubAgent: false,
  lines: [],
  state: 'running',
  stopped: undefined,
  settled: false,
  asked: false,
  questioned: false,
  unclear: false,
});

/** Takes room for characters. @returns false: the turn has no room, and what has them is not kept */
function hasRoom(turn: Turn, characters: number): boolean {
  turn.characters += characters;
  return turn.characters <= charactersKept;
}

/** Lines of a parallel batch may come before the start of their call. */
function takeLine(
  turn: Turn,
  event: Extract<EngineEvent, { type: 'tool_output_line' }>,
  at: Moment,
): boolean {
  const { id, line, is_stderr: isStderr } = event;
  const { calls } = turn;
  const known = calls.get(id);
  if (known !== undefined && known.lines.length >= keptPerTurn) return false;
  if (!hasRoom(turn, id.length + line.length)) return true;
  const call = known ?? newCall(id, at);
  calls.set(id, call);
  call.lines.push({ text: line, isStderr });
  return forgetOldest(calls, keptPerTurn);
}

type PauseEvent = Extract<
  EngineEvent,
  { type: 'approval_request' | 'ask_user_request' | 'loop_cap_reached' }
>;

function takePause(turn: Turn, event: PauseEvent, at: Moment): boolean {
  if ('id' in event && !hasRoom(turn, event.id.length)) return true;
  const pause: Pause = {
    ...momentOf(at),
    ...pauseOf(turn, event),
    separated: lineSeparators.test(JSON.stringify(event)),
    doubtful: false,
    answer: undefined,
    stranger: undefined,
    unrelated: undefined,
  };
  const isAgain = ({ call }: Pause): boolean => call !== undefined && call === pause.call;
  pause.doubtful = turn.pauses.some(isAgain);
  for (const call of pause.fits) call[pause.kind === 'approval' ? 'asked' : 'questioned'] = true;
  turn.pauses.push(pause);
  if (pause.kind === 'cap') {
    turn.caps.push(pause);
    if (turn.caps.length > keptPerTurn) turn.caps.shift();
  }
  if (turn.pauses.length <= keptPerTurn) return false;
  turn.pauses.shift();
  return true;
}

function pauseOf(turn: Turn, event: PauseEvent): Pick<Pause, PauseField> {
  const simple = { cap: 0, freeForm: false };
  switch (event.type) {
    case 'approval_request':
      return { ...simple, kind: 'approval', id: event.id, ...waitingOf(runningCalls(turn, event.tool_name)) };
    case 'ask_user_request': {
      const freeForm = event.options.length === 0;
      return { ...simple, kind: 'ask', id: event.id, ...waitingOf(runningCalls(turn)), freeForm };
    }
    case 'loop_cap_reached':
      return { ...simple, kind: 'cap', id: '', ...waitingOf([]), cap: event.cap };
    default:
      return event satisfies never;
  }
}

type PauseField = 'kind' | 'id' | 'call' | 'fits' | 'cap' | 'freeForm';

const waitingOf = (fits: readonly Call[]): Pick<Pause, 'call' | 'fits'> => ({
  call: fits.length === 1 ? fits[0] : undefined,
  fits,
});
