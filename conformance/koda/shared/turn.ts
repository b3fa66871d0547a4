/** The view of one turn: its response, its calls and its pauses, before the event at hand. */
import { momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { Step } from '../../../src/koda/index.ts';

/** A prompt of the client. */
export interface Prompt extends Moment {
  /** The steps of a directive; undefined for other prompts, and for an engine that is not known to obey directives. */
  readonly steps: readonly Step[] | undefined;
  /** The text that a directive orders, obeyed or not; '' for other prompts. */
  readonly ordered: string;
  /** Whether a turn ran, or another prompt waited, when it came. */
  readonly queued: boolean;
  /** Whether the engine may ignore it, or may have run it already: no turn of it is awaited. */
  optional: boolean;
  /** Whether its text has a {@link lineSeparators}. */
  readonly separated: boolean;
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
  readonly isSubAgent: boolean;
  readonly lines: OutputLine[];
  /** `rejected` and `blocked` calls are not run; `done` after a result, also after one that says that it was blocked. */
  state: 'running' | 'rejected' | 'blocked' | 'done';
  /** Why it is not run, also after its result; undefined for a call that is run. */
  stopped: 'rejected' | 'blocked' | undefined;
  /** Whether a response has begun since the call was rejected or blocked. */
  settled: boolean;
  /** Whether an approval_request concerned this call, or perhaps did. */
  asked: boolean;
  /** Whether an ask_user_request concerned this call, or perhaps did. */
  questioned: boolean;
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
  /** Whether its text has a {@link lineSeparators}. */
  readonly separated: boolean;
  /** Whether a decision that was sent before it may answer it, or it asks once more about a call that waits. */
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
  /** The characters of the ids, names and lines that were kept so far. */
  characters: number;
  /** The names of its calls, the oldest first. */
  readonly names: string[];
  /** Whether a response has certainly begun, at the start of the turn or after a cap, and its text_done has not come. */
  owesTextDone: boolean;
  /** Whether an event of a call came since the last event of a response. */
  calledLast: boolean;
  /** Whether a context_usage and then a spinner_start came since the last call or response: the model was asked. */
  asksModel: boolean;
  /** Whether a warn came after a response without calls: the engine may ask for this response again. */
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
  /** The beginning of its text and of its thoughts, without the pieces that are blank. */
  said: string;
  thought: string;
  subAgents: number;
}

/** The first interrupt of a turn. */
export interface Interruption extends Moment {
  /** Whether it was sent in this turn. Otherwise it was sent just before, and may have met this turn or the one before. */
  readonly certain: boolean;
  /** The pause in which it came; undefined in no pause. */
  readonly pause: Pause | undefined;
}

/** Characters that JSON leaves as they are, and at which some libraries end a line, though only a line feed does. */
export const lineSeparators: RegExp = /[\u0085\u2028\u2029]/u;

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
/** The most characters of a turn's calls, pauses and lines that are kept. An id, a name or a line may have a million. */
export const charactersKept: number = 16 << 20;
/** The most characters of a turn's text that are kept. */
export const textKept = 1024;

/** A response that has not begun. */
export const noResponse = (): Response => ({
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
  characters: 0,
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
  said: '',
  thought: '',
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
  if (call !== undefined && others.length === 0) call.state = call.stopped = state;
  else for (const one of calls) one.unclear = true;
}
