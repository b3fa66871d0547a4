/** The wire events around a violation, as lines for a person. */
import { isObject } from '../base/index.ts';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { ShortText, shortIds, textsIn } from './short.ts';

/** Events shown before and after the event at fault. */
const around = { before: 4, after: 2 } as const;
/** Characters of an event that are shown. A report for a terminal cuts further. */
const widest = 400;

/** The status and the type of an HTTP answer say enough; the other headers are metadata. */
const tellingHeaders = [':status', 'content-type', 'retry-after'];

/** A simulated peer's report about one HTTP exchange. */
interface ExchangeMark {
  readonly peer: string;
  /** The member `told` of the mark, such as `request` or `answered`. */
  readonly told: string;
  /** The stream of the exchange. */
  readonly exchange: string;
  readonly detail: JsonObject;
}

/** The report in a mark; undefined for another event. */
function exchangeMark({ kind, data }: TraceEvent): ExchangeMark | undefined {
  const { told, peer, detail } = data;
  if (kind !== 'mark' || typeof told !== 'string' || typeof peer !== 'string' || !isObject(detail))
    return undefined;
  const { exchange, ...rest } = detail;
  return typeof exchange === 'string' && exchange !== '' ? { peer, told, exchange, detail: rest } : undefined;
}

function shown(event: TraceEvent, short: ShortText): string {
  const mark = exchangeMark(event);
  if (mark !== undefined) return `${mark.peer} ${mark.told} ${short.of(mark.detail)}`;
  const note = event.note === undefined ? '' : ` (${short.ids(event.note)})`;
  if (event.kind === 'message') return short.of(event.data) + note;
  const { ':method': method, ':path': path } = event.data;
  if (event.kind === 'open' && typeof method === 'string' && typeof path === 'string')
    return `${method} ${short.ids(path)}${note}`;
  const telling = Object.entries(event.data).filter(([key]) => tellingHeaders.includes(key));
  const data = event.kind === 'headers' && telling.length > 0 ? Object.fromEntries(telling) : event.data;
  return `${event.kind}${Object.keys(data).length === 0 ? '' : ` ${short.of(data)}`}${note}`;
}

function line(event: TraceEvent, marked: boolean, short: ShortText): string {
  const who = event.from === 'kit' ? 'kit' : `${event.from} → ${event.to}`;
  const text = shown(event, short);
  const cut = text.length > widest ? `${text.slice(0, widest)}…` : text;
  return `${marked ? '>' : ' '} #${event.seq} +${(event.at / 1000).toFixed(3)}s ${event.stream} ${who}: ${cut}`;
}

/** Texts at these paths name the kind of an event; they stream no content. */
const kindPath = /\.(?:event|type)$/u;

/** Events that are not shown, as one line. The text that they streamed in pieces is put together. */
function gap(events: readonly TraceEvent[], short: ShortText): string {
  const pieces = new Map<string, string[]>();
  for (const { kind, data } of events)
    if (kind === 'message')
      for (const [path, text] of textsIn(data))
        if (!kindPath.test(path)) {
          const texts = pieces.get(path);
          if (texts === undefined) pieces.set(path, [text]);
          else texts.push(text);
        }
  // Names and ids repeat in every event; the pieces of a text differ.
  const streamed = [...pieces.values()].filter(
    (texts) => texts.length > 1 && new Set(texts).size > texts.length / 2,
  );
  const [longest] = streamed.map((texts) => texts.join('')).toSorted((a, b) => b.length - a.length);
  return `  … ${events.length} more${longest === undefined ? '' : `: ${short.of(longest)}`}`;
}

/** The request of an HTTP exchange, and the start of its answer: who asked what matters for each fault in it. */
function exchangeOf(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const isHttp = events.some(({ kind, data }) => kind === 'open' && typeof data[':method'] === 'string');
  if (!isHttp) return [];
  const opened = events.find(({ kind }) => kind === 'open');
  return events.filter(
    (event) =>
      event === opened ||
      event.kind === 'headers' ||
      (event.from === opened?.from && event.kind === 'message'),
  );
}

/** The parts of the streams of these events that an excerpt shows. */
function near(related: readonly TraceEvent[], seq: number): readonly TraceEvent[] {
  const place = related.findIndex((e) => e.seq >= seq);
  if (place < 0) return related.slice(-around.before);
  return related.slice(Math.max(0, place - around.before), place + 1 + around.after);
}

/** The exchanges of these marks: the request of each, and the reports about its answer. */
function markedExchanges(events: readonly TraceEvent[], marks: readonly TraceEvent[]): readonly TraceEvent[] {
  const exchanges = new Set(marks.map((mark) => exchangeMark(mark)?.exchange));
  return events.filter((event) => exchanges.has(exchangeMark(event)?.exchange ?? event.stream));
}

const isRequest = ({ kind, from }: TraceEvent): boolean =>
  from === 'target' && (kind === 'open' || kind === 'message');

/** The message that a mark about a request reports; of any other event, its own position. */
function reportedRequest(events: readonly TraceEvent[], seq: number): number {
  const mark = events[seq] === undefined ? undefined : exchangeMark(events[seq]);
  if (mark?.told !== 'request') return seq;
  return (
    events.findLast((e) => e.seq < seq && e.stream === mark.exchange && e.kind === 'message' && isRequest(e))
      ?.seq ?? seq
  );
}

/** The events that belong to the event at fault, and those of them that are shown. */
function chosenFor(
  events: readonly TraceEvent[],
  at: TraceEvent,
  also: readonly number[],
): { readonly related: readonly TraceEvent[]; readonly shown: readonly TraceEvent[] } {
  const isMark = (event: TraceEvent): boolean => exchangeMark(event) !== undefined;
  const marks = [at, ...also.flatMap((seq) => events[seq] ?? [])].filter(isMark);
  if (marks.length > 0 && at.stream === '') {
    const related = markedExchanges(events, marks);
    return { related, shown: related.filter((event) => isMark(event) || isRequest(event)) };
  }
  const stream = at.stream !== '' ? at.stream : (events[also[0] ?? -1]?.stream ?? '');
  const related = events.filter((e) => e.stream === stream || e.kind === 'process');
  return { related, shown: [...near(related, at.seq), ...(stream === '' ? [] : exchangeOf(related))] };
}

/**
 * Lines for the event at `seq`, the events that belong to it, and their neighbours on the same stream; of an HTTP
 * exchange, also the request. A line with a fault begins with `>`. An id has the same short form in all lines.
 */
export function excerpt(events: readonly TraceEvent[], seq: number, also: readonly number[]): string[] {
  const at = events[seq];
  if (at === undefined) return [];
  const { related, shown: surroundings } = chosenFor(events, at, also);
  const wanted = new Set([...surroundings.map((e) => e.seq), ...also, seq]);
  const marked = new Set([seq, ...also].map((fault) => reportedRequest(events, fault)));
  const chosen = [...wanted].toSorted((a, b) => a - b).flatMap((e) => events[e] ?? []);
  const short = new ShortText(
    shortIds(chosen.flatMap(({ data, note = '' }) => [note, ...[...textsIn(data)].map(([, text]) => text)])),
  );
  return chosen.flatMap((event, i) => {
    const before = chosen[i - 1]?.seq ?? Infinity;
    const hidden = related.filter((r) => r.seq > before && r.seq < event.seq);
    return [...(hidden.length > 0 ? [gap(hidden, short)] : []), line(event, marked.has(event.seq), short)];
  });
}
