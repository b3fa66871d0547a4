/** The events that scenarios await, in words: scenarios that await the same event are of one kind. */
import type { ScenarioStep } from '../base/index.ts';
import { patternText } from './pattern.ts';
import type { ScenarioEnd } from './stage.ts';

/** The events without which a list of steps does not go on, in words. */
export const neededEvents = (steps: readonly ScenarioStep[]): ReadonlySet<string> =>
  new Set(
    steps.flatMap((step) => {
      if ('await' in step)
        return step.await.optional === true || step.else !== undefined ? [] : [patternText(step.await)];
      if ('repeat' in step) return [...neededEvents(step.repeat.steps)];
      return 'parallel' in step ? step.parallel.flatMap((branch) => [...neededEvents(branch)]) : [];
    }),
  );

/** The number of scenarios that waited for the same event in vain, after which no other scenario waits for it. */
const mostVainWaits = 3;

/**
 * The events that a target has never sent to any scenario. A target that hangs would cost a long wait in each of them.
 *
 * @example
 * const vain = new VainWaits();
 * const hung = { missing: 'response.done' };
 * for (let i = 0; i < 3; i++) vain.note(hung);
 * vain.reason(new Set(['response.done'])); // 'no response.done came in 3 scenarios'
 * vain.note({ met: new Set(['response.done']) });
 * vain.reason(new Set(['response.done'])); // undefined
 */
export class VainWaits {
  readonly #counts = new Map<string, number>();
  readonly #met = new Set<string>();

  note({ met = new Set(), missing }: Pick<ScenarioEnd, 'met' | 'missing'>): void {
    for (const text of met) this.#met.add(text);
    if (missing !== undefined) this.#counts.set(missing, (this.#counts.get(missing) ?? 0) + 1);
  }

  /** Whether scenarios have waited for an event, and it has never come. */
  isVain(text: string | undefined): boolean {
    return text !== undefined && this.#counts.has(text) && !this.#met.has(text);
  }

  /** The reason why a scenario that needs these events need not begin; undefined when it may begin. */
  reason(needed: ReadonlySet<string>): string | undefined {
    for (const text of needed) {
      const count = this.#counts.get(text) ?? 0;
      if (count >= mostVainWaits && !this.#met.has(text)) return `no ${text} came in ${count} scenarios`;
    }
    return undefined;
  }
}
