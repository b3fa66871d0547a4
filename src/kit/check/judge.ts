/** Runs a suite's rules over one trace, event by event, and keeps what they find. */
import type { TraceEvent } from '../base/index.ts';
import { exercisedHere } from './rule.ts';
import type { Finding, Findings, Rule } from './rule.ts';

/** What a judge needs to know of a suite. */
export interface Judging<V> {
  readonly rules: readonly Rule<V>[];
  /** The one topic of an event, such as `response.text` or `half_close`. */
  topicOf(event: TraceEvent): string;
  /** What all rules look at: the state of the world before the event at hand. */
  readonly view: { start(): V; step(view: V, event: TraceEvent): void };
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
  readonly #byTopic = new Map<string, readonly Running<V>[]>();
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
    const topic = this.#judging.topicOf(event);
    const listeners = this.#byTopic.get(topic) ?? this.#index(topic);
    const { view } = this;
    for (let i = 0; i < listeners.length; i++) {
      const running = listeners[i] as Running<V>;
      const findings = running.rule.step(running.state, event, view);
      if (findings === exercisedHere) running.found.exercised++;
      else if (findings !== undefined) this.#keep(running, findings);
    }
    this.#judging.view.step(this.view, event);
    this.#last = event;
  }

  /** The trace is over: lets the rules say what is missing. Call once. */
  end(): ReadonlyMap<string, Found> {
    const last = this.#last;
    if (last === undefined) return this.found;
    for (const running of this.#running) {
      const findings = running.rule.end?.(running.state, this.view, last);
      if (findings !== undefined) this.#keep(running, findings);
    }
    return this.found;
  }

  #index(topic: string): readonly Running<V>[] {
    const dot = topic.indexOf('.');
    const group = dot < 0 ? topic : topic.slice(0, dot);
    const listeners = this.#running.filter(
      ({ rule: { listens } }) => listens.includes(topic) || listens.includes(group),
    );
    this.#byTopic.set(topic, listeners);
    return listeners;
  }

  #keep({ rule: { requirement }, found }: Running<V>, findings: Exclude<Findings, undefined>): void {
    if ('type' in findings) this.#keepOne(requirement, found, findings);
    else for (const finding of findings) this.#keepOne(requirement, found, finding);
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
