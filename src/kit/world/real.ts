/** The real world: Node's monotonic time and timers, and random keys and seeds. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock, Timer } from './clock.ts';

/**
 * A clock that starts at 0. Calls that are due in the same millisecond share one of Node's timers.
 *
 * @param background - whether the process may end while calls are due
 */
export function realClock({ background = false }: { readonly background?: boolean } = {}): Clock {
  const began = performance.now();
  const now = (): number => performance.now() - began;
  const timers = new Map<number, SharedTimer>();
  return {
    now,
    after(ms, then) {
      // setTimeout(0) would take a whole millisecond.
      if (ms <= 0) {
        const turn = setImmediate(then);
        return { cancel: () => clearImmediate(turn) };
      }
      const at = now();
      const due = Math.ceil(at + ms);
      let timer = timers.get(due);
      if (timer === undefined) {
        timer = new SharedTimer(due - at, () => timers.delete(due));
        timers.set(due, timer);
        if (background) timer.unref();
      }
      return timer.add(then);
    },
  };
}

/** The calls that are due in one millisecond, in the order in which they were added. */
class SharedTimer {
  readonly #timer: NodeJS.Timeout;
  readonly #ended: () => void;
  readonly #calls: ((() => void) | undefined)[] = [];
  #pending = 0;

  constructor(ms: number, ended: () => void) {
    this.#ended = ended;
    this.#timer = setTimeout(() => {
      ended();
      for (let i = 0; i < this.#calls.length; i++) {
        const call = this.#calls[i];
        this.#calls[i] = undefined;
        call?.();
      }
    }, ms);
  }

  unref(): void {
    this.#timer.unref();
  }

  add(then: () => void): Timer {
    const index = this.#calls.push(then) - 1;
    this.#pending++;
    return {
      cancel: () => {
        if (this.#calls[index] === undefined) return;
        this.#calls[index] = undefined;
        if (--this.#pending > 0) return;
        clearTimeout(this.#timer);
        this.#ended();
      },
    };
  }
}

/** The most replacements that a redactor remembers: a peer shows the same key with every request. */
const remembered = 64;

/**
 * Replaces secrets in traces by an HMAC under a random key of this run. Two replacements are equal if and only if
 * their secrets are equal.
 */
export function secretRedactor(): (secret: string) => string {
  const key = randomBytes(32);
  const known = new Map<string, string>();
  return (secret) => {
    const before = known.get(secret);
    if (before !== undefined) return before;
    const made = `redacted:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 24)}`;
    if (known.size >= remembered) known.clear();
    known.set(secret, made);
    return made;
  };
}

/** A random seed, for a run without a given one. */
export const freshSeed = (): string => randomBytes(6).toString('hex');
