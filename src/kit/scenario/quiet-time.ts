/** The time of a step that only waits. It lasts longer while a busy machine holds the target up, and not for ever. */
import type { Stage } from './stage.ts';

/** How much longer a time may last (ms): on a machine that does nothing for the target, it would never be over. */
const longer = (ms: number): number => 10 * ms + 1000;

/** Waits for `ms`, and for as much longer as the machine holds the target up. Calls `over` at the end. */
export function quietTime(
  stage: Pick<Stage, 'clock' | 'delay'>,
  ms: number,
  over: () => void,
  left: number = longer(ms),
): void {
  const { clock } = stage;
  const [before, end] = [stage.delay(), clock.now() + ms];
  clock.after(ms, () => {
    // By what the timer itself was late, the time is longer already.
    const late = clock.now() - end;
    const more = Math.min(Math.round(stage.delay() - before - late), left);
    if (more > 0) quietTime(stage, more, over, left - more);
    else over();
  });
}
