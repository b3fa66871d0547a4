/** How long a trace must go on, so that no awaited event is given up before the patience of its requirement is over. */
import type { Judge } from './judge.ts';

/** The accuracy of the time (ms). */
const accuracy = 10;

/** The limits of {@link openWait}. */
export interface OpenWaitLimits {
  /** A wait that lasts longer does not count (ms). */
  readonly longest: number;
  /** Whether waits for this requirement do not count, for example because it has failed already. */
  readonly spares: (requirement: string) => boolean;
  /** Called with the requirements whose events are overdue already. */
  readonly overdue?: ((requirements: ReadonlySet<string>) => void) | undefined;
}

/** A wait of requirements for events that have not come. */
export interface OpenWait {
  /** The time until the last of them would be violated (ms). */
  readonly ms: number;
  readonly requirements: readonly string[];
}

/**
 * The time after which every requirement that awaits an event would be violated, if nothing more came; undefined
 * when none awaits an event.
 *
 * @param now - the time of the trace (ms)
 */
export function openWait<V>(
  judge: Judge<V>,
  now: number,
  { longest, spares, overdue }: OpenWaitLimits,
): OpenWait | undefined {
  const before = judge.missing(now);
  overdue?.(before);
  const open = new Set([...judge.missing(now + longest)].filter((row) => !before.has(row) && !spares(row)));
  if (open.size === 0) return undefined;
  let early = 0;
  let late = longest;
  while (late - early > accuracy) {
    const middle = (early + late) / 2;
    if (judge.missing(now + middle, open).size === open.size) late = middle;
    else early = middle;
  }
  return { ms: Math.ceil(late), requirements: [...open] };
}
