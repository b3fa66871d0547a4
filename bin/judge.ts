/** `wireproof judge`: judges a recorded trace by the same rules. */
import type { ScenarioOutcome, TraceEvent, TraceHeader } from '../src/kit/base/index.ts';
import { Judge, reportOf } from '../src/kit/judge/index.ts';
import { claimedFeatures, selectRequirements } from '../src/kit/scenario/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import { readRequirements, readTrace } from '../src/kit/spec/index.ts';
import { WireproofError } from '../src/kit/base/index.ts';
import { exitCodeOf } from './exit.ts';
import { registry } from './registry.ts';
import { wantedReports, writeReports } from './reports.ts';
import type { ReportingFlags } from './reports.ts';
import { version } from './version.ts';

/** The flags of `judge`. */
export interface JudgeFlags extends ReportingFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  readonly asOf?: string;
}

interface Reading {
  header: TraceHeader;
  suite: Suite;
  judge: Judge<unknown>;
}

/** Runs the verb. */
export async function judge(file: string, flags: JudgeFlags): Promise<void> {
  const wanted = wantedReports(flags);
  const began = performance.now();
  const header = await headerOf(file);
  const suite = await registry.loadSuite(header.suite);
  const reading: Reading = { header, suite, judge: new Judge(suite.judging) };
  // The excerpts around violations need the events, so the whole file is kept in memory.
  const events: TraceEvent[] = [];
  await readTrace(
    file,
    () => {},
    (event) => {
      reading.judge.step(event);
      events.push(event);
    },
  );
  const list = readRequirements(suite.protocol);
  const rows = list.requirements.filter(({ roles }) => roles.includes(suite.role));
  const view = reading.judge.view;
  const drive = recordedDrive(events);
  const report = reportOf({
    kit: version(),
    suite: suite.id,
    revision: list.revision,
    target: header.target,
    drive,
    driveNamed: true,
    features: claimedFeatures(suite.features, recordedFeatures(suite, view, events), undefined),
    seed: header.seed,
    durationMs: performance.now() - began,
    interrupted: false,
    strict: flags.strict === true,
    requirements: selectRequirements(rows, {
      only: flags.only,
      skip: flags.skip,
      level: flags.level,
      asOf: flags.asOf,
    }),
    traces: [{ name: file, events, found: reading.judge.end() }],
    scenarios: [],
    skipped: [],
    outcomes: recordedOutcomes(events),
    expected: [],
    unready: undefined,
    absent: false,
    today: '',
    handles: {},
    problems: [],
    notes: ['a requirement that the recording does not exercise is not observed'],
    targetOutput: [],
    replay: (id) => `npx wireproof judge ${file} --only ${id}`,
  });
  writeReports(report, wanted, flags);
  process.exitCode = exitCodeOf(report, flags.allowInconclusive === true);
}

async function headerOf(file: string): Promise<TraceHeader> {
  let header: TraceHeader | undefined;
  const enough = new Error('enough');
  try {
    await readTrace(
      file,
      (h) => (header = h),
      () => {
        throw enough;
      },
    );
  } catch (error) {
    if (error !== enough) throw error;
  }
  if (header === undefined) throw new WireproofError('usage', `${file}: no header`);
  return header;
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

/** The drive in the last mark of a run in the trace. */
function recordedDrive(events: readonly TraceEvent[]): string {
  const run = events.findLast((event) => event.kind === 'mark' && event.data['run'] !== undefined)?.data[
    'run'
  ];
  const drive = (run as { drive?: unknown } | undefined)?.drive;
  return typeof drive === 'string' ? drive : 'passive';
}

function recordedOutcomes(events: readonly TraceEvent[]): ScenarioOutcome[] {
  return events.flatMap(({ kind, data }): ScenarioOutcome[] => {
    const { scenario, outcome, reason } = data;
    if (kind !== 'mark' || typeof scenario !== 'string' || (outcome !== 'done' && outcome !== 'ended-early'))
      return [];
    return [{ name: scenario, outcome, duration_ms: 0, ...(typeof reason === 'string' ? { reason } : {}) }];
  });
}
