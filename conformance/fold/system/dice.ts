/** Randomness that each action begins anew, so that an action does not depend on the actions before it. */
import { seededRandom } from '../../../src/kit/world/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';

export class Dice implements Random {
  #random: Random;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  /** Begins anew with a seed. */
  roll(seed: string): void {
    this.#random = seededRandom(seed);
  }

  next(): number {
    return this.#random.next();
  }

  below(n: number): number {
    return this.#random.below(n);
  }

  uuid(): string {
    return this.#random.uuid();
  }
}
