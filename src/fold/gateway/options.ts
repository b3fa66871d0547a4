/** How the reference gateway is set up, what it is bounded by, and the status codes it ends streams with. */

/** A gRPC status code by what it says. */
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

/** How long the gateway waits, in ms. */
export interface GatewayTimeouts {
  /** For the terminal after a CancelRequest ("N seconds" of section 4). */
  readonly cancel: number;
  /** For an operator's decision; then the tool is denied. */
  readonly approval: number;
  /** For a pack's result, where its tool says nothing. */
  readonly pack: number;
  /** For an operator that does not read. */
  readonly stalled: number;
  /** For an InjectionAck. */
  readonly ack: number;
  /** For running requests, when the gateway stops. */
  readonly shutdown: number;
}

/** Where a principal stands. */
export type PrincipalStatus = 'approved' | 'pending' | 'revoked';

/** Whose credentials are good. With neither `jwt` nor `ssh` nobody is let in. */
export interface GatewayAuth {
  /** What a bearer token claims, when its signature is good. `exp` is in Unix seconds. */
  readonly jwt?: (token: string) => { readonly sub: string; readonly exp?: number } | undefined;
  /** Whether `signature` (base64) is the key's over the text. The key is an authorized_keys line. */
  readonly ssh?: (key: string, text: string, signature: string) => boolean;
  /**
   * Principals by name: a token's `sub`, or a key's type and base64 (its comment, which nobody signs, is no part
   * of its name). Absent: whose credentials are good is approved. Given: who is not named is not approved.
   */
  readonly principals?: { readonly [name: string]: PrincipalStatus };
  /** Where a principal stands who is not among those given. Absent: not approved. */
  readonly others?: PrincipalStatus;
}

/** How the reference gateway is set up. */
export interface GatewayOptions {
  readonly server_id: string;
  /** Unix milliseconds when the host's clock was 0. */
  readonly epoch: number;
  /** Makes ids and tokens. Absent: a counter, which is no secret: for tests. */
  readonly uuid?: () => string;
  /** How an agent id that is taken is refused (decision 10). */
  readonly duplicates: 'already_exists' | 'registration_error';
  /** Absent: everyone is `anonymous`. Agents and packs are asked; who carries operators asks those. */
  readonly auth?: GatewayAuth;
  readonly timeouts: Partial<GatewayTimeouts>;
  /** Close the stream of an agent that does not answer a cancel (G40). */
  readonly disconnect_unresponsive: boolean;
  /** Tokens that a thread may use; a send beyond is refused. Absent: any number. */
  readonly budget?: number;
  readonly mcp_endpoint: string;
}

/** The options with everything that has a default. */
export type Settings = Omit<GatewayOptions, 'timeouts'> & { readonly timeouts: GatewayTimeouts };

const timeouts: GatewayTimeouts = {
  cancel: 10_000,
  approval: 300_000,
  pack: 30_000,
  stalled: 30_000,
  ack: 5000,
  shutdown: 5000,
};

/** What the reference gateway is when nobody says otherwise. */
export const defaultGatewayOptions: GatewayOptions = {
  server_id: 'wireproof-gateway',
  epoch: 0,
  duplicates: 'already_exists',
  timeouts,
  disconnect_unresponsive: false,
  mcp_endpoint: '',
};

/** The options with all defaults. */
export const settingsOf = (overrides: Partial<GatewayOptions>): Settings => ({
  ...defaultGatewayOptions,
  ...overrides,
  timeouts: { ...timeouts, ...overrides.timeouts },
});

/** What is remembered or held at most: nothing here grows without bound. */
export const gatewayLimits = {
  /** Finished requests whose id is remembered, so that a cancel hears that they have finished. */
  finished: 1024,
  /** Agents that were here, so that a send hears that they are offline. */
  known: 1024,
  /** Threads whose agent is remembered. */
  threads: 4096,
  /** An id longer than this is used, and not remembered once it is gone. */
  name: 256,
  /** Single-use nonces within their window; above, SSH credentials are refused. */
  nonces: 100_000,
  /** Injections of one agent that wait for their ack; above, the oldest is no longer waited for. */
  injections: 1024,
  /** Running requests of one agent; above, sends are refused. */
  requests: 16_384,
  /** Undecided tools of one agent; above, they are denied. */
  approvals: 1024,
  /** Pack calls of one agent that are out; above, they are refused. */
  calls: 1024,
  /** Calls that timed out, whose result may still come. */
  late: 1024,
  /** Messages given to an agent whose carrier is full; above, its stream is closed. */
  owed: 4096,
  /** Bytes of one SendMessage: gRPC's usual receive limit, less some for its frame and ids. */
  message: 4_193_280,
} as const;
