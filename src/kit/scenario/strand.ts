/** The position of one strand of a scenario in play. */
import type { EventPattern, ScenarioStep } from '../base/index.ts';
import type { EventWait } from './event-wait.ts';

/** A scenario, or a branch of `parallel`, with its own position in the trace. */
export interface Strand {
  readonly steps: readonly ScenarioStep[];
  /** A variable that counts rounds, and the number of steps in a round. */
  readonly counts: { readonly name: string; readonly steps: number } | undefined;
  /** The event after which no further round begins, and the number of steps in a round. */
  readonly until: { readonly pattern: EventPattern; readonly steps: number } | undefined;
  at: number;
  cursor: number;
  waiting: EventWait | undefined;
  readonly whenDone: (cursor: number) => void;
  readonly siblings: Siblings | undefined;
}

/** The branches of one `parallel`: the number that still play, and those that wait at each barrier. */
export interface Siblings {
  playing: number;
  readonly waiting: Map<string, Strand[]>;
}

/** Opens each barrier that every playing branch has reached. @returns the strands that go on */
export function passing({ playing, waiting }: Siblings): readonly Strand[] {
  const opened = [...waiting].filter(([, there]) => there.length >= playing);
  for (const [name] of opened) waiting.delete(name);
  return opened.flatMap(([, there]) => there);
}
