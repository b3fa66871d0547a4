/** A trace of a storm, and the judge of it. */
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { Judge } from '../judge/index.ts';
import type { Judging } from '../judge/index.ts';
import { simulatedRedact } from '../suite/index.ts';
import type { Suite } from '../suite/index.ts';
import { Recorder } from '../world/index.ts';
import type { Clock } from '../world/index.ts';

/** Notes a failure: the requirement or the invariant that was broken, the message, and the events before it as lines. */
export type Fail = (broke: string, message: string, excerpt?: readonly string[]) => void;

/** Called for each violation, with the position of its event. */
type Violated = (requirement: string, message: string, seq: number) => void;

interface TraceJudge {
  /** The findings so far, by requirement; absent: they are not counted. */
  readonly found?: ReadonlyMap<string, { readonly exercised: number }>;
  step(event: TraceEvent): void;
  end(): unknown;
}

/** The judge of a suite's rules. */
export const judgeOf =
  <V>(judging: Judging<V>) =>
  (violated: Violated): Judge<V> => {
    const judge = new Judge(judging);
    judge.onViolation = (requirement, { message, seq }) => violated(requirement, message, seq);
    return judge;
  };

export interface WatchOptions<J> {
  readonly clock: Clock;
  /** The wire of events that name none. */
  readonly wire: string;
  readonly suite: Pick<Suite, 'secrets' | 'timeouts' | 'simulatedTimeouts'>;
  /** What the first mark says of the run besides the timeouts, such as its drive. */
  readonly run: JsonObject;
  readonly judge: (violated: Violated) => J;
  readonly fail: Fail;
  /** Written before the requirement's id, in a storm that judges several sides. */
  readonly name?: string;
  /** Whether violations count now; absent: they do. */
  readonly isJudged?: () => boolean;
}

/** The number of events before a failure that its report shows. */
const shownEvents = 12;
/** The most characters of an event's data that its line shows. */
const shownData = 240;

export class StormWatch<J extends TraceJudge = TraceJudge> {
  readonly events: TraceEvent[] = [];
  readonly judge: J;
  readonly recorder: Recorder;
  #isOver = false;

  constructor({ clock, wire, suite, run, judge, fail, name, isJudged = () => true }: WatchOptions<J>) {
    const { secrets, timeouts, simulatedTimeouts } = suite;
    const before = name === undefined ? '' : `${name}: `;
    this.judge = judge((requirement, message, seq) => {
      if (isJudged()) fail(`${before}${requirement}`, message, this.excerpt(seq));
    });
    const sink = (event: TraceEvent): void => {
      if (this.#isOver) return;
      this.events.push(event);
      this.judge.step(event);
    };
    this.recorder = new Recorder({ clock, wire, secrets, redact: simulatedRedact, sink });
    this.recorder.mark({ run: { ...run, timeouts: { ...timeouts, ...simulatedTimeouts } } });
  }

  /** Ends the trace. Later events are not recorded. */
  end(): void {
    this.recorder.mark({ end: true });
    this.judge.end();
    this.#isOver = true;
  }

  /** The number of times each requirement was exercised. */
  exercised(): ReadonlyMap<string, number> {
    return new Map([...(this.judge.found ?? [])].map(([id, { exercised }]) => [id, exercised]));
  }

  /** The events up to a position, as lines. */
  excerpt(last: number = this.events.length - 1): readonly string[] {
    return this.events
      .slice(Math.max(0, last + 1 - shownEvents), last + 1)
      .map(({ seq, at, stream, from, to, kind, data }) => {
        return `${seq} ${at} ms ${stream} ${from} > ${to} ${kind} ${JSON.stringify(data).slice(0, shownData)}`;
      });
  }
}
