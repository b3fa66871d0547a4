/**
 * How a mutant is made: the reference agent, with something between it and the wire that changes one thing it is
 * told or one thing it puts out. What is not changed passes as it is, so nothing else is wrong with it.
 */
import type { Role, RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
import { peerOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, serverCodec } from '../../../../src/fold/index.ts';
import type {
  AgentMessage,
  AgentOptions,
  AgentRole,
  AgentState,
  MessageResponse,
  SendMessage,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { targetOptions } from '../target.ts';

/** What the agent is told, and what it puts out. */
export type Input = RoleInput<ServerMessage, never>;
export type Output = RoleOutput<AgentMessage>;

/** What a fault may look at and do while one input is handled. */
export interface FaultContext {
  /** The agent as it is: before the input in `input`, after it in `output`. */
  readonly agent: AgentState;
  /** Milliseconds. */
  readonly now: number;
  /** Tells the agent this too, after what it is told already. */
  tell(message: ServerMessage): void;
  /** Puts this out too, before what comes of the input. */
  put(output: Output): void;
  /** Sends this on the agent's stream. */
  send(message: AgentMessage): void;
  /** Does something after so many ms. */
  later(ms: number, then: (hand: FaultContext) => void): void;
  /** Ends the stream as an agent does that crashes; it comes back as after a loss. */
  hangUp(): void;
}

/** A fault at work, with what it remembers. */
export interface AgentFault {
  /** What the agent is told instead of an input. */
  readonly input?: (input: Input, hand: FaultContext) => readonly Input[];
  /** What is put out instead of an output. */
  readonly output?: (output: Output, hand: FaultContext) => readonly Output[];
}

/** A fault in what the agent hears: the messages it is told instead of one of the gateway's. */
export const hears = (
  edit: (message: ServerMessage, hand: FaultContext) => readonly ServerMessage[],
): Required<Pick<AgentFault, 'input'>> => ({
  input: (input, hand) =>
    input.type === 'message' ? edit(input.message, hand).map((message) => ({ ...input, message })) : [input],
});

/** A fault in what the agent says: the messages that are sent instead of one of its own. */
export const says = (
  edit: (message: AgentMessage, hand: FaultContext) => readonly AgentMessage[],
): Required<Pick<AgentFault, 'output'>> => ({
  output: (output, hand) =>
    output.type === 'send' ? edit(output.message, hand).map((message) => ({ ...output, message })) : [output],
});

/** A fault in what the agent answers: the responses that are sent instead of one of its own. */
export const answers = (
  edit: (response: MessageResponse, hand: FaultContext) => readonly MessageResponse[],
): Required<Pick<AgentFault, 'output'>> =>
  says((message, hand) =>
    message.response === undefined
      ? [message]
      : edit(message.response, hand).map((response) => ({ response })),
  );

/** A fault in the requests it hears: the one that it takes instead of one that was sent. */
export const sent = (edit: (message: SendMessage, hand: FaultContext) => SendMessage) => (): AgentFault =>
  hears((m, hand) => [m.send_message === undefined ? m : { send_message: edit(m.send_message, hand) }]);

interface State {
  agent: AgentState;
  readonly fault: AgentFault;
  readonly pending: Map<string, (hand: FaultContext) => void>;
  timers: number;
}

/** One handling of an input: what is still to be told to the agent, and what was put out. */
class FaultTurn implements FaultContext {
  readonly inbox: Input[] = [];
  readonly outputs: Output[] = [];
  readonly now: number;
  readonly #state: State;

  constructor(state: State, now: number) {
    this.#state = state;
    this.now = now;
  }

  get agent(): AgentState {
    return this.#state.agent;
  }

  tell(message: ServerMessage): void {
    this.inbox.push({ type: 'message', peer: this.agent.peer, message });
  }

  put(output: Output): void {
    this.outputs.push(output);
  }

  send(message: AgentMessage): void {
    this.put({ type: 'send', peer: this.agent.peer, message });
  }

  later(ms: number, then: (hand: FaultContext) => void): void {
    const id = `fault:${++this.#state.timers}`;
    this.#state.pending.set(id, then);
    this.outputs.push({ type: 'start_timer', id, ms });
  }

  hangUp(): void {
    const { peer } = this.agent;
    this.outputs.push({ type: 'close', peer, status: { code: 1, message: 'hung up' } });
    this.inbox.push({ type: 'left', peer });
  }
}

/** Tells the agent all that it is to be told, and puts out what the fault makes of its outputs. */
function drain(inner: AgentRole, state: State, turn: FaultTurn): void {
  for (let next = turn.inbox.shift(); next !== undefined; next = turn.inbox.shift()) {
    const stepped = inner.step(state.agent, next, turn.now);
    state.agent = stepped.state;
    for (const output of stepped.outputs)
      turn.outputs.push(...(state.fault.output?.(output, turn) ?? [output]));
  }
}

/** The agent with a fault, as a role. */
const faulty = (inner: AgentRole, fault: () => AgentFault): Role<State, ServerMessage, AgentMessage> => ({
  name: inner.name,
  start: () => ({ agent: inner.start(), fault: fault(), pending: new Map(), timers: 0 }),
  step(state, input, now) {
    const turn = new FaultTurn(state, now);
    const timer = input.type === 'timer' ? input.id : '';
    const later = state.pending.get(timer);
    state.pending.delete(timer);
    if (later === undefined) turn.inbox.unshift(...(state.fault.input?.(input, turn) ?? [input]));
    else later(turn);
    drain(inner, state, turn);
    return { state, outputs: turn.outputs };
  },
});

/** No fault at all; for mutants whose fault is in their options. */
export const none = (): AgentFault => ({});

/**
 * Makes a mutant.
 *
 * @param breaks the requirement it is there to break
 * @param fault makes the fault anew for each run
 * @param options where it is set up otherwise than the target
 *
 * @example
 * wrong('FOLD-A02', 'no-agent-id', 'It registers without an agent_id.', () =>
 *   says((m) => [m.register === undefined ? m : { register: { ...m.register, agent_id: '' } }]),
 * );
 */
export function wrong(
  breaks: string,
  id: string,
  title: string,
  fault: () => AgentFault,
  options: Partial<AgentOptions> = {},
): Mutant {
  const role = (): Role<State, ServerMessage, AgentMessage> =>
    faulty(agent({ ...targetOptions, ...options }), fault);
  return { id, breaks, title, make: () => peerOf(role(), serverCodec, agentCodec) };
}
