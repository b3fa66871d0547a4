/** gRPC-like metadata: lower-case keys, a list of values each. */
export type Metadata = { readonly [key: string]: string };

/** How a stream ended: a gRPC status code (0 is OK) and its message. */
export interface Status {
  readonly code: number;
  readonly message: string;
}

/** An input of a role. `peer` names a link to another party: the host chooses the name, or the role that dialled. */
export type RoleInput<M, C> =
  /** The role begins, once. */
  | { readonly type: 'started' }
  /** A link is open: an accepted one, or one that this role dialled. */
  | { readonly type: 'opened'; readonly peer: string; readonly metadata: Metadata }
  /** The response headers of the other side. */
  | { readonly type: 'headers'; readonly peer: string; readonly metadata: Metadata }
  | { readonly type: 'message'; readonly peer: string; readonly message: M }
  /** The received bytes are not a message; `code` is the fault in the words of the codec. */
  | { readonly type: 'undecodable'; readonly peer: string; readonly reason: string; readonly code?: string }
  /** The other side half-closed. */
  | { readonly type: 'half_close'; readonly peer: string }
  /** The link is closed; with a status when the other side gave one. */
  | { readonly type: 'left'; readonly peer: string; readonly status?: Status }
  /** The carrier is full: send no more until `drained`. */
  | { readonly type: 'full'; readonly peer: string }
  /** The carrier has room again. */
  | { readonly type: 'drained'; readonly peer: string }
  | { readonly type: 'timer'; readonly id: string }
  /** An effect (a model call, a tool) has finished. */
  | { readonly type: 'effect'; readonly id: string; readonly result: unknown }
  /** An operator's or a scenario's command. */
  | { readonly type: 'command'; readonly command: C };

/** An output of a role; the host carries it out. */
export type RoleOutput<M> =
  | {
      readonly type: 'dial';
      readonly peer: string;
      readonly metadata: Metadata;
      /** Send a keepalive ping this often (ms); absent: never. */
      readonly keepalive?: number;
    }
  | { readonly type: 'headers'; readonly peer: string; readonly metadata: Metadata }
  | { readonly type: 'send'; readonly peer: string; readonly message: M }
  /** Raw bytes, for peers that must misbehave. */
  | { readonly type: 'send_raw'; readonly peer: string; readonly bytes: Uint8Array }
  | { readonly type: 'pause'; readonly peer: string }
  | { readonly type: 'resume'; readonly peer: string }
  /** One timer for each id: a second start moves it. */
  | { readonly type: 'start_timer'; readonly id: string; readonly ms: number }
  | { readonly type: 'stop_timer'; readonly id: string }
  | { readonly type: 'effect'; readonly id: string; readonly effect: unknown }
  /** News for the application. */
  | { readonly type: 'tell'; readonly what: string; readonly detail: string }
  /** Half-closes the link: this side sends no more. */
  | { readonly type: 'half_close'; readonly peer: string }
  | { readonly type: 'close'; readonly peer: string; readonly status: Status; readonly metadata?: Metadata };

/**
 * A party of a protocol as a pure policy: (state, input, now) → state and outputs. No promise, no socket, no
 * clock inside; `now` is milliseconds on the host's clock. The state is handed over, as a machine's is.
 */
export interface Role<S, In, Out, C = never> {
  readonly name: string;
  /** The state of a party that has not begun. */
  start(): S;
  /** The state after one input at `now` (ms on the host's clock), and the outputs. */
  step(
    state: S,
    input: RoleInput<In, C>,
    now: number,
  ): { readonly state: S; readonly outputs: readonly RoleOutput<Out>[] };
}

/** The topic of a simulated peer's report that it has no stream for a command; the detail is what it should do, as JSON. */
export const unsentTopic = 'unsent';

/** A command of a scenario to a simulated peer. */
export type PeerCommand<Out> =
  | { readonly do: 'send'; readonly message: Out }
  | { readonly do: 'raw'; readonly bytes: Uint8Array }
  | { readonly do: 'end'; readonly status: Status }
  /** Stop in an orderly way, like a program after TERM. */
  | { readonly do: 'shutdown'; readonly reason?: string };
