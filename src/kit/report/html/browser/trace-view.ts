/** One trace on the page: its data, which events its filters leave, and its elements. */
import type { PageEvent, PageFault, PageTrace } from '../page-data.ts';
import { eventWords } from '../event-words.ts';
import type { EventWords } from '../event-words.ts';
import { byId } from './dom.ts';

/** What the filters of a trace want; an empty text wants everything. */
export interface Wanted {
  scenario: string;
  wire: string;
  request: string;
  kind: string;
}

/** A trace whose data was read. */
export interface TraceView {
  readonly trace: PageTrace;
  readonly section: HTMLDetailsElement;
  readonly faults: ReadonlyMap<number, PageFault>;
  readonly wanted: Wanted;
  /** Events by their positions. */
  readonly bySeq: ReadonlyMap<number, PageEvent>;
  /** The elements of the events that were drawn. */
  readonly lines: Map<number, HTMLElement>;
}

/** Reads the data of a trace from the page. */
export function readTrace(section: HTMLDetailsElement): TraceView {
  const trace = JSON.parse(byId(`data-${section.id}`).textContent) as PageTrace;
  return {
    trace,
    section,
    lines: new Map(),
    faults: new Map(trace.faults.map((fault) => [fault.seq, fault])),
    wanted: { scenario: trace.initial, wire: '', request: '', kind: '' },
    bySeq: new Map(trace.events.map((event) => [event.s, event])),
  };
}

export const kindOf = ({ trace }: TraceView, event: PageEvent): string => trace.kinds[event.k] ?? '';

/** The words of an event's line. */
export const wordsOf = (view: TraceView, event: PageEvent): EventWords =>
  eventWords(kindOf(view, event), event.d, event.n);

/** The kind and the name of a message, for the filter of kinds. */
export const kindNameOf = (view: TraceView, event: PageEvent): string => {
  const kind = kindOf(view, event);
  const { name } = kind === 'message' ? wordsOf(view, event) : { name: '' };
  return name === '' ? kind : `${kind}: ${name}`;
};

/** Whether the filters and the search leave an event. */
export function isWanted(view: TraceView, event: PageEvent, search: string): boolean {
  const { trace, wanted } = view;
  const within = ({ name, from, to }: PageTrace['scenarios'][number]): boolean =>
    name === wanted.scenario && event.s >= from && event.s <= to;
  if (wanted.scenario !== '' && !trace.scenarios.some(within)) return false;
  if (wanted.wire !== '' && trace.places[event.p]?.wire !== wanted.wire) return false;
  if (wanted.request !== '' && !requestsOf(view, event).includes(wanted.request)) return false;
  if (wanted.kind !== '' && kindOf(view, event) !== wanted.kind && kindNameOf(view, event) !== wanted.kind)
    return false;
  return search === '' || textOf(view, event).includes(search);
}

/** The stream of an event, and the ids in it. */
export function requestsOf({ trace }: TraceView, event: PageEvent): readonly string[] {
  const { stream = '', conn = '' } = trace.places[event.p] ?? {};
  const place = stream === '' ? conn : `stream ${stream}`;
  return [...(place === '' ? [] : [place]), ...(event.i ?? []).flatMap((i) => trace.ids[i] ?? [])];
}

const texts = new WeakMap<PageEvent, string>();

/** The text of an event that the search reads, in small letters. */
function textOf(view: TraceView, event: PageEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const { trace } = view;
  const { wire = '', conn = '', stream = '' } = trace.places[event.p] ?? {};
  const parties = [trace.peers[event.f] ?? '', trace.peers[event.o] ?? ''];
  const faults = view.faults.get(event.s)?.rows.map(({ id }) => id) ?? [];
  const data = event.d === undefined ? '' : typeof event.d === 'string' ? event.d : JSON.stringify(event.d);
  const text = [
    `#${event.s}`,
    kindOf(view, event),
    wire,
    conn,
    stream,
    ...parties,
    ...faults,
    event.n ?? '',
    data,
  ]
    .join(' ')
    .toLowerCase();
  texts.set(event, text);
  return text;
}
