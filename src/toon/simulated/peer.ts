/**
 * A side of TOON as a simulated peer: sends what its commander (a scenario) says, well behaved or not, and fills in
 * what a message needs and the scenario left out. It judges nothing.
 */
import type { Json, PeerCommand, Role, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import type { MessageName, OnWire, Side, Stamp, ToonMessage } from '../messages.ts';
import { nextSequenceId, serialCompare } from '../frame/serial.ts';

/** How a simulated peer fills in what a message lacks. */
export interface ScriptedPeerOptions {
  /** Whether messages that do not say may be compressed. Default false. */
  readonly compress?: boolean;
  /** The first sequence id of a connection, 0 to 4294967295. Default 1. */
  readonly firstSequenceId?: number;
  /** Unix milliseconds when the host's clock was 0. Default 0. */
  readonly epoch?: number;
}

/** A message as a scenario writes it: of any type, with any payload (default `{}`). */
export interface Draft extends Partial<Stamp>, OnWire {
  readonly type: MessageName;
  readonly payload?: Json;
}

/** What a scenario may have the peer do. */
export type ScriptedCommand = PeerCommand<Draft>;

/** The state of a simulated peer; handed over at each step. */
export interface ScriptedPeerState {
  /** The link that opened last and is still there; undefined: none. */
  peer: string | undefined;
  /** The sequence id of the next message that does not say one. */
  nextId: number;
  /** Commands that wait for a link. */
  readonly waiting: ScriptedCommand[];
}

/** A simulated peer as a role. */
export type ScriptedPeerRole = Role<ScriptedPeerState, ToonMessage, ToonMessage, ScriptedCommand>;

/** What a peer sends by itself on a message. */
export type Reply = (message: ToonMessage) => Draft | undefined;

/** Commands that may wait for a link; more are dropped. */
const mostWaiting = 4096;

/** Makes the simulated peer of a side. */
export function scriptedPeer(side: Side, options: ScriptedPeerOptions, reply: Reply): ScriptedPeerRole {
  const firstId = (options.firstSequenceId ?? 1) >>> 0;
  return {
    name: `toon/${side}`,
    start: () => ({ peer: undefined, nextId: firstId, waiting: [] }),
    step(state, input, now) {
      const script = new Script(state, { ...options, firstSequenceId: firstId }, now);
      react(script, state, input, reply);
      return { state, outputs: script.outputs };
    },
  };
}

function react(
  script: Script,
  state: ScriptedPeerState,
  input: RoleInput<ToonMessage, ScriptedCommand>,
  reply: Reply,
): void {
  switch (input.type) {
    case 'opened':
      return script.opened(input.peer);
    case 'message': {
      const answer = input.peer === state.peer ? reply(input.message) : undefined;
      return answer === undefined ? undefined : script.obey({ do: 'send', message: answer });
    }
    case 'command':
      return script.obey(input.command);
    case 'half_close':
      // As a program's TCP stack does for it: who hears no more is closed to.
      return input.peer === state.peer ? script.obey({ do: 'shutdown' }) : undefined;
    case 'left':
      if (input.peer === state.peer) state.peer = undefined;
      return;
    case 'started':
    case 'headers':
    case 'undecodable':
    case 'full':
    case 'drained':
    case 'timer':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

/** One step of a simulated peer. */
class Script {
  readonly outputs: RoleOutput<ToonMessage>[] = [];
  readonly #state: ScriptedPeerState;
  readonly #options: ScriptedPeerOptions & { readonly firstSequenceId: number };
  readonly #now: number;

  constructor(
    state: ScriptedPeerState,
    options: ScriptedPeerOptions & { readonly firstSequenceId: number },
    now: number,
  ) {
    this.#state = state;
    this.#options = options;
    this.#now = now;
  }

  /** A link is there: what waited for it is done, up to the command that ends it. */
  opened(peer: string): void {
    const state = this.#state;
    state.peer = peer;
    state.nextId = this.#options.firstSequenceId;
    while (state.peer !== undefined) {
      const command = state.waiting.shift();
      if (command === undefined) return;
      this.obey(command);
    }
  }

  /** Does what it is told; what needs a link waits for one. */
  obey(command: ScriptedCommand): void {
    const { peer, waiting } = this.#state;
    if (peer === undefined) {
      // Nothing is there to be ended, but what waits before.
      const ends = command.do === 'end' || command.do === 'shutdown';
      if (waiting.length < mostWaiting && !(ends && waiting.length === 0)) waiting.push(command);
    } else if (command.do === 'send')
      this.outputs.push({ type: 'send', peer, message: this.#filled(command.message) });
    else if (command.do === 'raw') this.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
    else {
      this.#state.peer = undefined;
      const status = command.do === 'end' ? command.status : { code: 0, message: '' };
      this.outputs.push({ type: 'close', peer, status });
    }
  }

  /** The message with all that it needs. One that says its own sequence id does not set the next ones back. */
  #filled(draft: Draft): ToonMessage {
    const state = this.#state;
    const { compress = false, epoch = 0 } = this.#options;
    const { sequenceId = state.nextId, timestamp = String(Math.floor(epoch + this.#now)) } = draft;
    const after = nextSequenceId(sequenceId);
    if (serialCompare(after, state.nextId) > 0) state.nextId = after;
    return { compress, payload: {}, ...draft, sequenceId, timestamp } as ToonMessage;
  }
}
