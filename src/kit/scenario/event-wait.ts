/**
 * The wait of a step for an event. It ends after the time that the step gives. While a requirement still awaits an event
 * of the target, it goes on, so that a target that hangs fails the requirement. A hurried wait ends sooner.
 */
import type { AwaitStep, EventPattern, TraceEvent } from '../base/index.ts';
import type { Timer } from '../world/index.ts';
import { matchesPattern, patternText } from './pattern.ts';
import type { ScenarioWait, Stage } from './stage.ts';

/** The longest wait for one event, with its extensions (ms): a target that never stops talking does not hold a check. */
const longestExtension = 600_000;

/** How often the requirements are asked at most (ms): they look at the whole trace, and a target may send a flood. */
const lookPeriod = 100;

/** The parts of a wait. */
export interface EventWaitOptions {
  readonly step: AwaitStep;
  readonly stage: Pick<Stage, 'clock' | 'openWait' | 'delay'>;
  /** Fills in a pattern's variables. */
  readonly filled: (pattern: EventPattern) => EventPattern;
  /** A time of the step as milliseconds. */
  readonly time: (text: string) => number;
  /** Called when the time is over. */
  readonly late: () => void;
}

export class EventWait {
  readonly step: AwaitStep;
  /** The awaited event. */
  readonly pattern: EventPattern;
  readonly #options: EventWaitOptions;
  readonly #else: EventPattern | undefined;
  readonly #soon: EventPattern | undefined;
  /** The longest time of the wait after the event of `soon` (ms). */
  #atMost = Infinity;
  #left: number;
  #timer: Timer | undefined;
  #running: Omit<ScenarioWait, 'text'> | undefined;
  #isExtended = false;
  /** When the requirements were asked last (ms on the clock). */
  #looked = -Infinity;
  /** The delays of the machine before the wait, and those that its time contains (ms). */
  #delayBefore = 0;
  #delay = 0;

  constructor(options: EventWaitOptions) {
    const { step, filled } = options;
    this.#options = options;
    this.step = step;
    this.pattern = filled(step.await);
    this.#else = step.else && filled(step.else.await);
    this.#soon = step.soon && filled(step.soon.after);
    this.#left = step.await.times ?? 1;
  }

  /** The wait as it is; undefined before it began. */
  get shown(): ScenarioWait | undefined {
    return this.#running && { text: patternText(this.pattern), ...this.#running };
  }

  /** How long a busy machine held up the wait so far (ms). */
  get busy(): number {
    return this.#delay - this.#delayBefore;
  }

  /** Begins the time of the wait. */
  begin(): void {
    const { step, stage, time } = this.#options;
    const within = Math.min(time(step.await.within ?? '$timeouts.step'), this.#atMost);
    this.#running = { since: stage.clock.now(), within };
    this.#delayBefore = this.#delay = stage.delay();
    this.#endAfter(within);
  }

  /** Takes an event. @returns 'over' or, by the event of `else`, 'instead' when the wait is over; 'counts' when more of its kind are awaited */
  onEvent(event: TraceEvent): 'over' | 'instead' | 'counts' | undefined {
    this.#notice(event);
    // A match of `else` ends the wait even before `times` is reached.
    if (matchesPattern(event, this.pattern)) return --this.#left > 0 ? 'counts' : 'over';
    return this.#else !== undefined && matchesPattern(event, this.#else) ? 'instead' : undefined;
  }

  /** Ends an extended wait when no requirement awaits an event any more. */
  settle(): void {
    const { clock, openWait } = this.#options.stage;
    if (!this.#isExtended || clock.now() - this.#looked < lookPeriod) return;
    this.#looked = clock.now();
    if (openWait() === 0) this.hurry(0);
  }

  /** Ends the wait after at most `ms`. */
  hurry(ms: number): void {
    const { clock } = this.#options.stage;
    const running = this.#running;
    if (running === undefined || running.since + running.within <= clock.now() + ms) return;
    this.#running = { ...running, within: clock.now() + ms - running.since };
    this.#endAfter(ms);
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  #endAfter(ms: number): void {
    this.#timer?.cancel();
    const { clock } = this.#options.stage;
    const end = clock.now() + ms;
    this.#timer = clock.after(ms, () => {
      // By what the timer itself was late, the wait is longer already.
      if (this.#extend(this.#newDelay() - (clock.now() - end))) return;
      const { optional } = this.step.await;
      if (optional === true || !this.#extend(this.#options.stage.openWait(), true)) this.#options.late();
    });
  }

  /** The delay of the machine by which the wait was not made longer so far (ms). */
  #newDelay(): number {
    const delay = this.#options.stage.delay();
    const more = Math.round(delay - this.#delay);
    this.#delay = delay;
    return more;
  }

  /** Makes the wait longer by `ms`; `settles`: at most until no requirement awaits an event. @returns whether it goes on */
  #extend(ms: number, settles = false): boolean {
    const running = this.#running;
    if (running === undefined) return false;
    const waited = this.#options.stage.clock.now() - running.since;
    const more = Math.min(ms, longestExtension - waited);
    if (more <= 0) return false;
    this.#isExtended = settles;
    this.#running = { ...running, within: waited + more };
    this.#endAfter(more);
    return true;
  }

  /** Shortens the wait at the event of `soon`. */
  #notice(event: TraceEvent): void {
    const { soon } = this.step;
    if (soon === undefined || this.#soon === undefined || this.#atMost !== Infinity) return;
    if (!matchesPattern(event, this.#soon)) return;
    this.#atMost = this.#options.time(soon.within);
    this.hurry(this.#atMost);
  }
}
