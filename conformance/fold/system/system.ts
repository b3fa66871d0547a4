/**
 * A whole system in the simulated world: the reference gateway, several reference agents, now and then one that
 * behaves badly, packs and an operator, on a network that delays, stalls and cuts, all from a seed. Both sides are
 * judged at once: agents by what the gateway sees of them, the gateway by what all others see of it. And nothing
 * may throw, every request that an operator sent must end, and a seed must give the same events again.
 */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { MakePeer, Storm, StormRun } from '../../../src/kit/suite/index.ts';
import { simulatedGatewayTarget } from '../gateway/target.ts';
import { System } from './run.ts';
import type { SystemFailure } from './run.ts';

export type { SystemFailure } from './run.ts';

/** What a run of many systems found. */
export interface SystemReport {
  readonly sessions: number;
  readonly events: number;
  readonly exercised: ReadonlyMap<string, number>;
  readonly failures: readonly SystemFailure[];
}

/** How systems are run. */
export interface SystemOptions {
  readonly from: number;
  readonly count: number;
  /** Every how many one is run again and compared; default 20. */
  readonly repeatEvery?: number;
  /** The gateway; default: the reference. */
  readonly gateway?: (options: JsonObject) => MakePeer;
  readonly onProgress?: (done: number) => void;
}

/** Runs `count` systems, one a seed. The same options give the same report. */
export function systems(options: SystemOptions): SystemReport {
  const { from, count, repeatEvery = 20, gateway = simulatedGatewayTarget, onProgress } = options;
  const exercised = new Map<string, number>();
  const failures: SystemFailure[] = [];
  let events = 0;
  for (let n = 0; n < count; n++) {
    const system = new System(gateway, from + n);
    system.run();
    if (n % repeatEvery === 0) system.compare(new System(gateway, from + n));
    failures.push(...system.failures);
    events += system.events.length;
    for (const [id, found] of system.judge.found)
      exercised.set(id, (exercised.get(id) ?? 0) + found.exercised);
    if (n % 100 === 99) onProgress?.(n + 1);
  }
  return { sessions: count, events, exercised, failures };
}

/** The same as the command wants it. */
export function systemStorm({ from, count, onProgress }: StormRun): Storm {
  const { sessions, events, failures } = systems({ from, count, onProgress });
  return {
    sessions,
    events,
    failures: failures.map(({ seed, broke, message, excerpt }) => ({
      seed,
      what: [`${broke}: ${message}`, ...excerpt].join('\n    '),
    })),
  };
}
