/** Runs a suite's rules over one trace, event by event, and keeps what they find. */
import type { TraceEvent } from '../base/index.ts';
import { anyTopic, exercisedHere } from './rule.ts';
import type { Finding, Findings, Rule } from './rule.ts';

/** What a judge needs to know of a suite. */
export interface Judging<V> {
  readonly rules: readonly Rule<V>[];
  /** The one topic of an event, such as `response.text` or `half_close`. */
  topicOf(event: TraceEvent): string;
  /**
   * What is out of the ordinary about an event: further topics it has, a space between them; none for most events.
   * A rule that only the extraordinary concerns listens to these, and is not bothered with the rest.
   */
  extraTopicsOf?(event: TraceEvent, view: V): string;
  /**
   * What all rules look at: the world before the event at hand, which no rule changes. `look` notes what the event at
   * hand means in that world, once for all rules; `step` takes the event into it.
   */
  readonly view: {
    start(): V;
    look?(view: V, event: TraceEvent): void;
    step(view: V, event: TraceEvent): void;
  };
  /** Why nothing can be said to pass any more: the view forgot what it would need. */
  forgot?(view: V): string | undefined;
}

/** One requirement's findings over one trace. */
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

/** Those that listen to the same: what is looked at for each event lies side by side. */
interface Listeners<V> {
  readonly steps: readonly Rule<V>['step'][];
  readonly states: readonly unknown[];
  readonly running: readonly Running<V>[];
  /** Those of them that have deadlines. */
  readonly timed: readonly Running<V>[];
}

/** Violations of one requirement that are kept with their message; later ones are only counted as such. */
const violationsKept = 20;

/** A judge in the middle of a trace. */
export class Judge<V> {
  readonly view: V;
  readonly found: Map<string, Found> = new Map();
  /** Hears each violation as it is found. */
  onViolation: ((requirement: string, finding: Extract<Finding, { type: 'violated' }>) => void) | undefined;
  readonly #judging: Judging<V>;
  readonly #running: Running<V>[] = [];
  readonly #timed: readonly Running<V>[];
  readonly #byTopic = new Map<string, Listeners<V>>();
  /** The time of the first deadline of all rules, or before it (ms). */
  #due = Infinity;
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
    this.#timed = this.#running.filter(({ rule }) => rule.due !== undefined);
  }

  /** Takes the next event of the trace. */
  step(event: TraceEvent): void {
    const judging = this.#judging;
    const { view } = this;
    judging.view.look?.(view, event);
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
    }
    for (const one of timed) this.#watch(one);
    judging.view.step(view, event);
    // A mark may change the times.
    if (event.kind === 'mark') this.#due = -Infinity;
    this.#last = event;
  }

  /** The trace is over: lets the rules say what is missing. Call once. */
  end(): ReadonlyMap<string, Found> {
    const last = this.#last;
    if (last === undefined) return this.found;
    const forgot = this.#judging.forgot?.(this.view);
    for (const { rule, state, found } of this.#running) {
      const findings = rule.end?.(state, this.view, last);
      if (findings !== undefined) this.#keep(rule.requirement, found, findings);
      found.unknowable ??= forgot;
    }
    return this.found;
  }

  /** Some deadline may have passed: the rules that have any say so. */
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
