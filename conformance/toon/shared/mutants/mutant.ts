/**
 * How a mutant is made: the reference role, with something between it and the wire that changes one thing it is told,
 * one thing it puts out, or its bytes. What is not changed passes as it is, so nothing else is wrong with it.
 */
import type { Codec, JsonObject, Role, RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
import { peerOf } from '../../../../src/kit/suite/index.ts';
import type { MakePeer, Mutant } from '../../../../src/kit/suite/index.ts';
import type { Framing } from '../../../../src/kit/world/index.ts';
import { nextSequenceId, toonCodec } from '../../../../src/toon/index.ts';
import type { MessageName, Payloads, ToonMessage } from '../../../../src/toon/index.ts';

/** What the role is told, and what it puts out. */
type Input = RoleInput<ToonMessage, never>;
type Output = RoleOutput<ToonMessage>;

/** What a fault may look at and do while one input is handled. */
export interface FaultContext {
  /** Milliseconds. */
  readonly now: number;
  /** Tells the role this too, after what it is told already. */
  tell(message: ToonMessage): void;
  /** Sends this too, before what comes of the input. */
  send<N extends MessageName>(type: N, payload: Payloads[N]): void;
  /** Does something after so many ms. */
  later(ms: number, then: (hand: FaultContext) => void): void;
  /** Ends the connection. */
  hangUp(): void;
}

/** A fault at work, with what it remembers. */
export interface PeerFault {
  /** What the role is told instead of an input. */
  readonly input?: (input: Input, hand: FaultContext) => readonly Input[];
  /** What is put out instead of an output. */
  readonly output?: (output: Output, hand: FaultContext) => readonly Output[];
  /** The sequence id that is sent instead; `n` counts what was sent before. */
  readonly number?: (sequenceId: number, n: number) => number;
  /** What is written instead of a frame. */
  readonly writes?: (frame: Uint8Array, message: ToonMessage) => Uint8Array;
  /** What is read instead of a frame. */
  readonly reads?: (frame: Uint8Array) => Uint8Array;
  /** How frames are cut out of bytes instead. */
  readonly framing?: Framing;
}

/** What becomes of one message. */
export type MessageEdit = (message: ToonMessage, hand: FaultContext) => readonly ToonMessage[];

/** A fault in what the role hears: the messages it is told instead of one. */
export const hears = (edit: MessageEdit): PeerFault => ({
  input: (input, hand) =>
    input.type === 'message' ? edit(input.message, hand).map((message) => ({ ...input, message })) : [input],
});

/** A fault in what the role says: the messages that are sent instead of one of its own. */
const says = (edit: MessageEdit): PeerFault => ({
  output: (output, hand) =>
    output.type === 'send' ? edit(output.message, hand).map((message) => ({ ...output, message })) : [output],
});

/** A fault in what the role says of one type. */
export const saysOf = <N extends MessageName>(
  type: N,
  edit: (payload: Payloads[N], message: ToonMessage, hand: FaultContext) => readonly ToonMessage[],
): PeerFault =>
  says((message, hand) =>
    message.type === type ? edit(message.payload as Payloads[N], message, hand) : [message],
  );

/** A message with another payload, whether or not its type allows it. */
export const withPayload = (message: ToonMessage, payload: unknown): ToonMessage =>
  ({ ...message, payload }) as ToonMessage;

/** A message without a key of its payload. */
export const without = (message: ToonMessage, key: string): ToonMessage =>
  withPayload(message, Object.fromEntries(Object.entries(message.payload).filter(([name]) => name !== key)));

/** A message of any type; its stamp is put on when it is sent. */
export const madeOf = (type: MessageName, payload: JsonObject): ToonMessage =>
  ({ type, payload, sequenceId: 0, timestamp: '0' }) as unknown as ToonMessage;

interface State<S> {
  role: S;
  readonly fault: PeerFault;
  readonly pending: Map<string, (hand: FaultContext) => void>;
  peer: string;
  timers: number;
  sent: number;
  nextId: number | undefined;
}

/** One handling of an input: what is still to be told to the role, and what was put out. */
class FaultTurn<S> implements FaultContext {
  readonly inbox: Input[] = [];
  readonly outputs: Output[] = [];
  readonly now: number;
  readonly #state: State<S>;

  constructor(state: State<S>, now: number) {
    this.#state = state;
    this.now = now;
  }

  tell(message: ToonMessage): void {
    this.inbox.push({ type: 'message', peer: this.#state.peer, message });
  }

  send<N extends MessageName>(type: N, payload: Payloads[N]): void {
    const message = { type, payload, sequenceId: 0, timestamp: String(Math.floor(this.now)) } as ToonMessage;
    this.put({ type: 'send', peer: this.#state.peer, message });
  }

  later(ms: number, then: (hand: FaultContext) => void): void {
    const id = `fault:${++this.#state.timers}`;
    this.#state.pending.set(id, then);
    this.outputs.push({ type: 'start_timer', id, ms });
  }

  hangUp(): void {
    const { peer } = this.#state;
    this.outputs.push({ type: 'close', peer, status: { code: 1, message: 'hung up' } });
    this.inbox.push({ type: 'left', peer });
  }

  /** Puts something out; a message under the next sequence id, so that one more or one less leaves no trace. */
  put(output: Output): void {
    if (output.type !== 'send') return void this.outputs.push(output);
    const state = this.#state;
    const id = state.nextId ?? output.message.sequenceId;
    state.nextId = nextSequenceId(id);
    const sequenceId = state.fault.number?.(id, state.sent) ?? id;
    state.sent++;
    this.outputs.push({ ...output, message: { ...output.message, sequenceId } });
  }
}

/** Tells the role all that it is to be told, and puts out what the fault makes of its outputs. */
function drain<S>(inner: Role<S, ToonMessage, ToonMessage>, state: State<S>, turn: FaultTurn<S>): void {
  for (let next = turn.inbox.shift(); next !== undefined; next = turn.inbox.shift()) {
    const stepped = inner.step(state.role, next, turn.now);
    state.role = stepped.state;
    for (const output of stepped.outputs)
      for (const one of state.fault.output?.(output, turn) ?? [output]) turn.put(one);
  }
}

/** A role with a fault. */
const faulty = <S>(
  inner: Role<S, ToonMessage, ToonMessage>,
  fault: PeerFault,
): Role<State<S>, ToonMessage, ToonMessage> => ({
  name: inner.name,
  start: () => ({
    role: inner.start(),
    fault,
    pending: new Map(),
    peer: '',
    timers: 0,
    sent: 0,
    nextId: undefined,
  }),
  step(state, input, now) {
    const turn = new FaultTurn(state, now);
    if (input.type === 'opened') state.peer = input.peer;
    const timer = input.type === 'timer' ? input.id : '';
    const later = state.pending.get(timer);
    state.pending.delete(timer);
    if (later === undefined) turn.inbox.unshift(...(state.fault.input?.(input, turn) ?? [input]));
    else later(turn);
    drain(inner, state, turn);
    return { state, outputs: turn.outputs };
  },
});

/** The codec with a fault. */
const faultyCodec = ({ writes, reads }: PeerFault): Codec<ToonMessage> => ({
  name: toonCodec.name,
  encode(message) {
    const frame = toonCodec.encode(message);
    return writes === undefined ? frame : writes(frame, message);
  },
  decode: (bytes) => toonCodec.decode(reads === undefined ? bytes : reads(bytes)),
});

/** A role with a fault as a target. */
export function faultyPeer<S>(role: Role<S, ToonMessage, ToonMessage>, fault: PeerFault): MakePeer {
  const codec = faultyCodec(fault);
  const make = peerOf(faulty(role, fault), codec, codec);
  const { framing } = fault;
  return framing === undefined ? make : (world) => ({ ...make(world), framing });
}

/**
 * Makes the mutants of a role.
 *
 * @example
 * import { subagent } from '../../../../src/toon/index.ts';
 *
 * const wrong = mutantsOf((options) => subagent(options));
 * wrong('TOON-47', 'lively-heartbeats', 'Its heartbeats say that it lives.', () =>
 *   saysOf('HEARTBEAT', (_, message) => [withPayload(message, { alive: true })]),
 * ).breaks; // 'TOON-47'
 */
export const mutantsOf =
  <S>(role: (given: JsonObject) => Role<S, ToonMessage, ToonMessage>) =>
  /**
   * @param breaks the requirement it is there to break
   * @param fault makes the fault anew for each run
   * @param options where it is set up otherwise than the target
   */
  (breaks: string, id: string, title: string, fault: () => PeerFault, options: JsonObject = {}): Mutant => ({
    id,
    breaks,
    title,
    make: (given = {}) => faultyPeer(role({ ...given, ...options }), fault()),
  });

/** See {@link mutantsOf}. */
export type Wrong = ReturnType<typeof mutantsOf>;
