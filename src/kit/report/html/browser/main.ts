/** The script of the page: it draws the traces that are opened, searches, follows links, and obeys the keyboard. */
import { byId } from './dom.ts';
import { RequirementFilter } from './requirement-filter.ts';
import { TraceSection } from './trace-section.ts';

const requirements = new RequirementFilter();
const sections = [...document.querySelectorAll<HTMLDetailsElement>('details.trace')].map(
  (section) => new TraceSection(section),
);
const search = byId('search') as HTMLInputElement;
byId('tools').hidden = false;
byId('keys').hidden = sections.length === 0;
for (const link of document.querySelectorAll<HTMLElement>('nav a'))
  link.hidden = document.getElementById(link.getAttribute('href')?.slice(1) ?? '') === null;
/** The trace that keys move in: the one that was used last. */
let current = sections[0];

/** Follows a link to a row, a trace, or an event of a trace. */
function follow(): void {
  const target = hashOf(location);
  const [key = '', seq] = target.split(':');
  const section = sections.find((one) => one.section.id === key);
  if (section === undefined) {
    const row = document.getElementById(key);
    if (row === null || !row.matches('details.row')) return;
    requirements.reveal(row);
    row.scrollIntoView({ block: 'start' });
    return;
  }
  current = section;
  section.section.open = true;
  section.draw();
  if (seq === undefined) section.section.scrollIntoView({ block: 'start' });
  else {
    section.choose(Number(seq));
    document.getElementById(target)?.scrollIntoView({ block: 'center' });
  }
}

/** The place that a link names; empty when the link is malformed. */
function hashOf({ hash }: Location): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

function find(): void {
  const text = search.value.trim().toLowerCase();
  const rows = requirements.search(text);
  const events = sections.reduce((sum, section) => sum + section.search(text), 0);
  const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;
  byId('found').textContent =
    text === '' ? '' : `${count(rows, 'requirement')} and ${count(events, 'event')} of the open traces`;
}

/** What each key does. */
const keys: { readonly [key: string]: (() => void) | undefined } = {
  '/': () => search.focus(),
  j: () => current?.move(1),
  ArrowDown: () => current?.move(1),
  k: () => current?.move(-1),
  ArrowUp: () => current?.move(-1),
  n: () => current?.move(1, true),
  p: () => current?.move(-1, true),
  Enter: () => current?.open(),
  Escape: () => sections.forEach((section) => section.close()),
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, summary, pre') !== null;

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search && event.key === 'Escape') {
    search.value = '';
    find();
    search.blur();
    return;
  }
  if (isField(event.target)) return;
  const isArrow = event.key.startsWith('Arrow');
  const inList = event.target instanceof Element && event.target.closest('.events') !== null;
  // Arrows scroll the page, and Enter follows a link, unless the reader is in a diagram.
  if (isArrow && !inList) return;
  if (event.key === 'Enter' && isControl(event.target)) return;
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});
for (const section of sections) {
  for (const kind of ['pointerdown', 'focusin'])
    section.section.addEventListener(kind, () => (current = section));
}

/** Paper shows everything: all rows and all traces, open. */
function unfold(): void {
  for (const details of document.querySelectorAll('details')) details.open = true;
  for (const section of sections) section.draw();
}

search.addEventListener('input', find);
window.addEventListener('hashchange', follow);
window.addEventListener('beforeprint', unfold);
window.matchMedia('print').addEventListener('change', ({ matches }) => matches && unfold());
// A link to the same place follows again.
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
  if (link !== null && link.getAttribute('href') === location.hash) follow();
});
if (location.hash !== '') follow();
