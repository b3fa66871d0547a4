/**
 * Random sessions of the reference engine and the reference client in the simulated world, all from a seed: directives,
 * policies, interrupts, unruly commands, delays and cuts between bytes. Both sides are judged by their suites. Besides, no
 * code may throw, every turn must end, and a seed must give the same events again.
 */
import type { PlayConversation, Storm, StormRun } from '../../../src/kit/suite/index.ts';
import { StormSession } from './session.ts';
import type { MakeEngine } from './session.ts';

/** One of this many sessions is played twice. */
const repeatEvery = 20;

/** Plays sessions, one a seed, for `wireproof selftest koda --seeds`. `make`: the engine; default the reference. */
export function kodaStorm({ from, count, onProgress }: StormRun, make?: MakeEngine): Storm {
  const failures: { seed: number; what: string }[] = [];
  let events = 0;
  for (let n = 0; n < count; n++) {
    const seed = from + n;
    const session = new StormSession(seed, make);
    session.run();
    events += session.events.length;
    for (const what of session.failures.slice(0, 3)) failures.push({ seed, what });
    if (n % repeatEvery === 0 && !repeats(session, new StormSession(seed, make)))
      failures.push({ seed, what: 'unrepeatable: the same seed gave other events' });
    if (n % 100 === 99) onProgress(n + 1);
  }
  return { sessions: count, events, failures };
}

function repeats(first: StormSession, again: StormSession): boolean {
  again.run();
  return JSON.stringify(first.events) === JSON.stringify(again.events);
}

/** Random sessions, as the client sees the reference engine. */
export const engineConversation: PlayConversation = (seed) => {
  const session = new StormSession(seed);
  session.run();
  return { events: session.events, failures: session.failures };
};
