/** A trace that was opened: its filters, its diagram, its panel, and the event that is chosen. */
import { showDetails } from './details.ts';
import { drawEvents, lifelines, lineId } from './diagram.ts';
import { element } from './dom.ts';
import { filterBar } from './filters.ts';
import { isWanted, readTrace } from './trace-view.ts';
import type { TraceView } from './trace-view.ts';

/** The section of a trace. It draws nothing before it is opened. */
export class TraceSection {
  readonly section: HTMLDetailsElement;
  #view: TraceView | undefined;
  readonly #list: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #status: HTMLElement;
  #search = '';
  #chosen: number | undefined;

  constructor(section: HTMLDetailsElement) {
    this.section = section;
    this.#list = element('div', { class: 'events', role: 'listbox', tabindex: 0, 'aria-label': 'Events' });
    this.#panel = element('aside', { class: 'panel', 'aria-label': 'The chosen event', hidden: true });
    this.#status = element('p', { class: 'quiet shown', role: 'status' });
    this.#list.addEventListener('click', ({ target }) => this.#clicked(target));
    section.addEventListener('toggle', () => section.open && this.draw());
    if (section.open) this.draw();
  }

  /** The drawn trace. */
  get view(): TraceView {
    return (this.#view ??= this.#build());
  }

  /** Draws the trace, when it was not drawn yet. */
  draw(): void {
    void this.view;
  }

  /** Shows the events that contain a text. @returns their number; 0 where the section is closed */
  search(text: string): number {
    this.#search = text;
    return this.#view === undefined ? 0 : this.#redraw(this.#view);
  }

  /** Chooses the event at a position, and shows its data. Filters that hide it are taken back. */
  choose(seq: number): void {
    const { view } = this;
    const event = view.bySeq.get(seq);
    if (event === undefined) return;
    if (!isWanted(view, event, this.#search)) {
      Object.assign(view.wanted, { scenario: '', wire: '', request: '', kind: '' });
      this.section.querySelectorAll('select').forEach((select) => (select.value = ''));
      this.#search = '';
      this.#redraw(view);
    }
    this.#mark(seq);
    showDetails(view, event, this.#panel, () => this.close());
    this.section.classList.add('with-panel');
    view.lines.get(seq)?.scrollIntoView({ block: 'nearest' });
  }

  /** Moves the choice by a number of events, or to the next one at fault. */
  move(by: number, onlyFaults = false): void {
    const { lines, faults } = this.view;
    const seqs = [...lines.keys()].filter((seq) => !onlyFaults || faults.has(seq));
    const now = this.#chosen ?? (by > 0 ? -1 : Infinity);
    const next = by > 0 ? seqs.find((seq) => seq > now) : seqs.findLast((seq) => seq < now);
    if (next === undefined) return;
    if (this.#panel.hidden && !onlyFaults) {
      this.#mark(next);
      lines.get(next)?.scrollIntoView({ block: 'nearest' });
    } else this.choose(next);
  }

  /** Shows the data of the marked event. */
  open(): void {
    if (this.#chosen !== undefined) this.choose(this.#chosen);
  }

  /** Hides the data. @returns whether it was shown */
  close(): boolean {
    if (this.#panel.hidden) return false;
    this.#panel.hidden = true;
    this.section.classList.remove('with-panel');
    this.#list.focus({ preventScroll: true });
    return true;
  }

  #build(): TraceView {
    const view = readTrace(this.section);
    const { style } = this.section;
    style.setProperty('--gaps', String(Math.max(1, view.trace.peers.length - 1)));
    const filters = filterBar(view, () => this.#redraw(view));
    const diagram = element('div', { class: 'diagram' }, lifelines(view), this.#list);
    const stage = this.section.querySelector('.stage');
    stage?.replaceChildren(filters, this.#status, element('div', { class: 'split' }, diagram, this.#panel));
    this.#redraw(view);
    return view;
  }

  #redraw(view: TraceView): number {
    const drawn = drawEvents(view, this.#list, this.#search);
    const all = view.trace.events.length;
    this.#status.textContent = drawn === all ? '' : `${drawn} of ${all} events shown`;
    const chosen = this.#chosen;
    if (chosen !== undefined && view.lines.has(chosen)) this.#mark(chosen);
    return drawn;
  }

  #mark(seq: number): void {
    const { lines } = this.view;
    const before = this.#chosen === undefined ? undefined : lines.get(this.#chosen);
    before?.setAttribute('aria-selected', 'false');
    lines.get(seq)?.setAttribute('aria-selected', 'true');
    this.#list.setAttribute('aria-activedescendant', lineId(this.view, seq));
    this.#chosen = seq;
  }

  #clicked(target: EventTarget | null): void {
    if (!(target instanceof Element) || target.closest('a') !== null) return;
    const seq = target.closest('[data-seq]')?.getAttribute('data-seq');
    if (seq !== null && seq !== undefined) this.choose(Number(seq));
  }
}
