/** The real world's clock: Node's monotonic time and timers. */
import type { Clock } from './clock.ts';

/** A clock that starts at 0 when made. */
export function realClock(): Clock {
  const began = performance.now();
  return {
    now: () => performance.now() - began,
    after(ms, then) {
      const timer = setTimeout(then, Math.max(0, ms));
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
