/** The options and limits of the reference gateway, and the status codes of its streams. */

/** gRPC status codes by their meaning. */
export const code = {
  ok: 0,
  invalid: 3,
  unknown: 5,
  exists: 6,
  denied: 7,
  exhausted: 8,
  precondition: 9,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gateway's timeouts (ms). */
export interface GatewayTimeouts {
  /** For the terminal after a CancelRequest ("N seconds" of section 4). */
  readonly cancel: number;
  /** For an operator's decision; after it the tool is denied. */
  readonly approval: number;
  /** For a pack's result, unless the tool has its own timeout. */
  readonly pack: number;
  /** For an operator that does not read. */
  readonly stalled: number;
  /** For an InjectionAck. */
  readonly ack: number;
  /** For running requests, when the gateway shuts down. */
  readonly shutdown: number;
}

/** The status of a principal. */
export type PrincipalStatus = 'approved' | 'pending' | 'revoked';

/** The checks of credentials. With neither `jwt` nor `ssh` every stream is refused. */
export interface GatewayAuth {
  /** The claims of a bearer token with a valid signature. `exp` is in Unix seconds. */
  readonly jwt?: (token: string) => { readonly sub: string; readonly exp?: number } | undefined;
  /** Whether `signature` (base64) is the key's signature over the text. The key is an authorized_keys line. */
  readonly ssh?: (key: string, text: string, signature: string) => boolean;
  /**
   * Principals by name: a token's `sub`, or a key's type and base64, without the key's comment. Absent: every principal
   * with valid credentials is approved. Given: principals that it does not name have the status `others`.
   */
  readonly principals?: { readonly [name: string]: PrincipalStatus };
  /** The status of principals without an entry. Absent: not approved. */
  readonly others?: PrincipalStatus;
}

/** The options of the reference gateway. */
export interface GatewayOptions {
  readonly server_id: string;
  /** Unix milliseconds at 0 of the host's clock. */
  readonly epoch: number;
  /** Makes ids and tokens. Absent: a counter, for tests; its tokens can be guessed. */
  readonly uuid?: () => string;
  /** The refusal of an agent id that is in use (decision 10). */
  readonly duplicates: 'already_exists' | 'registration_error';
  /** Checks the credentials of agents and packs; carriers check operators. Absent: all are `anonymous`. */
  readonly auth?: GatewayAuth;
  readonly timeouts: Partial<GatewayTimeouts>;
  /** Whether to close the stream of an agent that does not answer a cancel (G40). */
  readonly disconnect_unresponsive: boolean;
  /** The most tokens of a thread: its agent is told at 80 %, and then sends are refused. Absent: no limit. */
  readonly budget?: number;
  readonly mcp_endpoint: string;
}

/** The options with all defaults. */
export type Settings = Omit<GatewayOptions, 'timeouts'> & { readonly timeouts: GatewayTimeouts };

const timeouts: GatewayTimeouts = {
  cancel: 10_000,
  approval: 300_000,
  pack: 30_000,
  stalled: 30_000,
  ack: 5000,
  // Longer than agents have to close their streams (FOLD-A51), so that a late one is named and not cut.
  shutdown: 11_000,
};

/** The default options of the reference gateway. */
export const defaultGatewayOptions: GatewayOptions = {
  server_id: 'wireproof-gateway',
  epoch: 0,
  duplicates: 'already_exists',
  timeouts,
  disconnect_unresponsive: false,
  mcp_endpoint: '',
};

/** Adds the defaults to options. */
export const settingsOf = (overrides: Partial<GatewayOptions>): Settings => ({
  ...defaultGatewayOptions,
  ...overrides,
  timeouts: { ...timeouts, ...overrides.timeouts },
});

/** The bounds of the gateway's memory. */
export const gatewayLimits = {
  /** Ids of finished requests, for the refusal of a late cancel. */
  finished: 1024,
  /** Ids of earlier agents, for the refusal of a send to one of them: it is offline. */
  known: 1024,
  /** Threads with a remembered agent. */
  threads: 4096,
  /** The longest id that is remembered after its end. */
  name: 256,
  /** Single-use nonces within their window; above, SSH credentials are refused. */
  nonces: 100_000,
  /** Injections of one agent without an ack; above, the oldest is forgotten. */
  injections: 1024,
  /** Running requests of one agent; above, sends are refused. */
  requests: 16_384,
  /** Tools of one agent that wait for approval; above, they are denied. */
  approvals: 1024,
  /** Unanswered pack calls of one agent; above, they are refused. */
  calls: 1024,
  /** Pack calls that timed out and may still get a result. */
  late: 1024,
  /** Messages to an agent whose carrier is full; above, its stream is closed. */
  unread: 4096,
  /** The longest time before a planned shutdown (ms): a day. */
  plan: 86_400_000,
  /** Bytes of one SendMessage: gRPC's usual receive limit, less the size of its frame and ids. */
  message: 4_193_280,
} as const;
