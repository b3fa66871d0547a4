/**
 * One judge for each of several parties that share one trace. An event with a key assigns its stream to a party; earlier
 * events of the stream are kept until then.
 */
import type { TraceEvent } from '../base/index.ts';
import { Judge } from './judge.ts';
import type { Judging, RequirementFindings } from './judge.ts';
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

/** A party after the end of the trace. */
export interface JudgedParty<V> {
  readonly found: ReadonlyMap<string, RequirementFindings>;
  readonly view: V;
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
  /** The first key of each judge's party. */
  readonly #names = new WeakMap<Judge<V>, string>();
  readonly #byStream = new Map<string, Judge<V>>();
  /** Streams whose party is unknown. */
  readonly #alone = new Map<string, JudgedParty<V>>();
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

  /** Reports the events that are overdue at a moment (ms). See {@link Judge.tick}. */
  tick(at: number): void {
    for (const judge of this.#all()) judge.tick(at);
  }

  /** Ends the trace: the rules report missing events. @returns the judged parties, by their first key */
  end(): ReadonlyMap<string, JudgedParty<V>> {
    const parties = new Map(this.#alone);
    for (const judge of this.#all())
      parties.set(this.#names.get(judge) ?? '', { found: judge.end(), view: judge.view });
    return parties;
  }

  #all(): ReadonlySet<Judge<V>> {
    return new Set(this.#judges.values());
  }

  #forAll(event: TraceEvent): void {
    if (event.data['run'] !== undefined) this.#run = event;
    for (const judge of this.#all()) judge.step(event);
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
    keep(this.#alone, stream, { found: judge.end(), view: judge.view });
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
    this.#names.set(judge, key);
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
