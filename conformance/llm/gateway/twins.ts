/** The answers of one case: a stream and a body, or the same bytes cut in other ways. What they say must be equal. */
import type { NeutralAnswer } from '../../../src/llm/gateway/index.ts';

/** An answer of a case, with what the provider said. */
export interface Twin {
  readonly sent: NeutralAnswer;
  readonly heard: NeutralAnswer;
  readonly streamed: boolean;
  /** Whether the provider's units were cut into pieces. */
  readonly cut: boolean;
  /** Whether the provider said what no client reads. */
  readonly noisy: boolean;
}

/** The most cases that are kept. */
const casesKept = 256;

export class Twins {
  readonly #byCase = new Map<string, Twin[]>();

  /** The earlier answers of a case. */
  of(name: string): readonly Twin[] {
    return this.#byCase.get(name) ?? [];
  }

  add(name: string, twin: Twin): void {
    if (name === '') return;
    const twins = this.#byCase.get(name) ?? [];
    this.#byCase.set(name, [...twins, twin].slice(-4));
    if (this.#byCase.size <= casesKept) return;
    const [oldest] = this.#byCase.keys();
    if (oldest !== undefined) this.#byCase.delete(oldest);
  }
}
