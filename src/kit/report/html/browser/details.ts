/** The data of one event: what it is, the requirements that it violates, its data decoded, and its bytes. */
import type { PageEvent } from '../page-data.ts';
import { element } from './dom.ts';
import { lineId, timeText } from './diagram.ts';
import { kindOf, wordsOf } from './trace-view.ts';
import type { TraceView } from './trace-view.ts';

/** Fills the panel with an event. */
export function showDetails(view: TraceView, event: PageEvent, panel: HTMLElement, close: () => void): void {
  const button = element('button', { type: 'button', class: 'close', 'aria-label': 'Close (Escape)' }, '×');
  button.addEventListener('click', close);
  panel.replaceChildren(
    element(
      'div',
      { class: 'panel-head' },
      element('h3', {}, `Event ${event.s}`, title(view, event)),
      button,
    ),
    ...violations(view, event),
    facts(view, event),
    ...dataOf(event),
    ...bytesOf(event),
    element('a', { class: 'self', href: `#${lineId(view, event.s)}` }, 'Link to this event'),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
}

function title(view: TraceView, event: PageEvent): HTMLElement {
  const { peers } = view.trace;
  const { name } = wordsOf(view, event);
  const parties = event.f < 0 ? '' : `${peers[event.f] ?? ''} → ${peers[event.o] ?? ''}`;
  return element('small', {}, [parties, name || kindOf(view, event)].filter(Boolean).join(' · '));
}

const violations = (view: TraceView, event: PageEvent): readonly HTMLElement[] =>
  (view.faults.get(event.s)?.rows ?? []).map(({ id, anchor, message }) =>
    element('p', { class: 'violation' }, element('a', { href: `#${anchor}` }, id), ` ${message}`),
  );

function facts(view: TraceView, event: PageEvent): HTMLElement {
  const { trace } = view;
  const { wire = '', conn = '', stream = '' } = trace.places[event.p] ?? {};
  const before = trace.events[trace.events.indexOf(event) - 1];
  const since =
    before === undefined
      ? ''
      : `, ${Math.round((event.t - before.t) * 1000) / 1000} ms after event ${before.s}`;
  const rows: readonly (readonly [string, string])[] = [
    ['Time', `${timeText(event.t)} s${since}`],
    ['Kind', kindOf(view, event)],
    ['Wire', wire],
    ['Connection', conn],
    ['Stream', stream],
    ['Size', event.l === undefined ? '' : `${event.l} bytes on the wire`],
    ['Note', event.n ?? ''],
  ];
  const list = element('dl');
  for (const [name, value] of rows) {
    if (value !== '') list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  }
  return list;
}

function dataOf({ d, w }: PageEvent): readonly HTMLElement[] {
  if (d === undefined) return [];
  const text = typeof d === 'string' ? d : JSON.stringify(d, null, 2);
  const cut =
    w === undefined ? [] : [element('p', { class: 'quiet' }, `Cut: the whole data has ${w} characters.`)];
  return [element('h4', {}, 'Data'), ...cut, element('pre', { tabindex: 0, class: 'data' }, text)];
}

function bytesOf({ b, z }: PageEvent): readonly HTMLElement[] {
  if (b === undefined) return [];
  const bytes = Array.from(atob(b), (character) => character.charCodeAt(0));
  const cut =
    z === undefined
      ? []
      : [element('p', { class: 'quiet' }, `Cut: the first ${bytes.length} of ${z} bytes.`)];
  return [element('h4', {}, 'Bytes'), ...cut, element('pre', { tabindex: 0, class: 'hex' }, hexLines(bytes))];
}

/** Bytes in a line of the panel. */
const perLine = 8;

/** Lines such as `0008  68 65 6c 6c 6f  hello`. */
function hexLines(bytes: readonly number[]): string {
  const lines: string[] = [];
  for (let i = 0; i < bytes.length; i += perLine) {
    const some = bytes.slice(i, i + perLine);
    const hex = some.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = some.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${i.toString(16).padStart(4, '0')}  ${hex.padEnd(perLine * 3 - 1)}  ${text}`);
  }
  return lines.join('\n');
}
