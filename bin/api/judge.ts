/** A judge of recorded traces from within a program, as `wireproof judge`. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { Report, TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import { liveScenario, parseEvent, parseHeader } from '../../src/kit/spec/index.ts';
import { judgeTrace } from '../check/judge-trace.ts';
import { recordedTrace } from '../traces/source.ts';
import type { RecordedTrace } from '../traces/source.ts';

/** A trace: its file, its events, or its header and events. */
export type JudgedTrace =
  string | readonly TraceEvent[] | { readonly header: TraceHeader; readonly events: readonly TraceEvent[] };

/** The options of a judge. */
export interface JudgeOptions {
  /** The suite; default: that of the header. Events without a header need it. */
  readonly suite?: string;
  /** Ids of requirements to judge, or to leave out; `*` matches any text. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requirements of this level and above. */
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  /** Only requirements that this version of the kit had. */
  readonly asOf?: string;
  /** Whether a violated SHOULD is fatal, too. */
  readonly strict?: boolean;
}

/**
 * Judges a trace by the rules of a suite. What the trace does not exercise is `not-observed`.
 *
 * @throws WireproofError 'usage' when it is no trace, or its suite is unknown
 *
 * @example
 * import { judge } from 'wireproof/check';
 *
 * const report = await judge('fixtures/toon/sessions/TOON-01.orchestrator.bad.jsonl');
 * report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id); // ['TOON-01']
 */
export async function judge(trace: JudgedTrace, options: JudgeOptions = {}): Promise<Report> {
  const { suite, only = [], skip = [], ...selection } = options;
  const recorded = typeof trace === 'string' ? await recordedTrace(trace) : givenTrace(trace, suite);
  const header = suite === undefined ? recorded.header : { ...recorded.header, suite };
  const { report } = await judgeTrace({ ...recorded, header }, { only, skip, ...selection });
  return report;
}

function givenTrace(trace: Exclude<JudgedTrace, string>, suite: string | undefined): RecordedTrace {
  const bare = !('events' in trace);
  if (bare && suite === undefined)
    throw new WireproofError('usage', 'events without a header: name their suite, such as fold/agent');
  const header = bare
    ? headerFor(suite ?? '')
    : parseHeader(JSON.stringify(trace.header), 'the header of the trace');
  const events = bare ? trace : trace.events;
  return {
    name: 'the trace',
    header,
    read: async (take) => {
      let before: TraceEvent | undefined;
      // The part of a trace that a simulated peer keeps may begin anywhere.
      for (const [seq, event] of events.entries())
        take((before = parseEvent(JSON.stringify({ ...event, seq }), `event ${seq}`, before)));
      return {};
    },
  };
}

/** A header for the events of a live session. */
const headerFor = (suite: string): TraceHeader => ({
  wireproof: 'trace/1',
  suite,
  revision: '',
  seed: '0',
  scenario: liveScenario,
  target: 'the other side',
  started: 0,
});
