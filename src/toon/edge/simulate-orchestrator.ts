/** The orchestrator for tests of subagents: gives instructions, and answers tool calls and context requests. */
import { orchestrator } from '../orchestrator/orchestrator.ts';
import type { OrchestratorOptions, OrchestratorRole } from '../orchestrator/orchestrator.ts';
import { ToonPeer } from './peer.ts';
import type { SimulateToonOptions, SimulatedToonPeer } from './simulated-peer.ts';
import type { ToonTask } from './tasks.ts';

export interface SimulateToonOrchestratorOptions extends SimulateToonOptions {
  /** Results by tool. Default: every tool returns its own name and arguments. */
  readonly tools?: OrchestratorOptions['tools'];
  /** What differs from the reference orchestrator, such as `heartbeat` and `idle` (ms). */
  readonly orchestrator?: Partial<OrchestratorOptions>;
}

/** A running simulated orchestrator. */
export interface SimulatedToonOrchestrator extends SimulatedToonPeer {
  /**
   * Gives an instruction to the connected subagent, and waits for its end. Without one it waits for a connection first.
   *
   * @param within - the longest wait (ms)
   * @throws WireproofError 'environment' when no subagent connects, or the instruction does not end
   */
  instruct(instruction: string, within?: number): Promise<ToonTask>;
}

/**
 * Starts an orchestrator: the reference orchestrator, on a port of this process.
 *
 * @throws WireproofError 'environment' when the port cannot be had, or nothing listens where it dials
 *
 * @example
 * import { directive } from 'wireproof/toon';
 * import { simulateToonOrchestrator, simulateToonSubagent } from 'wireproof/toon/simulate';
 *
 * const orchestrator = await simulateToonOrchestrator({ tools: { clock: { success: true, data: '12:00' } } });
 * // Instead of this subagent, start yours with orchestrator.address.
 * const subagent = await simulateToonSubagent({ connect: orchestrator.address });
 * const task = await orchestrator.instruct(directive([{ tool: { name: 'clock' } }]));
 * task.end; // 'completed'
 * task.tools[0]?.result?.['data']; // '12:00'
 * await subagent.close();
 * await orchestrator.close();
 */
export async function simulateToonOrchestrator(
  options: SimulateToonOrchestratorOptions = {},
): Promise<SimulatedToonOrchestrator> {
  const { tools, orchestrator: overrides } = options;
  const role = orchestrator({
    epoch: Date.now(),
    stay: true,
    ...(tools === undefined ? {} : { tools }),
    ...overrides,
  });
  const peer = new OrchestratorForTests('orchestrator', role, options);
  await peer.open(options);
  return peer;
}

type State = ReturnType<OrchestratorRole['start']>;

class OrchestratorForTests extends ToonPeer<State> implements SimulatedToonOrchestrator {
  async instruct(instruction: string, within: number = this.within): Promise<ToonTask> {
    await this.connected(within);
    const before = this.tasks.length;
    this.command({ do: 'send', message: { type: 'INSTRUCTION', payload: { instruction } } });
    return this.kept.until(
      () =>
        this.tasks.slice(before).find((task) => task.instruction === instruction && task.end !== undefined),
      within,
      () => `the instruction ${JSON.stringify(instruction.slice(0, 80))} did not end; ${this.#seen(before)}`,
    );
  }

  /** What came for the last instruction, in words. */
  #seen(before: number): string {
    const { statuses = [], tools = [] } = this.tasks[before] ?? {};
    const said = statuses.map(({ status }) => JSON.stringify(status)).slice(-3);
    return `so far came ${[...said, ...(tools.length === 0 ? [] : [`${tools.length} tool calls`])].join(', ') || 'nothing'}`;
  }
}
