/** The subagent for tests of orchestrators: obeys directives, and completes every other instruction. */
import { subagent } from '../subagent/subagent.ts';
import type { SubagentOptions, SubagentRole } from '../subagent/subagent.ts';
import { ToonPeer } from './peer.ts';
import type { SimulateToonOptions, SimulatedToonPeer } from './simulated-peer.ts';
import type { ToonTask } from './tasks.ts';

export interface SimulateToonSubagentOptions extends SimulateToonOptions {
  /** What differs from the reference subagent, such as `heartbeat` and `idle` (ms). */
  readonly subagent?: Partial<SubagentOptions>;
}

/** A running simulated subagent. */
export interface SimulatedToonSubagent extends SimulatedToonPeer {
  /**
   * Waits for the end of an instruction.
   *
   * @param index - its place among all instructions, from 0
   * @param within - the longest wait (ms)
   * @throws WireproofError 'environment' when it does not come, or does not end
   */
  task(index?: number, within?: number): Promise<ToonTask>;
}

/**
 * Starts a subagent: the reference subagent. It listens on a port of this process, or dials.
 *
 * @throws WireproofError 'environment' when the port cannot be had, or nothing listens where it dials
 *
 * @example
 * import { simulateToonOrchestrator, simulateToonSubagent } from 'wireproof/toon/simulate';
 *
 * const subagent = await simulateToonSubagent();
 * // Instead of this orchestrator, start yours with subagent.address.
 * const orchestrator = await simulateToonOrchestrator({ connect: subagent.address });
 * await orchestrator.instruct('Say hello.');
 * (await subagent.task()).instruction; // 'Say hello.'
 * await orchestrator.close();
 * await subagent.close();
 */
export async function simulateToonSubagent(
  options: SimulateToonSubagentOptions = {},
): Promise<SimulatedToonSubagent> {
  const role = subagent({ epoch: Date.now(), ...options.subagent });
  const peer = new SubagentForTests('subagent', role, options);
  await peer.open(options);
  return peer;
}

type State = ReturnType<SubagentRole['start']>;

class SubagentForTests extends ToonPeer<State> implements SimulatedToonSubagent {
  task(index: number = 0, within: number = this.within): Promise<ToonTask> {
    return this.kept.until(
      () => (this.tasks[index]?.end === undefined ? undefined : this.tasks[index]),
      within,
      () =>
        this.tasks[index] === undefined
          ? `instruction ${index + 1} did not come; ${this.tasks.length} came`
          : `instruction ${index + 1} did not end`,
    );
  }
}
