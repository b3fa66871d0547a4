/** Tells from a trace and the target's output whether the target crashed. */
import type { TraceEvent } from '../base/index.ts';
import { endingText } from '../transport/index.ts';

/** The first lines of the stack of an error that nothing caught, in the usual languages. */
const stack =
  /^(?:Traceback \(most recent call last\)|panic: |fatal error: |thread '.*' panicked at|Uncaught |Unhandled |Exception in thread |Segmentation fault|\s+at .+:\d+:\d+\)?$)/;

/** An end of the target that nobody asked for. */
export interface Crash {
  /** Such as `exited with code 1`. */
  readonly ending: string;
  /** The scenario in play; undefined: none. */
  readonly scenario: string | undefined;
}

/** The most scenarios that a note names. */
const scenariosNamed = 5;

/** The crashes of a run. */
export class Crashes {
  count = 0;
  /** By ending: the scenarios. */
  readonly #scenarios = new Map<string, Set<string>>();

  add({ ending, scenario }: Crash): void {
    this.count++;
    const scenarios = this.#scenarios.get(ending) ?? new Set();
    this.#scenarios.set(ending, scenario === undefined ? scenarios : scenarios.add(scenario));
  }

  /** One sentence for each kind of ending. */
  notes(): readonly string[] {
    return [...this.#scenarios].map(([ending, scenarios]) => {
      const named = [...scenarios].slice(0, scenariosNamed).join(', ');
      const more = scenarios.size - scenariosNamed;
      const where = named === '' ? '' : ` (${named}${more > 0 ? ` and ${more} more` : ''})`;
      return `the target ${ending}, and nobody asked it to${where}`;
    });
  }
}

/**
 * How the process of a target ended, when it crashed: a signal that the kit did not send, a stack in its output, or an end
 * in the middle of a scenario. A target that stops when it is asked, or gives up after a refusal, did not crash.
 *
 * @returns undefined when it did not crash
 */
export function crashOf(events: readonly TraceEvent[], output: readonly string[]): Crash | undefined {
  const at = events.findIndex(({ kind }) => kind === 'process');
  const { data } = events[at] ?? {};
  const wasAsked = events
    .slice(0, at)
    .some((event) => event.kind === 'mark' && event.data['stop'] !== undefined);
  if (data === undefined || wasAsked) return undefined;
  const [exit, signal] = [data['exit'] as number | null, data['signal'] as string | null];
  const playing = playingAt(events, at);
  const failed = exit !== 0 && output.some((line) => stack.test(line));
  if (signal === null && !failed && playing?.outcome !== 'ended-early') return undefined;
  return { ending: endingText(exit, signal), scenario: playing?.name };
}

/** The scenario in play at an event, with its outcome. */
function playingAt(
  events: readonly TraceEvent[],
  at: number,
): { readonly name: string; readonly outcome: unknown } | undefined {
  const isMark = ({ kind, data }: TraceEvent): boolean => kind === 'mark' && data['scenario'] !== undefined;
  const before = events.slice(0, at).findLast(isMark);
  if (before?.data['begin'] !== true) return undefined;
  const after = events.slice(at).find(isMark);
  const name = before.data['scenario'];
  return typeof name === 'string' ? { name, outcome: after?.data['outcome'] } : undefined;
}
