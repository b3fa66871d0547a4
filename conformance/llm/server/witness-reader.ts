/** Reads the page of a witness from a trace. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Facts } from './answer.ts';
import type { Fact } from './answer.ts';
import type { ExchangeReader } from './exchange.ts';
import { gauges, runningOn } from './witness.ts';
import { shown } from './words.ts';

/** One page: how many answers run, or that it does not say. */
export class WitnessReader implements ExchangeReader {
  readonly #facts = new Facts();
  #status = 0;
  readonly waiting = undefined;
  readonly finished = undefined;
  over = false;

  take(event: TraceEvent): readonly Fact[] {
    if (event.from === 'target') this.#answered(event);
    if (event.kind === 'end' || event.kind === 'reset') this.over = true;
    return this.#facts.take();
  }

  #answered({ kind, data }: TraceEvent): void {
    if (kind === 'headers') this.#status = Number(data[':status']);
    else if (kind === 'message') this.#page(data['data']);
  }

  #page(page: unknown): void {
    const running = this.#status === 200 ? runningOn(page) : undefined;
    if (running !== undefined) return this.#facts.add({ type: 'running', running });
    this.#facts.unknowable(
      'LLM-S15',
      `the witness shows no count of running answers: expected one of ${gauges.join(', ')}, or slots with is_processing; came ${this.#status} ${shown(page)}`,
    );
  }
}
