/** Judges a recorded trace by the rules of a suite. `judge`, `view` and `wireproof/check` share it. */
import { WireproofError, isObject } from '../../src/kit/base/index.ts';
import type { JsonObject, Report, ScenarioOutcome, TraceEvent } from '../../src/kit/base/index.ts';
import { Judge, KeyedJudges, reportOf } from '../../src/kit/judge/index.ts';
import type { JudgedParty, PartyKeys, RunFacts } from '../../src/kit/judge/index.ts';
import { claimedFeatures, selectRequirements } from '../../src/kit/scenario/index.ts';
import { scenariosOf, suiteRows } from '../../src/kit/suite/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import type { ReportTrace } from '../../src/kit/report/index.ts';
import { liveScenario } from '../../src/kit/spec/index.ts';
import { registry } from '../registry.ts';
import { version } from '../output/version.ts';
import type { RecordedTrace } from '../traces/source.ts';
import { selectionOf } from './selection.ts';

/** The requirements to judge. */
export interface JudgeSelection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  readonly asOf?: string;
  readonly strict?: boolean;
}

/** The report on a trace, and the trace by its targets for pages and diagrams. */
export interface Judgement {
  readonly report: Report;
  readonly traces: readonly ReportTrace[];
}

/** Judges a trace by the suite of its header. */
export async function judgeTrace(trace: RecordedTrace, selection: JudgeSelection): Promise<Judgement> {
  const { name, header } = trace;
  const began = performance.now();
  const suite = await registry.loadSuite(header.suite);
  // The excerpts around violations need the events, so the whole trace is kept in memory.
  const events: TraceEvent[] = [];
  const { judged, cut } = await readTargets(trace, suite, events);
  const report = reportOf({
    ...judgedFacts(suite, selection, events, judged, cut),
    kit: version(),
    suite: suite.id,
    axes: suite.axes,
    target: header.target,
    driveNamed: true,
    seed: header.seed,
    durationMs: performance.now() - began,
    interrupted: false,
    strict: selection.strict === true,
    skipped: [],
    expected: [],
    unready: undefined,
    absent: false,
    today: '',
    problems: [],
    targetOutput: [],
    replay: (id) => `npx wireproof judge ${name} --only ${id}`,
  });
  const scenarios = [...new Set(report.scenarios.map((one) => one.name))];
  return { report, traces: [...judged].map(([name, { found }]) => ({ name, scenarios, events, found })) };
}

/** A trace in judgement. */
interface Reading {
  step(event: TraceEvent): void;
  /** Ends the trace. @returns its targets, by their names in the report */
  end(): ReadonlyMap<string, JudgedParty<unknown>>;
}

/** Reads a trace of one target. */
function readAlone(file: string, { judging }: Suite): Reading {
  const judge = new Judge(judging);
  return {
    step: (event) => judge.step(event),
    end: () => new Map([[file, { found: judge.end(), view: judge.view }]]),
  };
}

/** Reads a trace of a live session, in which several targets may come. Each is judged by itself. */
function readParties(file: string, { judging }: Suite, keys: PartyKeys): Reading {
  const judges = new KeyedJudges(judging, keys, () => {});
  return {
    step: (event) => judges.step(event),
    end() {
      const parties = judges.end();
      return new Map(
        [...parties].map(([key, party]) => [parties.size === 1 ? file : `${file} (${key})`, party]),
      );
    },
  };
}

/** The targets of a trace, by their names in the report, and the line that was cut. `events` receives all events. */
async function readTargets(
  { name: file, header: { scenario }, read }: RecordedTrace,
  suite: Suite,
  events: TraceEvent[],
): Promise<{ readonly judged: ReadonlyMap<string, JudgedParty<unknown>>; readonly cut: number | undefined }> {
  const { parties } = suite;
  const isLive = scenario === liveScenario && parties !== undefined;
  const reading = isLive ? readParties(file, suite, parties) : readAlone(file, suite);
  // A recording of a gateway also has its operators. Only some suites judge them.
  const wires = new Set([suite.protocol, ...Object.values(suite.wires ?? {})]);
  const { cutLine: cut } = await read((event) => {
    if (event.kind === 'mark' || wires.has(event.wire))
      refusingOddData(file, suite, event.seq, () => reading.step(event));
    events.push(event);
  });
  const last = events.at(-1)?.seq ?? 0;
  return { judged: refusingOddData(file, suite, last, () => reading.end()), cut };
}

/**
 * Judges. The codecs of live runs let through only messages of the protocol, and a trace file may hold anything.
 *
 * @throws WireproofError 'usage' when the data of an event is no message of the protocol
 */
function refusingOddData<T>(file: string, { id }: Suite, seq: number, judging: () => T): T {
  try {
    return judging();
  } catch (cause) {
    if (cause instanceof WireproofError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WireproofError(
      'usage',
      `${file}: cannot judge event ${seq} (${why}): its data, or that of an earlier event, is no message of ${id}. If this kit recorded the trace, please report it as a fault of the kit`,
      { cause },
    );
  }
}

type JudgedFacts = Pick<
  RunFacts,
  | 'revision'
  | 'requirements'
  | 'selected'
  | 'features'
  | 'drive'
  | 'traces'
  | 'scenarios'
  | 'outcomes'
  | 'untestable'
  | 'notes'
>;

/** The facts of a run that a trace shows. */
function judgedFacts(
  suite: Suite,
  { only, skip, level, asOf }: JudgeSelection,
  events: readonly TraceEvent[],
  judged: ReadonlyMap<string, JudgedParty<unknown>>,
  cut: number | undefined,
): JudgedFacts {
  const { requirements: rows, revision } = suiteRows(suite);
  const advertised = [...judged.values()].flatMap(({ view }) => recordedFeatures(suite, view, events));
  const outcomes = recordedOutcomes(events);
  const played = new Set(outcomes.map(({ name }) => name));
  const selected = selectRequirements(rows, { only, skip, level, asOf });
  const rowsOfVersion = selectRequirements(rows, { only: [], skip: [], level: undefined, asOf });
  return {
    revision,
    requirements: selected,
    selected: selectionOf({ only, skip, ...(level && { level }) }, { selected, of: rowsOfVersion }),
    features: claimedFeatures(suite.features, advertised, undefined),
    drive: recordedDrive(events),
    traces: [...judged].map(([name, { found }]) => ({ name, events, found })),
    // A scenario that ended early loses its rows, as in the check that recorded it.
    scenarios: played.size === 0 ? [] : scenariosOf(suite).filter(({ name }) => played.has(name)),
    outcomes,
    untestable: recordedUntestable(events),
    notes: [
      'a requirement that the recording does not exercise is not observed',
      ...(cut === undefined
        ? []
        : [`line ${cut}, the last one, was cut and is not judged: its writer was stopped`]),
      ...(judged.size > 1 ? [`${judged.size} targets came, and each was judged by itself`] : []),
    ],
  };
}

/** The features that the recorded target shows. */
function recordedFeatures(
  { target }: Suite,
  view: unknown,
  events: readonly TraceEvent[],
): readonly string[] {
  if (target.kind !== 'listens') return target.advertised(view) ?? [];
  return events.flatMap((event) => target.shown(event) ?? []);
}

/** The last mark of a run in the trace. */
function runMark(events: readonly TraceEvent[]): JsonObject {
  const mark = events.findLast(({ kind, data }) => kind === 'mark' && isObject(data['run']));
  const run = mark?.data['run'];
  return isObject(run) ? run : {};
}

/** The drive of the recorded run. */
function recordedDrive(events: readonly TraceEvent[]): string {
  const { drive } = runMark(events);
  return typeof drive === 'string' ? drive : 'passive';
}

/** By requirement: the reason why the kit had no handle on it in the recorded run. */
function recordedUntestable(events: readonly TraceEvent[]): RunFacts['untestable'] {
  const { untestable } = runMark(events);
  const reasons = isObject(untestable) ? Object.entries(untestable) : [];
  return Object.fromEntries(reasons.flatMap(([id, why]) => (typeof why === 'string' ? [[id, why]] : [])));
}

function recordedOutcomes(events: readonly TraceEvent[]): ScenarioOutcome[] {
  return events.flatMap(({ kind, data }): ScenarioOutcome[] => {
    const { scenario, outcome, reason, unsupported } = data;
    if (kind !== 'mark' || typeof scenario !== 'string' || (outcome !== 'done' && outcome !== 'ended-early'))
      return [];
    return [
      {
        name: scenario,
        outcome,
        duration_ms: 0,
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(unsupported === true ? { unsupported } : {}),
      },
    ];
  });
}
