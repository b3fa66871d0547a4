/**
 * A whole system in the simulated world: the reference gateway, several reference agents, sometimes a rogue agent, packs
 * and an operator, on a network that delays, stalls and cuts, all from a seed. Agents are judged by the events that the
 * gateway sees, the gateway by the events that all others see. Besides, no code may throw, every request of an operator
 * must end, and a seed must give the same events again.
 */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { MakePeer, PlayConversation, Storm, StormRun } from '../../../src/kit/suite/index.ts';
import { simulatedGatewayTarget } from '../gateway/target.ts';
import { System } from './run.ts';
import type { SystemFailure } from './run.ts';

export type { SystemFailure } from './run.ts';

/** The result of many systems. */
export interface SystemReport {
  readonly sessions: number;
  readonly events: number;
  readonly exercised: ReadonlyMap<string, number>;
  readonly failures: readonly SystemFailure[];
}

/** The options of many systems. */
export interface SystemOptions {
  readonly from: number;
  readonly count: number;
  /** The interval of systems that run twice, to compare their events; default 20. */
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

/** Runs systems for `wireproof selftest fold --seeds`. */
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

/** Random systems, as the agents, packs and operators of the reference gateway see them. */
export const gatewayConversation: PlayConversation = (seed) => {
  const system = new System(simulatedGatewayTarget, seed);
  system.run();
  const failures = system.failures.map(({ broke, message }) => `${broke}: ${message}`);
  return { events: system.events, failures };
};
