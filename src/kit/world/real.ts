/** The real world: Node's monotonic time and timers, and a key of its own for each run. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock, Timer } from './clock.ts';

/** A clock that starts at 0 when made. What is due in the same millisecond shares one of Node's timers. */
export function realClock(): Clock {
  const began = performance.now();
  const now = (): number => performance.now() - began;
  const slots = new Map<number, Slot>();
  return {
    now,
    after(ms, then) {
      // A timeout of 0 would take a whole millisecond.
      if (ms <= 0) {
        const turn = setImmediate(then);
        return { cancel: () => clearImmediate(turn) };
      }
      const at = now();
      const due = Math.ceil(at + ms);
      let slot = slots.get(due);
      if (slot === undefined) slots.set(due, (slot = new Slot(due - at, () => slots.delete(due))));
      return slot.add(then);
    },
  };
}

/** What is due in one millisecond, in the order in which it was asked for. */
class Slot {
  readonly #timer: NodeJS.Timeout;
  readonly #over: () => void;
  readonly #calls: ((() => void) | undefined)[] = [];
  #left = 0;

  constructor(ms: number, over: () => void) {
    this.#over = over;
    this.#timer = setTimeout(() => {
      over();
      for (let i = 0; i < this.#calls.length; i++) {
        const call = this.#calls[i];
        this.#calls[i] = undefined;
        call?.();
      }
    }, ms);
  }

  add(then: () => void): Timer {
    const place = this.#calls.push(then) - 1;
    this.#left++;
    return {
      cancel: () => {
        if (this.#calls[place] === undefined) return;
        this.#calls[place] = undefined;
        if (--this.#left > 0) return;
        clearTimeout(this.#timer);
        this.#over();
      },
    };
  }
}

/**
 * What a trace shows in a secret's place: an HMAC under a key that is fresh each run, so that it is equal if and
 * only if the secrets are, and says nothing else.
 */
export function secretRedactor(): (secret: string) => string {
  const key = randomBytes(32);
  return (secret) => `redacted:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 24)}`;
}

/** A seed for a run that was given none. */
export const freshSeed = (): string => randomBytes(6).toString('hex');
