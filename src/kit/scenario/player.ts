/**
 * Plays a scenario. The player is a synchronous interpreter: only events and timers move it on, so real and virtual
 * time give the same run. Each strand (the scenario, or a branch of `parallel`) has its own position in the trace, so
 * it misses no event between two of its steps.
 */
import type {
  AwaitStep,
  EventPattern,
  JsonObject,
  Scenario,
  ScenarioStep,
  TraceEvent,
} from '../base/index.ts';
import type { Random } from '../world/index.ts';
import { awaitsEvent, failedCallReason } from './failed-call.ts';
import type { FailedCall } from './failed-call.ts';
import { faultOf } from './fault.ts';
import { awaitFailure, matchesPattern, patternText, refusalText } from './pattern.ts';
import { quietTime } from './quiet-time.ts';
import { endMark } from './stage.ts';
import type { ScenarioEnd, ScenarioWait, Stage } from './stage.ts';
import { passing } from './strand.ts';
import type { Siblings, Strand } from './strand.ts';
import { EventWait } from './event-wait.ts';
import { fill, freshValues, timeIn, valueAt } from './template.ts';
import type { TemplateForms } from './template.ts';

/** A scenario in play. */
export class Player {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #variables: Record<string, unknown>;
  readonly #forms: TemplateForms;
  readonly #ended: (played: ScenarioEnd) => void;
  readonly #strands = new Set<Strand>();
  /** The events that steps awaited and that came, in words. */
  readonly #met = new Set<string>();
  /** The last event that a step awaited. */
  #awaited: TraceEvent | undefined;
  #over = false;

  constructor(options: {
    readonly scenario: Scenario;
    readonly stage: Stage;
    readonly random: Random;
    readonly variables: { readonly [name: string]: unknown };
    /** The suite's own forms. */
    readonly forms?: TemplateForms;
    readonly ended: (played: ScenarioEnd) => void;
  }) {
    this.#scenario = options.scenario;
    this.#stage = options.stage;
    this.#random = options.random;
    this.#variables = { ...options.variables };
    this.#forms = options.forms ?? {};
    this.#ended = options.ended;
  }

  /** Begins; `ended` is called once, possibly before this returns. */
  start(): void {
    this.#stage.mark({ scenario: this.#scenario.name, begin: true });
    const cursor = this.#stage.events.length;
    this.#run({ steps: this.#scenario.steps, cursor, siblings: undefined }, () =>
      this.#finish({ outcome: 'done', ...this.#refusalSince(cursor) }),
    );
  }

  /** Looks at the events that came since the last call. */
  heard(): void {
    for (const strand of this.#strands) this.#look(strand);
  }

  /** Ends the scenario when its operator's call failed, unless it awaits that event or allows the failure. */
  callFailed(event: TraceEvent, call: FailedCall): void {
    if (this.#scenario.may_fail?.includes(call.verb) === true || this.#awaited === event) return;
    const left = [...this.#strands].flatMap(({ steps, at, waiting }) =>
      waiting === undefined ? steps.slice(at) : [waiting.step, ...steps.slice(at)],
    );
    if (!awaitsEvent(left, event)) this.abort(failedCallReason(call));
  }

  /** The longest of its present waits; undefined when it waits for no event. */
  get waiting(): ScenarioWait | undefined {
    const waits = [...this.#strands].flatMap(({ waiting }) => waiting?.shown ?? []);
    return waits.toSorted((a, b) => a.since - b.since)[0];
  }

  /** Ends long waits after at most `ms`: the awaited events have become unlikely. */
  hurry(ms: number): void {
    for (const { waiting } of this.#strands) waiting?.hurry(ms);
  }

  /** Ends the scenario from outside, for example because the target is gone, or does not support what it needs. */
  abort(reason: string, why: Pick<ScenarioEnd, 'unsupported' | 'interrupted'> = {}): void {
    this.#finish({ outcome: 'ended-early', reason, ...why });
  }

  /** Ends the scenario because the target has done its work and left. What came before stands. */
  leave(reason: string): void {
    this.#finish({ outcome: 'done', reason });
  }

  #refusalSince(cursor: number): Pick<ScenarioEnd, 'refusal'> {
    const refusal = refusalText('target', this.#stage.events.slice(cursor));
    return refusal === undefined ? {} : { refusal };
  }

  #finish(played: ScenarioEnd): void {
    if (this.#over) return;
    this.#over = true;
    for (const strand of this.#strands) strand.waiting?.cancel();
    this.#strands.clear();
    this.#stage.mark({ scenario: this.#scenario.name, ...endMark(played) });
    this.#ended(this.#met.size === 0 ? played : { ...played, met: this.#met });
  }

  #run(
    begun: Pick<Strand, 'steps' | 'cursor' | 'siblings'> & Partial<Pick<Strand, 'counts' | 'until'>>,
    whenDone: (cursor: number) => void,
  ): void {
    const strand: Strand = {
      counts: undefined,
      until: undefined,
      ...begun,
      at: 0,
      waiting: undefined,
      whenDone,
    };
    this.#strands.add(strand);
    this.#advance(strand);
  }

  /** Runs steps until one waits. */
  #advance(strand: Strand): void {
    while (!this.#over) {
      const step = strand.steps[strand.at];
      if (step === undefined || this.#hasCome(strand)) {
        this.#strands.delete(strand);
        strand.whenDone(strand.cursor);
        return;
      }
      if (strand.counts !== undefined)
        this.#variables[strand.counts.name] = Math.floor(strand.at / strand.counts.steps) + 1;
      strand.at++;
      if (!this.#do(strand, step)) return;
    }
  }

  /** Whether a round is due, and the event has come that ends the rounds. */
  #hasCome({ until, at, cursor }: Strand): boolean {
    if (until === undefined || at % until.steps > 0) return false;
    return this.#stage.events.slice(cursor).some((event) => matchesPattern(event, until.pattern));
  }

  /** @returns whether the strand can continue at once */
  #do(strand: Strand, step: ScenarioStep): boolean {
    if ('send' in step) return this.#send(step);
    if ('await' in step) return this.#await(strand, step);
    if ('quiet' in step) return this.#quiet(strand, this.#time(step.quiet.for));
    if ('raw' in step) this.#stage.raw(step.raw.from, Buffer.from(step.raw.hex, 'hex'));
    else if ('end' in step) this.#stage.end(step.end.from, step.end.code, step.end.message ?? '');
    else if ('fault' in step)
      this.#stage.fault(
        step.fault.on,
        faultOf(step.fault, (text) => this.#time(text)),
      );
    else if ('stop' in step) this.#stage.stop();
    else if ('mark' in step) this.#stage.mark(step.verbatim === true ? step.mark : this.#fill(step.mark));
    else if ('barrier' in step) return this.#barrier(strand, step.barrier);
    else if ('parallel' in step) return this.#parallel(strand, step.parallel);
    else return this.#repeat(strand, step.repeat);
    return true;
  }

  #send({ as, send }: Extract<ScenarioStep, { send: unknown }>): boolean {
    Object.assign(this.#variables, freshValues(as, this.#random));
    const { from, message, unknown = [], verbatim = false } = send;
    this.#stage.send(from, verbatim ? message : this.#fill(message), unknown);
    return true;
  }

  #fill(value: JsonObject): JsonObject {
    return fill(value, this.#variables, this.#forms);
  }

  #await(strand: Strand, step: AwaitStep): boolean {
    const wait: EventWait = new EventWait({
      step,
      stage: this.#stage,
      filled: (p) => this.#filled(p),
      time: (text) => this.#time(text),
      late: () => this.#late(strand, wait),
    });
    strand.waiting = wait;
    if (this.#scan(strand, wait)) return true;
    wait.begin();
    return false;
  }

  #filled(pattern: EventPattern): EventPattern {
    const { match } = pattern;
    return match === undefined ? pattern : { ...pattern, match: fill(match, this.#variables, this.#forms) };
  }

  #late(strand: Strand, { step, pattern, shown, busy }: EventWait): void {
    strand.waiting = undefined;
    if (step.await.optional === true) return this.#advance(strand);
    const wait = { ...step, pattern, within: shown?.within ?? 0, at: strand.at, busy };
    const [, unmet] = /^\$timeouts\.(.*)$/.exec(step.await.within ?? '$timeouts.step') ?? [];
    this.#finish({
      outcome: 'ended-early',
      reason: awaitFailure(wait, this.#stage.events),
      missing: patternText(step.await),
      ...(unmet === undefined ? {} : { unmet }),
    });
  }

  #look(strand: Strand): void {
    const { waiting } = strand;
    if (waiting === undefined || !this.#strands.has(strand)) return;
    if (this.#scan(strand, waiting)) this.#advance(strand);
    else waiting.settle();
  }

  /** Reads on in the trace. @returns whether the wait is over */
  #scan(strand: Strand, wait: EventWait): boolean {
    const { events } = this.#stage;
    while (strand.cursor < events.length) {
      const event = events[strand.cursor++];
      const met = event && wait.onEvent(event);
      if (met === undefined) continue;
      for (const [name, path] of Object.entries(wait.step.as ?? {})) {
        this.#variables[name] = valueAt(event?.data, path) ?? '';
      }
      this.#awaited = event;
      if (met === 'counts') continue;
      wait.cancel();
      strand.waiting = undefined;
      if (met === 'over') this.#met.add(patternText(wait.step.await));
      return true;
    }
    return false;
  }

  #quiet(strand: Strand, ms: number): boolean {
    quietTime(this.#stage, ms, () => {
      if (this.#strands.has(strand)) this.#advance(strand);
    });
    return false;
  }

  #time(text: string): number {
    return timeIn(text, this.#variables, this.#forms);
  }

  #barrier(strand: Strand, name: string): boolean {
    const { siblings } = strand;
    if (siblings === undefined) return true;
    siblings.waiting.set(name, [...(siblings.waiting.get(name) ?? []), strand]);
    this.#openBarriers(siblings);
    return false;
  }

  #openBarriers(siblings: Siblings): void {
    for (const strand of passing(siblings)) this.#advance(strand);
  }

  #parallel(strand: Strand, branches: readonly (readonly ScenarioStep[])[]): boolean {
    const siblings: Siblings = { playing: branches.length, waiting: new Map() };
    const joined = (cursor: number): void => {
      strand.cursor = Math.max(strand.cursor, cursor);
      siblings.playing--;
      if (siblings.playing === 0) this.#advance(strand);
      else this.#openBarriers(siblings);
    };
    const from = strand.cursor;
    for (const steps of branches) this.#run({ steps, cursor: from, siblings }, joined);
    return false;
  }

  #repeat(strand: Strand, { times, steps: round, as, until: event }: RepeatStep['repeat']): boolean {
    const steps = Array.from({ length: times }, () => round).flat();
    const counts = as === undefined ? undefined : { name: as, steps: round.length };
    const until = event && { pattern: this.#filled(event), steps: round.length };
    const { cursor, siblings } = strand;
    this.#run({ steps, cursor, siblings, counts, until }, (reached) => {
      strand.cursor = reached;
      this.#advance(strand);
    });
    return false;
  }
}

type RepeatStep = Extract<ScenarioStep, { repeat: unknown }>;
