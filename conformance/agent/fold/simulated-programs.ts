/** The tool `run` of an agent in the simulated world: each run is a process of the simulated machine. */
import { isArray } from '../../../src/kit/base/index.ts';
import type { PeerWorld } from '../../../src/kit/suite/index.ts';
import type { ToolCommand, ToolEffect } from '../../../src/agent/index.ts';

/** How long each program runs (ms). */
const runtime = 60_000;

export class SimulatedPrograms {
  readonly #world: Pick<PeerWorld, 'clock' | 'processes'>;
  readonly #ended: (command: ToolCommand) => void;
  /** By run: kills its program. */
  readonly #kills = new Map<string, () => void>();

  /** @param ended - takes the end of each run that was not stopped */
  constructor(world: Pick<PeerWorld, 'clock' | 'processes'>, ended: (command: ToolCommand) => void) {
    this.#world = world;
    this.#ended = ended;
  }

  /** Begins a run, or stops one. */
  take(effect: ToolEffect): void {
    const { id } = effect;
    if (effect.do === 'cancel') return this.#kill(id);
    const { command, args } = effect.input;
    const words = [command, ...(isArray(args) ? args : [])].filter((word) => typeof word === 'string');
    const end = this.#world.processes?.start(words.join(' '));
    const timer = this.#world.clock.after(runtime, () => {
      this.#kill(id);
      this.#ended({ do: 'tool_end', id, end: { outcome: 'completed', output: '' } });
    });
    this.#kills.set(id, () => {
      timer.cancel();
      end?.();
    });
  }

  #kill(id: string): void {
    this.#kills.get(id)?.();
    this.#kills.delete(id);
  }
}
