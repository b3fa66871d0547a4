/** Runs the rules of a suite over one trace, event by event, and keeps their findings. */
import type { TraceEvent } from '../base/index.ts';
import { forgetOldest } from './bounded.ts';
import { overdue } from './deadline.ts';
import { anyTopic, exercisedHere } from './rule.ts';
import type { Finding, Findings, Rule } from './rule.ts';

/** The part of a suite that a judge needs. */
export interface Judging<V> {
  readonly rules: readonly Rule<V>[];
  /** The one topic of an event, such as `response.text` or `half_close`. */
  topicOf(event: TraceEvent): string;
  /**
   * Extra topics for rare conditions, separated by spaces, so that their rules are not called for every event. Empty
   * for most events.
   */
  extraTopicsOf?(event: TraceEvent, view: V): string;
  /**
   * The view that all rules read: the world before the event at hand. No rule changes it. `look` notes the meaning of the
   * event at hand, once for all rules. `step` takes the event into the view.
   */
  readonly view: {
    start(): V;
    look?(view: V, event: TraceEvent): void;
    step(view: V, event: TraceEvent): void;
  };
  /** The reason why no requirement can pass any more: the view evicted a fact that rules need. */
  forgot?(view: V): string | undefined;
  /** The reason why a trace shows nothing of the target. It counts only where no other trace of the run shows more. */
  unshown?(view: V): string | undefined;
}

/** The findings about one requirement in one trace. */
export interface RequirementFindings {
  exercised: number;
  /** The position of the event that exercised it first. */
  first?: number | undefined;
  readonly violations: Extract<Finding, { type: 'violated' }>[];
  unknowable: string | undefined;
  /** See {@link Judging.unshown}. */
  unshown?: string | undefined;
}

/** A rule in the middle of a trace. */
interface Running<V> {
  readonly rule: Rule<V>;
  readonly state: unknown;
  readonly found: RequirementFindings;
}

/** The rules that listen to the same topics. Arrays side by side keep the loop over them fast. */
interface Listeners<V> {
  readonly steps: readonly Rule<V>['step'][];
  readonly states: readonly unknown[];
  readonly running: readonly Running<V>[];
  /** The rules of `running` with deadlines. */
  readonly timed: readonly Running<V>[];
}

/** The most reports of lateness that are kept. */
const reportedKept = 10_000;

/** The number of violations of one requirement that are kept with their message. */
const violationsKept = 20;

/** Whether an awaited event of a rule is overdue. */
const isOverdue = <V>(rule: Rule<V>, state: unknown, view: V, now: TraceEvent): boolean =>
  overdue(rule.pending?.(state, view, now) ?? [], now).length > 0;

/** A judge in the middle of a trace. */
export class Judge<V> {
  readonly view: V;
  readonly found: Map<string, RequirementFindings> = new Map();
  /** Called with each violation at once. */
  onViolation: ((requirement: string, finding: Extract<Finding, { type: 'violated' }>) => void) | undefined;
  readonly #judging: Judging<V>;
  readonly #running: Running<V>[] = [];
  readonly #timed: readonly Running<V>[];
  readonly #byTopic = new Map<string, Listeners<V>>();
  /** A time at or before the first deadline of all rules (ms). */
  #due = Infinity;
  #last: TraceEvent | undefined;
  /** The awaited events whose lateness was reported before the end of the trace. */
  readonly #reported = new Set<string>();

  constructor(judging: Judging<V>, only?: ReadonlySet<string>) {
    this.#judging = judging;
    this.view = judging.view.start();
    for (const rule of judging.rules) {
      if (only !== undefined && !only.has(rule.requirement)) continue;
      const found = this.found.get(rule.requirement) ?? {
        exercised: 0,
        first: undefined,
        violations: [],
        unknowable: undefined,
      };
      this.found.set(rule.requirement, found);
      this.#running.push({ rule, state: rule.start(), found });
    }
    this.#timed = this.#running.filter(({ rule }) => rule.due !== undefined);
  }

  /** Takes the next event of the trace. */
  step(event: TraceEvent): void {
    const judging = this.#judging;
    const { view } = this;
    judging.view.look?.(view, event);
    if (event.kind === 'mark' && event.data['busy'] !== undefined) return this.#lengthen(event);
    if (event.at > this.#due) this.#overdue(event);
    const topic = judging.topicOf(event);
    const aside = judging.extraTopicsOf?.(event, view) ?? '';
    const topics = aside === '' ? topic : `${topic} ${aside}`;
    const { steps, states, running, timed } = this.#byTopic.get(topics) ?? this.#index(topics);
    for (let i = 0; i < steps.length; i++) {
      const findings = steps[i]?.(states[i], event, view);
      if (findings === undefined) continue;
      const { rule, found } = running[i] as Running<V>;
      if (findings === exercisedHere) found.exercised++;
      else this.#keep(rule.requirement, found, findings);
      if (found.exercised > 0) found.first ??= event.seq;
    }
    for (const one of timed) this.#watch(one);
    judging.view.step(view, event);
    // A mark may change the time limits.
    if (event.kind === 'mark') this.#due = -Infinity;
    this.#last = event;
  }

  /** Takes the mark of a busy machine. No rule asks what is overdue before the time limits are longer. */
  #lengthen(event: TraceEvent): void {
    this.#judging.view.step(this.view, event);
    this.#due = -Infinity;
    this.#last = event;
  }

  /** Reports the events that are overdue at a moment (ms) of a live trace. Rules otherwise notice them at the next event. */
  tick(at: number): void {
    if (this.#last === undefined) return;
    const now: TraceEvent = { ...this.#last, at, from: 'kit', to: 'kit', kind: 'timer', data: {} };
    if (at > this.#due) this.#overdue(now);
    for (const running of this.#running) this.#reportLate(running, now);
  }

  /** Ends the trace: the rules report missing events. Call once. */
  end(): ReadonlyMap<string, RequirementFindings> {
    const last = this.#last;
    if (last === undefined) return this.found;
    const forgot = this.#judging.forgot?.(this.view);
    const unshown = this.#judging.unshown?.(this.view);
    for (const running of this.#running) {
      const { rule, state, found } = running;
      const findings = rule.end?.(state, this.view, last);
      if (findings !== undefined) this.#keep(rule.requirement, found, findings);
      this.#reportLate(running, last);
      found.unknowable ??= forgot;
      if (unshown !== undefined) found.unshown = unshown;
    }
    return this.found;
  }

  /**
   * The requirements that the trace would violate if it ended at a moment (ms). The findings do not change.
   *
   * @param among - the requirements that are asked; without it, all
   */
  missing(at: number, among?: ReadonlySet<string>): ReadonlySet<string> {
    const last = this.#last;
    const late = new Set<string>();
    if (last === undefined) return late;
    const end: TraceEvent = { ...last, at, from: 'kit', to: 'kit', kind: 'mark', data: { end: true } };
    for (const { rule, state } of this.#running) {
      if (among?.has(rule.requirement) === false || late.has(rule.requirement)) continue;
      const found = [rule.end?.(state, this.view, end) ?? []].flat();
      const isLate = found.some(({ type }) => type === 'violated') || isOverdue(rule, state, this.view, end);
      if (isLate) late.add(rule.requirement);
    }
    return late;
  }

  /** Reports the awaited events of a rule that are overdue, each once. */
  #reportLate({ rule, state, found }: Running<V>, now: TraceEvent): void {
    if (rule.pending === undefined) return;
    for (const late of overdue(rule.pending(state, this.view, now), now)) {
      const key = `${rule.requirement} ${late.also?.[0] ?? ''}`;
      if (this.#reported.has(key)) continue;
      this.#reported.add(key);
      forgetOldest(this.#reported, reportedKept);
      this.#keepOne(rule.requirement, found, late);
    }
  }

  /** Asks the rules with deadlines for overdue waits. */
  #overdue(event: TraceEvent): void {
    this.#due = Infinity;
    for (const running of this.#timed) {
      const findings = running.rule.overdue?.(running.state, event, this.view);
      if (findings !== undefined) this.#keep(running.rule.requirement, running.found, findings);
      this.#watch(running);
    }
  }

  #watch({ rule, state }: Running<V>): void {
    this.#due = Math.min(this.#due, rule.due?.(state, this.view) ?? Infinity);
  }

  #index(topics: string): Listeners<V> {
    const heard = new Set([
      anyTopic,
      ...topics.split(' ').flatMap((topic) => [topic, topic.replace(/\..*$/, '')]),
    ]);
    const running = this.#running.filter(({ rule: { listens } }) => listens.some((one) => heard.has(one)));
    const steps = running.map(({ rule }) => rule.step);
    const states = running.map(({ state }) => state);
    const timed = running.filter(({ rule }) => rule.due !== undefined);
    const listeners = { steps, states, running, timed };
    this.#byTopic.set(topics, listeners);
    return listeners;
  }

  #keep(id: string, found: RequirementFindings, findings: Exclude<Findings, undefined>): void {
    if ('type' in findings) this.#keepOne(id, found, findings);
    else for (const finding of findings) this.#keepOne(id, found, finding);
  }

  #keepOne(id: string, found: RequirementFindings, finding: Finding): void {
    if (finding.type === 'exercised') found.exercised++;
    else if (finding.type === 'unknowable') found.unknowable ??= finding.reason;
    else {
      found.exercised++;
      if (found.violations.length < violationsKept) found.violations.push(finding);
      this.onViolation?.(id, finding);
    }
  }
}
