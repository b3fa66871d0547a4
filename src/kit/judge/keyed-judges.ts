/**
 * One judge for each of several parties that share one trace. An event with a key assigns its stream to a party; earlier
 * events of the stream are kept until then.
 */
import type { TraceEvent } from '../base/index.ts';
import { Judge } from './judge.ts';
import type { Judging } from './judge.ts';
import type { Finding } from './rule.ts';

/** Finds the party of an event. */
export interface PartyKeys {
  /** The key of the party that an event belongs to, if the event shows it. */
  keyOf(event: TraceEvent): string | undefined;
  /** A further key, under which the event asks its party to come back. */
  nextKeyOf(event: TraceEvent): string | undefined;
}

/** A violation, and the key of the party. */
export interface PartyViolation {
  readonly requirement: string;
  readonly key: string;
  readonly finding: Extract<Finding, { type: 'violated' }>;
}

/** The most parties that are judged at the same time. The oldest are dropped first. */
const partiesKept = 10_000;
/** The most events that are kept of a stream whose party is unknown. */
const earlyKept = 64;

/** Judges of one trace; see the file's head. */
export class KeyedJudges<V> {
  readonly #judging: Judging<V>;
  readonly #keys: PartyKeys;
  readonly #violated: (violation: PartyViolation) => void;
  readonly #judges = new Map<string, Judge<V>>();
  readonly #byStream = new Map<string, Judge<V>>();
  readonly #early = new Map<string, TraceEvent[]>();
  readonly #byNextKey = new Map<string, Judge<V>>();
  #run: TraceEvent | undefined;

  constructor(judging: Judging<V>, keys: PartyKeys, violated: (violation: PartyViolation) => void) {
    this.#judging = judging;
    this.#keys = keys;
    this.#violated = violated;
  }

  /** Takes an event of a party's stream, or one without a stream, which all judges take. */
  step(event: TraceEvent): void {
    if (event.stream === '') return this.#forAll(event);
    const judge = this.#byStream.get(event.stream);
    if (judge === undefined) this.#collect(event);
    else this.#on(judge, event);
    if (event.kind === 'end' || event.kind === 'reset') this.#forget(event.stream);
  }

  /** Ends the trace: the rules report missing events. */
  end(): void {
    for (const judge of new Set(this.#judges.values())) judge.end();
  }

  #forAll(event: TraceEvent): void {
    if (event.data['run'] !== undefined) this.#run = event;
    for (const judge of new Set(this.#judges.values())) judge.step(event);
  }

  #on(judge: Judge<V>, event: TraceEvent): void {
    judge.step(event);
    const next = this.#keys.nextKeyOf(event);
    if (next !== undefined) keep(this.#byNextKey, next, judge);
  }

  #collect(event: TraceEvent): void {
    const early = this.#early.get(event.stream) ?? [];
    this.#early.set(event.stream, early);
    if (early.length < earlyKept) early.push(event);
    const key = this.#keys.keyOf(event);
    if (key === undefined) return;
    const judge = this.#judgeOf(key);
    this.#early.delete(event.stream);
    this.#byStream.set(event.stream, judge);
    for (const before of early) judge.step(before);
  }

  /** Forgets a stream that ended. If its party is unknown, judges the stream alone. */
  #forget(stream: string): void {
    this.#byStream.delete(stream);
    const early = this.#early.get(stream);
    if (early === undefined) return;
    this.#early.delete(stream);
    const judge = this.#begin(stream);
    for (const event of early) judge.step(event);
    judge.end();
  }

  #judgeOf(key: string): Judge<V> {
    const known = this.#judges.get(key);
    if (known !== undefined) return known;
    const judge = this.#byNextKey.get(key) ?? this.#begin(key);
    this.#byNextKey.delete(key);
    keep(this.#judges, key, judge);
    return judge;
  }

  #begin(key: string): Judge<V> {
    const judge = new Judge(this.#judging);
    judge.onViolation = (requirement, finding) => this.#violated({ requirement, key, finding });
    if (this.#run !== undefined) judge.step(this.#run);
    return judge;
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size <= partiesKept) return;
  for (const oldest of map.keys()) if (map.delete(oldest)) return;
}
