/** Runs the rules of a suite over one trace, event by event, and keeps their findings. */
import type { TraceEvent } from '../base/index.ts';
import { exercisedHere } from './rule.ts';
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
  /** The view that all rules read: the world before the event at hand. */
  readonly view: { start(): V; step(view: V, event: TraceEvent): void };
}

/** The findings about one requirement in one trace. */
export interface Found {
  exercised: number;
  readonly violations: Extract<Finding, { type: 'violated' }>[];
  unknowable: string | undefined;
}

/** A rule in the middle of a trace. */
interface Running<V> {
  readonly rule: Rule<V>;
  readonly state: unknown;
  readonly found: Found;
}

/** The rules that listen to the same topics. Arrays side by side keep the loop over them fast. */
interface Listeners<V> {
  readonly steps: readonly Rule<V>['step'][];
  readonly states: readonly unknown[];
  readonly running: readonly Running<V>[];
}

/** The number of violations of one requirement that are kept with their message. */
const violationsKept = 20;

/** A judge in the middle of a trace. */
export class Judge<V> {
  readonly view: V;
  readonly found: Map<string, Found> = new Map();
  /** Hears each violation as it is found. */
  onViolation: ((requirement: string, finding: Extract<Finding, { type: 'violated' }>) => void) | undefined;
  readonly #judging: Judging<V>;
  readonly #running: Running<V>[] = [];
  readonly #byTopic = new Map<string, Listeners<V>>();
  #last: TraceEvent | undefined;

  constructor(judging: Judging<V>, only?: ReadonlySet<string>) {
    this.#judging = judging;
    this.view = judging.view.start();
    for (const rule of judging.rules) {
      if (only !== undefined && !only.has(rule.requirement)) continue;
      const found = this.found.get(rule.requirement) ?? {
        exercised: 0,
        violations: [],
        unknowable: undefined,
      };
      this.found.set(rule.requirement, found);
      this.#running.push({ rule, state: rule.start(), found });
    }
  }

  /** Takes the next event of the trace. */
  step(event: TraceEvent): void {
    const judging = this.#judging;
    const { view } = this;
    const topic = judging.topicOf(event);
    const aside = judging.extraTopicsOf?.(event, view) ?? '';
    const topics = aside === '' ? topic : `${topic} ${aside}`;
    const { steps, states, running } = this.#byTopic.get(topics) ?? this.#index(topics);
    for (let i = 0; i < steps.length; i++) {
      const findings = steps[i]?.(states[i], event, view);
      if (findings === undefined) continue;
      const { rule, found } = running[i] as Running<V>;
      if (findings === exercisedHere) found.exercised++;
      else this.#keep(rule.requirement, found, findings);
    }
    judging.view.step(view, event);
    this.#last = event;
  }

  /** Ends the trace: the rules report missing events. Call once. */
  end(): ReadonlyMap<string, Found> {
    const last = this.#last;
    if (last === undefined) return this.found;
    for (const running of this.#running) {
      const findings = running.rule.end?.(running.state, this.view, last);
      if (findings !== undefined) this.#keep(running.rule.requirement, running.found, findings);
    }
    return this.found;
  }

  #index(topics: string): Listeners<V> {
    const heard = new Set(topics.split(' ').flatMap((topic) => [topic, topic.replace(/\..*$/, '')]));
    const running = this.#running.filter(({ rule: { listens } }) => listens.some((one) => heard.has(one)));
    const steps = running.map(({ rule }) => rule.step);
    const states = running.map(({ state }) => state);
    const listeners = { steps, states, running };
    this.#byTopic.set(topics, listeners);
    return listeners;
  }

  #keep(id: string, found: Found, findings: Exclude<Findings, undefined>): void {
    if ('type' in findings) this.#keepOne(id, found, findings);
    else for (const finding of findings) this.#keepOne(id, found, finding);
  }

  #keepOne(id: string, found: Found, finding: Finding): void {
    if (finding.type === 'exercised') found.exercised++;
    else if (finding.type === 'unknowable') found.unknowable ??= finding.reason;
    else {
      found.exercised++;
      if (found.violations.length < violationsKept) found.violations.push(finding);
      this.onViolation?.(id, finding);
    }
  }
}
