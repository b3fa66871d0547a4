/**
 * The agent rules on live traffic of many agents: one judge each, because what an agent does says nothing of
 * another. Streams belong to the agent they register; before, what they carry is kept for it. Who registers under
 * an id that was suggested is who it was suggested to.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, Judge } from '../../../src/kit/judge/index.ts';
import type { Finding } from '../../../src/kit/judge/index.ts';
import { foldAgentSuite } from './suite.ts';
import type { FoldView } from './view.ts';

/** A violation, and whose it is. */
export interface LiveViolation {
  readonly requirement: string;
  readonly agent: string;
  readonly finding: Extract<Finding, { type: 'violated' }>;
}

/** Agents that are judged at a time; of more, those that came first are no longer. */
const judged = 10_000;
/** Events of a stream that are kept until it registers. */
const early = 64;

/** Judges of live traffic; see the file's head. */
export class LiveJudges {
  readonly #violated: (violation: LiveViolation) => void;
  readonly #judges = new Map<string, Judge<FoldView>>();
  readonly #byStream = new Map<string, Judge<FoldView>>();
  readonly #unregistered = new Map<string, TraceEvent[]>();
  /** Who was told to come back under an id. */
  readonly #suggested = new Map<string, Judge<FoldView>>();
  #mark: TraceEvent | undefined;

  constructor(violated: (violation: LiveViolation) => void) {
    this.#violated = violated;
  }

  /** Takes an event of an agent's stream, or a mark, which is for all. */
  step(event: TraceEvent): void {
    if (event.stream === '') return this.#forAll(event);
    const judge = this.#byStream.get(event.stream);
    if (judge === undefined) this.#before(event);
    else this.#on(judge, event);
    if (event.kind === 'end' || event.kind === 'reset') this.#forget(event.stream);
  }

  /** Everything is over: what is missing is said. */
  end(): void {
    for (const judge of new Set(this.#judges.values())) judge.end();
  }

  #forAll(event: TraceEvent): void {
    if (event.data['run'] !== undefined) this.#mark = event;
    for (const judge of new Set(this.#judges.values())) judge.step(event);
  }

  #on(judge: Judge<FoldView>, event: TraceEvent): void {
    judge.step(event);
    const error = event.kind === 'message' ? event.data['registration_error'] : undefined;
    const id = isObject(error) ? error['suggested_id'] : undefined;
    if (typeof id !== 'string' || id === '') return;
    this.#suggested.set(id, judge);
    forgetOldest(this.#suggested, judged);
  }

  #before(event: TraceEvent): void {
    const kept = this.#unregistered.get(event.stream) ?? [];
    this.#unregistered.set(event.stream, kept);
    if (kept.length < early) kept.push(event);
    const register = event.from === 'target' && event.kind === 'message' ? event.data['register'] : undefined;
    if (!isObject(register)) return;
    const id = typeof register['agent_id'] === 'string' ? register['agent_id'] : '';
    const judge = this.#judgeOf(id);
    this.#unregistered.delete(event.stream);
    this.#byStream.set(event.stream, judge);
    for (const before of kept) judge.step(before);
  }

  /** A stream that ended: one that never registered is judged by itself. */
  #forget(stream: string): void {
    this.#byStream.delete(stream);
    const kept = this.#unregistered.get(stream);
    if (kept === undefined) return;
    this.#unregistered.delete(stream);
    const judge = this.#begin(stream);
    for (const event of kept) judge.step(event);
    judge.end();
  }

  #judgeOf(agent: string): Judge<FoldView> {
    const known = this.#judges.get(agent);
    if (known !== undefined) return known;
    const judge = this.#suggested.get(agent) ?? this.#begin(agent);
    this.#suggested.delete(agent);
    this.#judges.set(agent, judge);
    forgetOldest(this.#judges, judged);
    return judge;
  }

  #begin(agent: string): Judge<FoldView> {
    const judge = new Judge(foldAgentSuite.judging);
    judge.onViolation = (requirement, finding) => this.#violated({ requirement, agent, finding });
    if (this.#mark !== undefined) judge.step(this.#mark);
    return judge;
  }
}
