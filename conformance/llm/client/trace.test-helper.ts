/** Builds traces of turns, for tests of the rules. */
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { RequirementFindings } from '../../../src/kit/judge/index.ts';
import { clientRules } from './rules/index.ts';
import { clientJudging } from './topics.ts';

/** The verdict: the exercised requirements, and the messages of violations. */
export interface Judged {
  readonly exercised: readonly string[];
  readonly violated: { readonly [row: string]: readonly string[] };
}

/** Builds a trace event by event. */
export class Trace {
  readonly #events: TraceEvent[] = [];
  readonly #dialect: string;
  #at = 0;
  #streams = 0;

  constructor(dialect = 'anthropic', hello: JsonObject = {}) {
    this.#dialect = dialect;
    const timeouts = { abort: 2000, slack: 2000, step: 15_000, hang: 30_000 };
    this.#put({ kind: 'mark', from: 'kit', to: 'kit', data: { run: { drive: 'turns', timeouts } } });
    this.line('target', { id: 'hello', ok: { name: 'x', ops: ['llm.turn'], ...hello } });
  }

  #put(event: Omit<TraceEvent, 'seq' | 'at' | 'wire' | 'conn' | 'stream'> & Partial<TraceEvent>): this {
    const seq = this.#events.length;
    this.#events.push({ seq, at: this.#at, wire: 'llm', conn: 'c', stream: '', ...event });
    return this;
  }

  /** Lets time pass (ms). */
  wait(ms: number): this {
    this.#at += ms;
    return this;
  }

  /** Adds a line on the pipes. */
  line(from: 'target' | 'tester', data: JsonObject): this {
    return this.#put({
      wire: 'testee',
      kind: 'message',
      from,
      to: from === 'target' ? 'tester' : 'target',
      data,
    });
  }

  /** The kit asks for a turn. */
  ask(more: JsonObject = {}, about: JsonObject = {}): this {
    this.#put({ kind: 'mark', from: 'kit', to: 'kit', data: { case: about } });
    return this.line('tester', { id: 't', op: 'llm.turn', dialect: this.#dialect, ...more });
  }

  /** A mark of the kit. */
  mark(data: JsonObject): this {
    return this.#put({ kind: 'mark', from: 'kit', to: 'kit', data });
  }

  /** A program prints. */
  prints(text: string, printed: 'stdout' | 'stderr' = 'stdout'): this {
    return this.mark({ printed, text });
  }

  /** The process of a program ends. */
  exits(exit = 0): this {
    return this.#put({ kind: 'process', from: 'target', to: 'kit', data: { exit, signal: null } });
  }

  /** A request, and the provider's note that it accepted it. */
  request(body: Json, more: JsonObject = {}): this {
    const stream = `hs${++this.#streams}`;
    this.#put({ kind: 'message', from: 'target', to: 'provider', stream, data: { body } });
    return this.told('request', { dialect: this.#dialect, ...more });
  }

  /** The provider's note on the last request. */
  told(told: 'request' | 'answered', detail: JsonObject): this {
    const exchange = `hs${this.#streams}`;
    return this.#put({
      kind: 'mark',
      from: 'kit',
      to: 'kit',
      data: { told, peer: 'provider', detail: { exchange, ...detail } },
    });
  }

  /** The provider's account of the answer. The default is a clean end, a true signal and no calls. */
  answered(detail: JsonObject): this {
    const plain = { outcome: 'complete', text: '', calls: [], stop: 'end_turn', signal: 'honest', units: 5 };
    return this.told('answered', { ...plain, usage: { inputTokens: 20, outputTokens: 9 }, ...detail });
  }

  /** An event on the stream of the last request. */
  wire(from: 'target' | 'provider', kind: TraceEvent['kind'], data: JsonObject = {}): this {
    const to = from === 'target' ? 'provider' : 'target';
    return this.#put({ kind, from, to, stream: `hs${this.#streams}`, data });
  }

  /** The testee's answer. */
  says(ok: JsonObject): this {
    return this.line('target', { id: 't', ok });
  }

  #found(): readonly (readonly [string, RequirementFindings])[] {
    const judge = new Judge({ rules: clientRules, ...clientJudging });
    for (const event of this.#events) judge.step(event);
    return [...judge.end()];
  }

  /** The reasons why requirements cannot be judged. */
  unknowable(): { readonly [row: string]: string } {
    return Object.fromEntries(
      this.#found().flatMap(([id, { unknowable }]) => (unknowable === undefined ? [] : [[id, unknowable]])),
    );
  }

  /** Judges the trace. */
  judged(): Judged {
    const found = this.#found();
    return {
      exercised: found.flatMap(([id, { exercised, violations }]) =>
        exercised > 0 && violations.length === 0 ? [id] : [],
      ),
      violated: Object.fromEntries(
        found.flatMap(([id, { violations }]) =>
          violations.length === 0 ? [] : [[id, violations.map(({ message }) => message)]],
        ),
      ),
    };
  }
}

/** A call in the provider's account. */
export const call = (text: string, complete = true, name = 'f'): JsonObject => ({
  id: `id-${name}-${text.length}`,
  name,
  arguments: text,
  complete,
});

/** A call in the testee's answer. */
export const run = (input: Json, name = 'f'): JsonObject => ({ name, input });
