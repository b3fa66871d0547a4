/** For which events of its target a session waits after its scenario, because requirements await them. */
import { openWait } from '../judge/index.ts';
import type { Judge, OpenWait } from '../judge/index.ts';
import type { TargetSessionOptions } from './target-session-options.ts';

/** A requirement that lets a target be silent for longer is not awaited (ms). The longest is FOLD-A14's, 120 s. */
export const longestWait = 150_000;

type Options<V> = Pick<TargetSessionOptions<V>, 'suite' | 'clock' | 'timeoutScale' | 'overdue' | 'hasFailed'>;

export class TargetPatience<V> {
  readonly #judge: Judge<V>;
  readonly #options: Options<V>;

  constructor(judge: Judge<V>, options: Options<V>) {
    this.#judge = judge;
    this.#options = options;
  }

  /** The requirements that await an event, and for how long; undefined when none does. */
  wait(): OpenWait | undefined {
    const { clock, timeoutScale, overdue } = this.#options;
    return openWait(this.#judge, clock.now(), {
      longest: longestWait * timeoutScale,
      spares: (row) => this.#spares(row),
      overdue,
    });
  }

  /** Whether nothing more is learned from waiting for a requirement's event. */
  #spares(row: string): boolean {
    const { suite, hasFailed } = this.#options;
    if (hasFailed?.(row) === true || (this.#judge.found.get(row)?.violations.length ?? 0) > 0) return true;
    return suite.judging.rules.some(({ requirement, recurs }) => recurs === true && requirement === row);
  }
}
