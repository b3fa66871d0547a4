/** Draws a trace: a line for each event, an arrow between the lifelines of its peers, and gaps that show the time between. */
import type { PageEvent } from '../page-data.ts';
import { element } from './dom.ts';
import { isWanted, kindOf, wordsOf } from './trace-view.ts';
import type { TraceView } from './trace-view.ts';

/** Lines in one block: the browser skips the blocks that are out of sight. */
const blockSize = 50;
/** A millisecond takes this many pixels, up to the longest gap; a longer wait is labelled. */
const scale = { pixels: 0.12, longest: 44, labelled: 200 } as const;

/** Draws the events that the filters and the search leave. @returns their number */
export function drawEvents(view: TraceView, list: HTMLElement, search: string): number {
  const events = view.trace.events.filter((event) => isWanted(view, event, search));
  const { lines } = view;
  lines.clear();
  const blocks: HTMLElement[] = [];
  for (let i = 0; i < events.length; i += blockSize) {
    const block = element('div', { class: 'block', role: 'presentation' });
    for (const [j, event] of events.slice(i, i + blockSize).entries()) {
      const line = eventLine(view, event, events[i + j - 1]);
      lines.set(event.s, line);
      block.append(line);
    }
    blocks.push(block);
  }
  list.replaceChildren(...blocks);
  return events.length;
}

/** The names above the lifelines. */
export function lifelines({ trace: { peers }, section }: TraceView): HTMLElement {
  const { role = '' } = section.dataset;
  const names = peers.map((name, i) => {
    const isTarget = name === 'target';
    const label = element(
      'span',
      { class: isTarget ? 'peer target' : 'peer', title: isTarget ? `target: ${role}` : name },
      name,
      ...(isTarget && role !== '' ? [element('span', { class: 'role' }, ` ${role}`)] : []),
    );
    label.style.setProperty('--x', String(at(i, peers.length)));
    return label;
  });
  const unit = element('span', { class: 'unit' }, 'seconds');
  const lane = element('div', { class: 'lane' }, ...names);
  return element('div', { class: 'peers', 'aria-hidden': 'true' }, unit, lane);
}

/** The place of a lifeline: 0 is left, 1 is right. */
const at = (i: number, of: number): number => (of < 2 ? 0.5 : i / (of - 1));

/** The id of an event's line, which is also its link. */
export const lineId = ({ trace: { key } }: TraceView, seq: number): string => `${key}:${seq}`;

function eventLine(view: TraceView, event: PageEvent, before: PageEvent | undefined): HTMLElement {
  const { trace, faults } = view;
  const kind = kindOf(view, event);
  const fault = faults.get(event.s);
  const isArrow = kind !== 'mark' && event.f >= 0 && event.o >= 0 && event.f !== event.o;
  const lane = element('div', { class: 'lane' }, ...(isArrow ? arrow(view, event) : note(view, event)));
  const ids =
    fault?.rows.map(({ id, anchor }) =>
      element('a', { href: `#${anchor}`, tabindex: -1, class: 'at-fault' }, id),
    ) ?? [];
  const line = element(
    'div',
    {
      class: `event kind-${kind}${fault === undefined ? '' : ' fault'}`,
      role: 'option',
      'aria-selected': 'false',
      id: lineId(view, event.s),
      'data-seq': event.s,
      'aria-label': spoken(view, event),
    },
    element('span', { class: 'time' }, timeText(event.t)),
    lane,
    element(
      'span',
      { class: 'place' },
      ...ids,
      fault === undefined && kind !== 'mark' && trace.places.length > 2 ? placeText(view, event) : '',
    ),
  );
  gap(line, lane, event, before);
  return line;
}

/** Seconds since the trace began, such as `1.579`. */
export const timeText = (ms: number): string => (ms / 1000).toFixed(3);

function placeText({ trace }: TraceView, event: PageEvent): string {
  const { wire = '', conn = '', stream = '' } = trace.places[event.p] ?? {};
  const wires = new Set(trace.places.map((place) => place.wire)).size;
  return [wires > 1 ? wire : '', stream === '' ? conn : stream].filter(Boolean).join(' ');
}

/** An event in one sentence, for a screen reader. */
function spoken(view: TraceView, event: PageEvent): string {
  const { peers } = view.trace;
  const { name, rest } = wordsOf(view, event);
  const parties = event.f < 0 ? '' : `${peers[event.f] ?? ''} to ${peers[event.o] ?? ''}, `;
  const violated = view.faults.get(event.s)?.rows.map(({ id }) => id) ?? [];
  const fault = violated.length === 0 ? '' : `violates ${violated.join(', ')}: `;
  return `${fault}event ${event.s}, ${parties}${name} ${rest}`;
}

/** The wait before an event. */
function gap(line: HTMLElement, lane: HTMLElement, event: PageEvent, before: PageEvent | undefined): void {
  if (before === undefined) return;
  const wait = event.t - before.t;
  const left = event.s - before.s - 1;
  const height = Math.min(scale.longest, wait * scale.pixels);
  if (wait >= scale.labelled) {
    const label = wait < 999.5 ? `${Math.round(wait)} ms` : `${(wait / 1000).toFixed(1)} s`;
    lane.append(element('span', { class: 'wait' }, `${label} later`));
    line.style.setProperty('--gap', '30px');
  } else if (height >= 1) line.style.setProperty('--gap', `${Math.round(height)}px`);
  if (left > 0) line.classList.add('after-others');
}

function label(view: TraceView, event: PageEvent): readonly HTMLElement[] {
  const { name, rest } = wordsOf(view, event);
  return [
    ...(name === '' ? [] : [element('b', {}, name)]),
    ...(rest === '' ? [] : [element('span', { class: 'rest' }, rest)]),
  ];
}

function arrow(view: TraceView, event: PageEvent): readonly HTMLElement[] {
  const { length } = view.trace.peers;
  const [from, to] = [at(event.f, length), at(event.o, length)];
  const drawn = [
    element('span', { class: 'words' }, ...label(view, event)),
    element('span', { class: from < to ? 'arrow right' : 'arrow left' }),
  ];
  for (const part of drawn) {
    part.style.setProperty('--x', String(Math.min(from, to)));
    part.style.setProperty('--w', String(Math.abs(from - to)));
  }
  return drawn;
}

/** An event of one party, or a mark of the kit. */
const note = (view: TraceView, event: PageEvent): readonly HTMLElement[] => [
  element('span', { class: 'note' }, ...label(view, event)),
];
