/** The filters of a trace: scenario, wire, request and kind. A filter with one choice is left out. */
import { element, shown } from './dom.ts';
import { kindNameOf, kindOf, requestsOf } from './trace-view.ts';
import type { TraceView, Wanted } from './trace-view.ts';

/** The filters as elements; `changed` is called after each choice. */
export function filterBar(view: TraceView, changed: () => void): HTMLElement {
  const { trace, wanted } = view;
  const bar = element('div', { class: 'filters', role: 'group', 'aria-label': 'Filter events' });
  const scenarios = [...new Set(trace.scenarios.map(({ name }) => name))];
  const choices: readonly (readonly [keyof Wanted, string, string, readonly string[]])[] = [
    ['scenario', 'Scenario', 'all scenarios', scenarios],
    ['wire', 'Wire', 'all wires', distinct(trace.places.map(({ wire }) => wire))],
    [
      'request',
      'Request',
      'all requests',
      distinct(trace.events.flatMap((event) => requestsOf(view, event))),
    ],
    ['kind', 'Kind', 'all kinds', kinds(view)],
  ];
  for (const [key, label, all, values] of choices) {
    if (values.length < 2) continue;
    const select = element('select', { 'data-filter': key });
    select.append(new Option(all, ''), ...values.map((value) => new Option(shown(value), value)));
    select.value = wanted[key];
    select.addEventListener('change', () => {
      wanted[key] = select.value;
      changed();
    });
    bar.append(element('label', {}, element('span', {}, label), select));
  }
  return bar;
}

const distinct = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => value !== '').toSorted();

/** The kinds of events, and the names of messages below theirs. */
function kinds(view: TraceView): readonly string[] {
  const all = view.trace.events.flatMap((event) => [kindOf(view, event), kindNameOf(view, event)]);
  return distinct(all).slice(0, 200);
}
