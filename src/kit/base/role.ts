/** gRPC-like metadata: lower-case keys, a list of values each. */
export type Metadata = { readonly [key: string]: string };

/** How a stream ended: a gRPC status code (0 is OK) and its message. */
export interface Status {
  readonly code: number;
  readonly message: string;
}

/** What a role is told. `peer` names a link to another party: given by the host, or by the role when it dialled. */
export type RoleInput<M, C> =
  /** The role begins, once. */
  | { readonly type: 'started' }
  /** A link is there: accepted, or the one this role dialled. */
  | { readonly type: 'opened'; readonly peer: string; readonly metadata: Metadata }
  /** The other side's response headers. */
  | { readonly type: 'headers'; readonly peer: string; readonly metadata: Metadata }
  | { readonly type: 'message'; readonly peer: string; readonly message: M }
  /** Bytes came that are no message; `code` is the codec's word for the fault. */
  | { readonly type: 'undecodable'; readonly peer: string; readonly reason: string; readonly code?: string }
  /** The other side will send no more. */
  | { readonly type: 'half_close'; readonly peer: string }
  /** The link is gone; with a status when the other side gave one. */
  | { readonly type: 'left'; readonly peer: string; readonly status?: Status }
  /** The carrier is full: hold back until `drained`. */
  | { readonly type: 'full'; readonly peer: string }
  /** What was sent has been taken; more may be sent. */
  | { readonly type: 'drained'; readonly peer: string }
  | { readonly type: 'timer'; readonly id: string }
  /** An effect (a model call, a tool) has finished. */
  | { readonly type: 'effect'; readonly id: string; readonly result: unknown }
  /** An operator's or a scenario's command. */
  | { readonly type: 'command'; readonly command: C };

/** What a role asks for; the host does it. */
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
  /** Bytes as they are, for peers that must misbehave. */
  | { readonly type: 'send_raw'; readonly peer: string; readonly bytes: Uint8Array }
  | { readonly type: 'pause'; readonly peer: string }
  | { readonly type: 'resume'; readonly peer: string }
  /** One timer an id: starting it again moves it. */
  | { readonly type: 'start_timer'; readonly id: string; readonly ms: number }
  | { readonly type: 'stop_timer'; readonly id: string }
  | { readonly type: 'effect'; readonly id: string; readonly effect: unknown }
  /** Something the application above would like to know. */
  | { readonly type: 'tell'; readonly what: string; readonly detail: string }
  /** No more will be sent on this link; the client's half-close. */
  | { readonly type: 'half_close'; readonly peer: string }
  | { readonly type: 'close'; readonly peer: string; readonly status: Status; readonly metadata?: Metadata };

/**
 * A party of a protocol as a pure policy: (state, input, now) → state and outputs. No promise, no socket, no
 * clock inside; `now` is milliseconds on the host's clock. The state is handed over, as a machine's is.
 */
export interface Role<S, In, Out, C = never> {
  readonly name: string;
  /** A fresh state: a party that has not begun. */
  start(): S;
  /** What the role makes of one input at `now`, in ms on the host's clock. */
  step(
    state: S,
    input: RoleInput<In, C>,
    now: number,
  ): { readonly state: S; readonly outputs: readonly RoleOutput<Out>[] };
}

/** What a scenario may have any simulated peer do towards the target. */
export type PeerCommand<Out> =
  | { readonly do: 'send'; readonly message: Out }
  | { readonly do: 'raw'; readonly bytes: Uint8Array }
  | { readonly do: 'end'; readonly status: Status }
  /** Stop in an orderly way, as a program does that is asked to. */
  | { readonly do: 'shutdown'; readonly reason?: string };
