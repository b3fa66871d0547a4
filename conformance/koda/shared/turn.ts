/** The view of one turn: its response, its calls and its pauses, before the event at hand. */
import type { Json } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { EngineEvent, Step } from '../../../src/koda/index.ts';

/** A prompt of the client. */
export interface Prompt extends Moment {
  /** The steps of a directive; undefined for other prompts. */
  readonly steps: readonly Step[] | undefined;
  /** Whether a turn ran, or another prompt waited, when it came. */
  readonly queued: boolean;
  /** Whether the engine may ignore it, or may have run it already: no turn of it is awaited. */
  optional: boolean;
  /** An interrupt of an earlier turn since it came. */
  interrupted: Moment | undefined;
}

/** A line that a call has printed. */
export interface OutputLine {
  readonly text: string;
  readonly isStderr: boolean;
}

/** A call of a tool. */
export interface Call extends Moment {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
  readonly isSubAgent: boolean;
  readonly lines: OutputLine[];
  /** `rejected` and `blocked` calls are not run. */
  state: 'running' | 'rejected' | 'blocked' | 'done';
  /** Whether a response has begun since the call was rejected or blocked. */
  settled: boolean;
  /** Whether a rejection or a block concerned this call, or another one of its name that ran: it is unknown which. */
  unclear: boolean;
}

/** A request of the engine that the client must answer. */
export interface Pause extends Moment {
  readonly kind: 'approval' | 'ask' | 'cap';
  /** The id of the request; '' for a cap. */
  readonly id: string;
  /** The call that waits; undefined for a cap, and where no call fits or several do. */
  readonly call: Call | undefined;
  /** The calls that may be the one that waits: a request does not name its call. */
  readonly fits: readonly Call[];
  /** The cap that was reached. */
  readonly cap: number;
  /** Whether it is a question without options. */
  readonly freeForm: boolean;
  /** Whether a decision that was sent before it may answer it. */
  doubtful: boolean;
  /** The answer with its id: the decision, or the text of the user. */
  answer: (Moment & { readonly said: string }) | undefined;
  /** A response of its kind with another id, since it is open. */
  stranger: Moment | undefined;
  /** Another command that does not answer it, since it is open. */
  unrelated: Moment | undefined;
}

/** The present response of the model. */
export interface Response {
  /** `open` from its first thought or text on; `done` after its text_done. */
  state: 'none' | 'open' | 'done';
  thinkingStarts: number;
  thinkingDeltas: number;
  /** Whether a thought has begun, and its thinking_done has not come. */
  thinks: boolean;
  responseStarts: number;
  /** Whether it has a text_delta. */
  hasText: boolean;
}

/** A turn; see the file's head. */
export interface Turn extends Moment {
  readonly id: string;
  readonly prompt: Prompt | undefined;
  /** The last event of the turn, or the last answer to it. */
  last: Moment;
  response: Response;
  /** The last context_usage since the last response ended. */
  assembled: Moment | undefined;
  /** The values of `used` in its context_usage events. */
  readonly used: Set<string>;
  readonly calls: Map<string, Call>;
  /** The names of its calls, the oldest first. */
  readonly names: string[];
  /** Whether a response has certainly begun, at the begin of the turn or after a cap, and its text_done has not come. */
  owesTextDone: boolean;
  /** Whether an event of a call came since the last event of a response. */
  calledLast: boolean;
  /** Whether a context_usage and then a spinner_start came since the last call or response: the model was asked. */
  asksModel: boolean;
  /** Whether a warn came behind a response without calls: the engine may ask for this response again. */
  retries: boolean;
  /** Open pauses, the oldest first. */
  readonly pauses: Pause[];
  /** The last pause that was answered. */
  answered: Pause | undefined;
  /** The same, until the turn goes on. */
  resuming: Pause | undefined;
  /** Its caps, with the decisions. */
  readonly caps: Pause[];
  interrupted: Interruption | undefined;
  /** The last error event. */
  error: Moment | undefined;
  /** The last warn event. */
  warned: Moment | undefined;
  footer: Moment | undefined;
  /** The beginning of its text. */
  text: string;
  subAgents: number;
}

/** The first interrupt of a turn. */
export interface Interruption extends Moment {
  /** Whether it was sent in this turn. Otherwise it was sent just before, and may have met this turn or the one before. */
  readonly certain: boolean;
  /** The pause in which it came; undefined in no pause. */
  readonly pause: Pause | undefined;
}

/** The types of events that may come at any time, in a turn or not. */
export const anyTime: ReadonlySet<string> = new Set([
  'info',
  'warn',
  'error',
  'status_update',
  'context_usage',
  'spinner_start',
  'spinner_stop',
]);

/** The most calls, pauses and lines of a call that are kept. */
export const keptPerTurn = 1024;
/** The most characters of a turn's text that are kept. */
export const textKept = 1024;

const noResponse = (): Response => ({
  state: 'none',
  thinkingStarts: 0,
  thinkingDeltas: 0,
  thinks: false,
  responseStarts: 0,
  hasText: false,
});

/** The view of a new turn. */
export const startTurn = (id: string, prompt: Prompt | undefined, at: Moment): Turn => ({
  ...momentOf(at),
  id,
  prompt,
  last: momentOf(at),
  response: noResponse(),
  assembled: undefined,
  used: new Set(),
  calls: new Map(),
  names: [],
  owesTextDone: true,
  calledLast: false,
  asksModel: false,
  retries: false,
  pauses: [],
  answered: undefined,
  resuming: undefined,
  caps: [],
  interrupted: undefined,
  error: undefined,
  warned: undefined,
  footer: undefined,
  text: '',
  subAgents: 0,
});

/** The calls that run: those of a name, or all that were started. */
export const runningCalls = ({ calls }: Turn, name?: string): readonly Call[] =>
  [...calls.values()].filter(
    (call) => call.state === 'running' && (name === undefined ? call.name !== '' : call.name === name),
  );

/** Notes that one of these calls is not run. Where several fit, it is unknown which. */
export function stopOneOf(calls: readonly Call[], state: 'rejected' | 'blocked'): void {
  const [call, ...others] = calls;
  if (call !== undefined && others.length === 0) call.state = state;
  else for (const one of calls) one.unclear = true;
}

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
  else if (event.type === 'thinking_delta') response.thinkingDeltas++;
  else if (event.type === 'response_start') response.responseStarts++;
  else if (event.type === 'text_delta') {
    response.hasText = true;
    if (turn.text.length < textKept) turn.text += event.text.slice(0, textKept);
  }
}

type CallEvent = Extract<
  EngineEvent,
  { type: 'tool_call_start' | 'tool_output_line' | 'tool_call_result' | 'action_blocked' }
>;

function takeCall(turn: Turn, event: CallEvent, at: Moment): boolean {
  const { calls } = turn;
  if (event.type === 'tool_output_line') return takeLine(calls, event, at);
  turn.calledLast = true;
  turn.asksModel = false;
  turn.assembled = undefined;
  if (event.type === 'tool_call_start' && turn.response.state === 'open') turn.response.state = 'done';
  if (event.type === 'tool_call_start') {
    const { id, name, args, is_sub_agent: isSubAgent } = event;
    turn.owesTextDone = false;
    const early = calls.get(id);
    const lines = early !== undefined && early.name === '' ? early.lines : [];
    calls.delete(id);
    calls.set(id, { ...newCall(id, at), name, args, isSubAgent, lines });
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
  args: null,
  isSubAgent: false,
  lines: [],
  state: 'running',
  settled: false,
  unclear: false,
});

/** Lines of a parallel batch may come before the start of their call. */
function takeLine(
  calls: Map<string, Call>,
  event: Extract<EngineEvent, { type: 'tool_output_line' }>,
  at: Moment,
): boolean {
  const { id, line, is_stderr: isStderr } = event;
  const call = calls.get(id) ?? newCall(id, at);
  calls.set(id, call);
  if (call.lines.length < keptPerTurn) call.lines.push({ text: line, isStderr });
  return forgetOldest(calls, keptPerTurn);
}

type PauseEvent = Extract<
  EngineEvent,
  { type: 'approval_request' | 'ask_user_request' | 'loop_cap_reached' }
>;

function takePause(turn: Turn, event: PauseEvent, at: Moment): boolean {
  const pause: Pause = {
    ...momentOf(at),
    ...pauseOf(turn, event),
    doubtful: false,
    answer: undefined,
    stranger: undefined,
    unrelated: undefined,
  };
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
