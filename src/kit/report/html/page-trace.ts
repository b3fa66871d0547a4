/** Turns a trace into what the page's script draws, within a number of characters. */
import type { TraceEvent } from '../../base/index.ts';
import { exactText, quietJson } from '../../base/index.ts';
import { cutBytes, cutData } from './cut-data.ts';
import type { PageEvent, PageFault, PageScenario, PageTrace } from './page-data.ts';
import { sharedIds } from './shared-ids.ts';

/** A trace for the page. */
export interface TraceToShow {
  readonly key: string;
  readonly events: readonly TraceEvent[];
  readonly faults: readonly PageFault[];
  /** The scenario that the user chose. */
  readonly scenario: string | undefined;
}

/** A trace as JSON for the page, and what it leaves out. */
export interface FittedTrace {
  readonly json: string;
  /** The payload of an event is cut to this number of characters. */
  readonly payload: number;
  /** The number of events in the page. */
  readonly kept: number;
  /** The number of events whose payload was cut. */
  readonly cut: number;
}

/** Tried one after the other until the trace fits. The first is what a reader gets in most runs. */
const payloads = [2000, 1000, 500, 250] as const;
const smallestPayload = 120;
/** The most events of a trace in the page. */
const mostEvents = 5000;

/** JSON inside a script element: it cannot end the element, and cannot act in a terminal or a CI log. */
export const scriptJson = (value: unknown): string =>
  quietJson(exactText(value)).replace(
    /[<>&]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Fits a trace into `room` characters: its payloads are cut first, then the events far from its faults. */
export function fitTrace(trace: TraceToShow, room: number): FittedTrace {
  const make = pageTraceOf(trace);
  const sizes = trace.events.map(sizeOf);
  const estimate = (payload: number): number =>
    sizes.reduce((sum, size) => sum + frameOfEvent + Math.min(size, payload), 0);
  const payload = payloads.find((one) => estimate(one) <= room) ?? smallestPayload;
  let fitted = make(Math.min(mostEvents, countThatFits(sizes.length, estimate(payload), room)), payload);
  while (fitted.json.length > room && fitted.kept > 1) {
    fitted = make(countThatFits(fitted.kept, fitted.json.length, room * 0.95), fitted.payload);
  }
  return fitted;
}

/** What an event takes besides its payload: position, time, names (characters, about). */
const frameOfEvent = 60;

const sizeOf = ({ data, bytes = '', note = '' }: TraceEvent): number =>
  exactText(data).length + bytes.length / 2 + note.length;

const countThatFits = (count: number, size: number, room: number): number =>
  size <= room ? count : Math.max(1, Math.floor((count * room) / size));

/** Prepares a trace. @returns a function that writes it with at most this number of events, each cut to a payload */
function pageTraceOf(trace: TraceToShow): (events: number, payload: number) => FittedTrace {
  const { key, events, faults } = trace;
  const peers = peersOf(events);
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  const places = placesOf(events);
  const shared = sharedIds(events);
  const scenarios = scenariosOf(events);
  const names = {
    key,
    peers,
    kinds,
    ids: shared.ids,
    scenarios,
    faults,
    places: places.all,
    initial: initialOf(trace, scenarios),
  };
  const distances = distancesOf(events, faults);
  return (most, payload) => {
    const kept = nearest(events, distances, most);
    const shown = kept.map((event): PageEvent => {
      const ids = shared.of(event);
      return {
        s: event.seq,
        t: Math.round(event.at * 1000) / 1000,
        k: kinds.indexOf(event.kind),
        p: places.indexOf(event),
        f: peers.indexOf(event.from),
        o: peers.indexOf(event.to),
        ...payloadOf(event, payload),
        ...(event.note === undefined ? {} : { n: event.note.slice(0, payload) }),
        ...(event.size === undefined ? {} : { l: event.size }),
        ...(ids.length === 0 ? {} : { i: ids }),
      };
    });
    const page: PageTrace = { ...names, events: shown };
    const cut = shown.filter(({ w, z }) => w !== undefined || z !== undefined).length;
    return { json: scriptJson(page), payload, kept: kept.length, cut };
  };
}

/** The streams of a trace, each once, and the index of an event's stream among them. */
function placesOf(events: readonly TraceEvent[]): {
  readonly all: PageTrace['places'];
  indexOf(event: TraceEvent): number;
} {
  const keyOf = ({ wire, conn, stream }: TraceEvent): string => JSON.stringify([wire, conn, stream]);
  const places = new Map<string, { readonly i: number; readonly place: PageTrace['places'][number] }>();
  for (const event of events) {
    const { wire, conn, stream } = event;
    const key = keyOf(event);
    if (!places.has(key)) places.set(key, { i: places.size, place: { wire, conn, stream } });
  }
  return {
    all: [...places.values()].map(({ place }) => place),
    indexOf: (event) => places.get(keyOf(event))?.i ?? 0,
  };
}

function payloadOf(event: TraceEvent, payload: number): Pick<PageEvent, 'd' | 'w' | 'b' | 'z'> {
  const { data, whole } = cutData(event.data, payload);
  const hex = event.bytes === undefined ? undefined : cutBytes(event.bytes, payload);
  const isEmpty = whole === undefined && Object.keys(event.data).length === 0;
  return {
    ...(isEmpty ? {} : { d: data }),
    ...(whole === undefined ? {} : { w: whole }),
    ...(hex === undefined ? {} : { b: hex.bytes }),
    ...(hex?.whole === undefined ? {} : { z: hex.whole }),
  };
}

/**
 * The lifelines. The target is between the peers that dial it and those that it dials; where only one side dials, it is the
 * second. The kit has no lifeline.
 */
function peersOf(events: readonly TraceEvent[]): readonly string[] {
  const names = new Set<string>();
  const dialers = new Set<string>();
  const dialed = new Set<string>();
  for (const { kind, from, to } of events) {
    if (kind === 'mark' || from === to) continue;
    for (const name of [from, to]) if (name !== '') names.add(name);
    if (kind === 'open') (from === 'target' ? dialed : dialers).add(from === 'target' ? to : from);
  }
  const others = [...names].filter((name) => name !== 'target' && name !== 'kit');
  if (others.some((name) => dialers.has(name)) && others.some((name) => dialed.has(name))) {
    const left = others.filter((name) => dialers.has(name));
    return [...left, 'target', ...others.filter((name) => !dialers.has(name))];
  }
  const [first, ...more] = others.length === 0 && names.has('kit') ? ['kit'] : others;
  return [...(first === undefined ? [] : [first]), 'target', ...more];
}

/** The scenarios that the marks of the kit tell. */
function scenariosOf(events: readonly TraceEvent[]): readonly PageScenario[] {
  const last = events.at(-1)?.seq ?? 0;
  const found: PageScenario[] = [];
  for (const { seq, kind, data } of events) {
    const name = data['scenario'];
    if (kind !== 'mark' || typeof name !== 'string') continue;
    if (data['begin'] === true) found.push({ name, from: seq, to: last, outcome: '' });
    else if (typeof data['outcome'] === 'string') {
      const at = found.findLastIndex((one) => one.name === name && one.outcome === '');
      const begun = found[at];
      if (begun !== undefined) found[at] = { ...begun, to: seq, outcome: data['outcome'] };
    }
  }
  return found;
}

/** The scenario to show first: the chosen one, or the one with the first fault where there are several. */
function initialOf({ scenario, faults }: TraceToShow, scenarios: readonly PageScenario[]): string {
  if (scenario !== undefined && scenarios.some(({ name }) => name === scenario)) return scenario;
  if (scenarios.length < 2) return '';
  const within = scenarios.filter(({ from, to }) => faults.some(({ seq }) => seq >= from && seq <= to));
  const outside = faults.some(({ seq }) => scenarios.every(({ from, to }) => seq < from || seq > to));
  return within.length === 1 && !outside ? (within[0]?.name ?? '') : '';
}

/** The distance of each event to the nearest fault; to the start, where there is no fault. */
function distancesOf(events: readonly TraceEvent[], faults: readonly PageFault[]): readonly number[] {
  const anchors = faults.length === 0 ? [0] : faults.map(({ seq }) => seq);
  return events.map(({ seq }) => Math.min(...anchors.map((anchor) => Math.abs(anchor - seq))));
}

/** The events with the smallest distances, in their order. */
function nearest(
  events: readonly TraceEvent[],
  distances: readonly number[],
  most: number,
): readonly TraceEvent[] {
  if (events.length <= most) return events;
  const limit = distances.toSorted((a, b) => a - b)[most - 1] ?? 0;
  return events.filter((_, i) => (distances[i] ?? 0) <= limit).slice(0, most + 1);
}
