/** The traces of the page: which are shown, under which keys, and how they share the room. */
import type { Report, TraceEvent } from '../../base/index.ts';
import type { ReportOptions, ReportTrace } from '../options.ts';
import { fitTrace } from './page-trace.ts';
import type { FittedTrace } from './page-trace.ts';
import type { PageFault } from './page-data.ts';
import { rowAnchor, traceKeys } from './text.ts';

/** A trace of the page. Two names have one trace when its targets were judged by themselves. */
export interface PlacedTrace {
  readonly key: string;
  readonly names: readonly string[];
  readonly scenarios: readonly string[];
  readonly events: readonly TraceEvent[];
  readonly faults: readonly PageFault[];
}

/** The traces of the page, and the places of all that the report names. */
export interface TracePlaces {
  readonly shown: readonly PlacedTrace[];
  /** The key of a shown trace, by its name. */
  keyOf(name: string): string | undefined;
}

/** The traces that the page shows: those with evidence of a failure, or all. */
export function placeTraces(
  report: Report,
  { traces = [], diagrams = 'failed', scenario }: ReportOptions,
): TracePlaces {
  const failed = new Set(
    report.requirements.flatMap(({ verdict, evidence = [] }) =>
      verdict === 'fail' ? evidence.map(({ trace }) => trace) : [],
    ),
  );
  const isWanted = ({ name, scenarios }: ReportTrace): boolean =>
    scenario === undefined ? diagrams === 'all' || failed.has(name) : scenarios.includes(scenario);
  const wanted = diagrams === 'none' ? [] : traces.filter(isWanted);
  const byEvents = new Map<ReportTrace['events'], ReportTrace[]>();
  for (const trace of wanted) {
    const alike = byEvents.get(trace.events);
    if (alike === undefined) byEvents.set(trace.events, [trace]);
    else alike.push(trace);
  }
  const keys = traceKeys(wanted.map(({ name }) => name));
  const shown = [...byEvents].map(([events, alike]): PlacedTrace => {
    const names = alike.map(({ name }) => name);
    const key = keys.get(names[0] ?? '') ?? '';
    const scenarios = [...new Set(alike.flatMap((trace) => trace.scenarios))];
    return { key, names, scenarios, events, faults: faultsOf(report, names) };
  });
  const byName = new Map(shown.flatMap(({ key, names }) => names.map((name) => [name, key])));
  // Those with a fault come first: a reader came for them.
  return {
    shown: shown.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0)),
    keyOf: (name) => byName.get(name),
  };
}

function faultsOf(report: Report, names: readonly string[]): readonly PageFault[] {
  const faults = new Map<number, PageFault['rows'][number][]>();
  for (const [i, { id, verdict, evidence = [], message = '' }] of report.requirements.entries()) {
    if (verdict !== 'fail') continue;
    for (const seq of new Set(evidence.filter(({ trace }) => names.includes(trace)).map((e) => e.seq))) {
      const rows = faults.get(seq) ?? [];
      rows.push({ id, anchor: rowAnchor(id, i), message: message.slice(0, 500) });
      faults.set(seq, rows);
    }
  }
  return [...faults].map(([seq, rows]) => ({ seq, rows })).toSorted((a, b) => a.seq - b.seq);
}

/** A trace with evidence of a failure gets this many shares of the room. */
const faultShares = 4;

/** Fits the traces into `room` characters. What a short trace leaves is for the longer ones. */
export function fitTraces(
  { shown }: TracePlaces,
  scenario: string | undefined,
  room: number,
): ReadonlyMap<PlacedTrace, FittedTrace> {
  const sharesOf = ({ faults }: PlacedTrace): number => (faults.length > 0 ? faultShares : 1);
  let left = room;
  let shares = shown.reduce((sum, trace) => sum + sharesOf(trace), 0);
  const fitted = new Map<PlacedTrace, FittedTrace>();
  for (const trace of shown.toSorted(
    (a, b) => a.events.length / sharesOf(a) - b.events.length / sharesOf(b),
  )) {
    const one = fitTrace({ ...trace, scenario }, Math.floor((left * sharesOf(trace)) / shares));
    left -= one.json.length;
    shares -= sharesOf(trace);
    fitted.set(trace, one);
  }
  return fitted;
}
