/** A stage for role tests: steps a role by hand, keeps its timers, and shows its outputs. */
import type { PeerCommand, Role, RoleInput, RoleOutput } from './index.ts';

/** A role on a stage. Time passes only by {@link RoleStage.pass} and {@link RoleStage.fire}. */
export class RoleStage<S, In, Out, C = never> {
  state: S;
  now = 0;
  /** Its outputs since the last {@link take}, but for timers. */
  outputs: RoleOutput<Out>[] = [];
  readonly #role: Role<S, In, Out, C>;
  readonly #timers = new Map<string, { at: number; order: number }>();
  #order = 0;

  constructor(role: Role<S, In, Out, C>) {
    this.#role = role;
    this.state = role.start();
  }

  /** Hands it an input, and lets no time pass. @returns the number of its outputs */
  give(input: RoleInput<In, C>): number {
    const { state, outputs } = this.#role.step(this.state, input, this.now);
    this.state = state;
    for (const output of outputs) {
      if (output.type === 'start_timer')
        this.#timers.set(output.id, { at: this.now + output.ms, order: this.#order++ });
      else if (output.type === 'stop_timer') this.#timers.delete(output.id);
      else this.outputs.push(output);
    }
    return outputs.length;
  }

  /** Fires the timer that is due next, if that is within `ms`. @returns whether a timer was due */
  fire(ms: number = 0): boolean {
    const first = [...this.#timers].sort(([, a], [, b]) => a.at - b.at || a.order - b.order)[0];
    if (first === undefined || first[1].at > this.now + ms) return false;
    this.#timers.delete(first[0]);
    this.now = first[1].at;
    this.give({ type: 'timer', id: first[0] });
    return true;
  }

  /** Lets time pass; timers fire in order. */
  pass(ms: number): this {
    const until = this.now + ms;
    while (this.fire(until - this.now));
    this.now = until;
    return this;
  }

  /** Milliseconds until the next timer fires; undefined when none is set. */
  nextTimer(): number | undefined {
    const at = Math.min(...[...this.#timers.values()].map((t) => t.at));
    return Number.isFinite(at) ? at - this.now : undefined;
  }

  /** Its outputs since the last call. */
  take(): RoleOutput<Out>[] {
    return this.outputs.splice(0);
  }

  /** The messages since the last call. */
  sent(): Out[] {
    return this.take().flatMap((output) => (output.type === 'send' ? [output.message] : []));
  }
}

/** A command to a simulated peer, as an input. */
export const command = <M>(c: PeerCommand<M>): { type: 'command'; command: PeerCommand<M> } => ({
  type: 'command',
  command: c,
});
