/**
 * Puts one fault between a role and its links. The fault edits, adds or delays inputs and outputs, or ends links. All
 * other inputs and outputs pass unchanged, so a mutant is wrong in one way only.
 */
import type { Metadata, Role, RoleInput, RoleOutput } from '../base/index.ts';

/** The state and the actions of a fault while one input is handled. `peer` names a link; default: the newest link. */
export interface FaultContext<S, In, Out, C = never> {
  /** The role's state: before the input in `input`, after it in `output`. A fault may change it. */
  readonly state: S;
  /** Milliseconds on the host's clock. */
  readonly now: number;
  /** The newest link; '' before any link opened. */
  readonly peer: string;
  /** The metadata with which a link opened; undefined for a link that has not opened. */
  metadataOf(peer: string): Metadata | undefined;
  /** Gives the role a further message, after its pending inputs. */
  tell(message: In, peer?: string): void;
  /** Gives the role a further input, after its pending inputs. */
  tellInput(input: RoleInput<In, C>): void;
  /** Adds an output, before the outputs for the input. */
  put(output: RoleOutput<Out>): void;
  /** Sends a further message, before the outputs for the input. */
  send(message: Out, peer?: string): void;
  /** Calls `then` after a number of milliseconds. */
  later(ms: number, then: (context: FaultContext<S, In, Out, C>) => void): void;
  /** Ends a link with a status. The role sees a lost link. */
  close(code: number, message: string, peer?: string): void;
}

/** A fault, with its memory of one run. */
export interface RoleFault<S, In, Out, C = never> {
  /** The inputs that replace an input of the role. */
  readonly input?: (
    input: RoleInput<In, C>,
    context: FaultContext<S, In, Out, C>,
  ) => readonly RoleInput<In, C>[];
  /** The outputs that replace an output of the role. */
  readonly output?: (
    output: RoleOutput<Out>,
    context: FaultContext<S, In, Out, C>,
  ) => readonly RoleOutput<Out>[];
  /** The time of the role's clock at an input (ms). */
  readonly clock?: (input: RoleInput<In, C>, now: number) => number;
}

/** The state of a role with a fault. */
export interface FaultyState<S, In, Out, C> {
  role: S;
  readonly fault: RoleFault<S, In, Out, C>;
  readonly opened: Map<string, Metadata>;
  /** Delayed actions, by the name of their timer. */
  readonly pending: Map<string, (context: FaultContext<S, In, Out, C>) => void>;
  peer: string;
  timers: number;
}

/** The handling of one input: the inputs still to handle, and the outputs so far. */
class FaultTurn<S, In, Out, C> implements FaultContext<S, In, Out, C> {
  readonly inbox: RoleInput<In, C>[] = [];
  readonly outputs: RoleOutput<Out>[] = [];
  readonly now: number;
  readonly #name: string;
  readonly #state: FaultyState<S, In, Out, C>;

  constructor(name: string, state: FaultyState<S, In, Out, C>, now: number) {
    this.#name = name;
    this.#state = state;
    this.now = now;
  }

  get state(): S {
    return this.#state.role;
  }

  get peer(): string {
    return this.#state.peer;
  }

  metadataOf(peer: string): Metadata | undefined {
    return this.#state.opened.get(peer);
  }

  tell(message: In, peer: string = this.peer): void {
    this.inbox.push({ type: 'message', peer, message });
  }

  tellInput(input: RoleInput<In, C>): void {
    this.inbox.push(input);
  }

  put(output: RoleOutput<Out>): void {
    this.outputs.push(output);
  }

  send(message: Out, peer: string = this.peer): void {
    this.outputs.push({ type: 'send', peer, message });
  }

  later(ms: number, then: (context: FaultContext<S, In, Out, C>) => void): void {
    const id = `${this.#name} ${++this.#state.timers}`;
    this.#state.pending.set(id, then);
    this.outputs.push({ type: 'start_timer', id, ms });
  }

  close(code: number, message: string, peer: string = this.peer): void {
    this.outputs.push({ type: 'close', peer, status: { code, message } });
    this.inbox.push({ type: 'left', peer });
  }

  /** Runs the delayed action of a timer, or gives the input to the fault. */
  onInput(input: RoleInput<In, C>): void {
    const { fault, opened, pending } = this.#state;
    if (input.type === 'opened') {
      this.#state.peer = input.peer;
      opened.set(input.peer, input.metadata);
    }
    const then = input.type === 'timer' ? pending.get(input.id) : undefined;
    if (then === undefined) return void this.inbox.unshift(...(fault.input?.(input, this) ?? [input]));
    if (input.type === 'timer') pending.delete(input.id);
    then(this);
  }

  /** Gives the role all its inputs. The fault edits the outputs. */
  drain(inner: Role<S, In, Out, C>): void {
    const state = this.#state;
    const { fault } = state;
    for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
      const stepped = inner.step(state.role, next, fault.clock?.(next, this.now) ?? this.now);
      state.role = stepped.state;
      for (const output of stepped.outputs) this.outputs.push(...(fault.output?.(output, this) ?? [output]));
    }
  }
}

/**
 * A role with a fault.
 *
 * @param fault makes a new fault for each run
 *
 * @example
 * import { onSend } from './faults.ts';
 *
 * const echo: Role<null, string, string> = {
 *   name: 'echo',
 *   start: () => null,
 *   step: (state, input) => ({
 *     state,
 *     outputs: input.type === 'message' ? [{ type: 'send', peer: input.peer, message: input.message }] : [],
 *   }),
 * };
 * const loud = intercepted(echo, () => onSend((text) => [text.toUpperCase()]));
 * loud.step(loud.start(), { type: 'message', peer: 'a', message: 'hi' }, 0).outputs;
 * // [{ type: 'send', peer: 'a', message: 'HI' }]
 */
export function intercepted<S, In, Out, C = never>(
  inner: Role<S, In, Out, C>,
  fault: () => RoleFault<S, In, Out, C>,
): Role<FaultyState<S, In, Out, C>, In, Out, C> {
  const name = `faulty ${inner.name}`;
  return {
    name,
    start: () => ({
      role: inner.start(),
      fault: fault(),
      opened: new Map(),
      pending: new Map(),
      peer: '',
      timers: 0,
    }),
    step(state, input, now) {
      const turn = new FaultTurn(name, state, now);
      turn.onInput(input);
      turn.drain(inner);
      return { state, outputs: turn.outputs };
    },
  };
}
