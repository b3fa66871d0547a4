/** What the rules of servers look at: the exchanges of a trace, each with the reader of its dialect. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { isSocket, purposeOf } from './asked.ts';
import type { Counted } from './counted.ts';
import { HttpReading } from './exchange.ts';
import type { Reading } from './exchange.ts';
import { textOf } from './notes.ts';
import type { Note } from './notes.ts';
import { SocketReading } from './socket.ts';

/** See the file's head. */
export interface ServerView {
  /** Exchanges that are not over, by their stream. */
  readonly readings: Map<string, Reading>;
  readonly counted: Counted;
  /** How long an answer may take (ms). */
  patience: number;
  /** Exchanges were forgotten, for there were too many at once. */
  forgotten: boolean;
  /** What the event at hand shows: made once, for all rules. */
  now: { readonly event: TraceEvent; readonly notes: readonly Note[] } | undefined;
}

/** Times by which rules go, where the run does not say (ms). */
export const defaultTimeouts = { step: 120_000 } as const;

/** Most exchanges at once that are kept. */
const readingsKept = 1024;

/** A view of a trace that has not begun. */
export const startView = (): ServerView => ({
  readings: new Map(),
  counted: new Map(),
  patience: defaultTimeouts.step,
  forgotten: false,
  now: undefined,
});

/** What an event shows of which rows. The view is moved on by it, once. */
export function notesOf(view: ServerView, event: TraceEvent): readonly Note[] {
  if (view.now?.event === event) return view.now.notes;
  const notes = read(view, event);
  view.now = { event, notes };
  return notes;
}

/** Moves the view on. */
export function stepView(view: ServerView, event: TraceEvent): void {
  notesOf(view, event);
}

function read(view: ServerView, event: TraceEvent): readonly Note[] {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  const reading = view.readings.get(event.stream);
  if (reading === undefined) return [];
  const notes = reading.take(event);
  if (reading.over) view.readings.delete(event.stream);
  return notes;
}

function mark(view: ServerView, { data: { run } }: TraceEvent): readonly Note[] {
  const timeouts = isObject(run) ? run['timeouts'] : undefined;
  const step = isObject(timeouts) ? timeouts['step'] : undefined;
  if (typeof step === 'number') view.patience = step;
  return [];
}

function open(view: ServerView, { data, stream }: TraceEvent): readonly Note[] {
  const reading = isSocket(data) ? new SocketReading() : httpReading(view, textOf(data[':path']));
  if (reading === undefined) return [];
  const [oldest] = view.readings.keys();
  if (view.readings.size >= readingsKept && oldest !== undefined) {
    view.readings.delete(oldest);
    view.forgotten = true;
  }
  view.readings.set(stream, reading);
  return [];
}

function httpReading(view: ServerView, path: string): Reading | undefined {
  const purpose = purposeOf(path);
  if (purpose === undefined || purpose.dialect === 'lmstudio') return undefined;
  const { dialect, what } = purpose;
  return new HttpReading({ dialect, what }, view.counted);
}

/** What an event is about: `answer` where it is of an exchange, else its kind. */
export const topicOf = (event: TraceEvent): string => (event.stream === '' ? event.kind : 'answer');
