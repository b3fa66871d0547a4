/** Where a simulated peer of one link is, and what it keeps. */
export interface LinkPeerPlace {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `tcp`. */
  readonly carrier?: 'tcp' | 'ws';
  /** Dial this address instead of listening: host:port, or a URL of a WebSocket. */
  readonly connect?: string;
  /** The longest wait of the methods without a time of their own (ms). Default 10,000. */
  readonly within?: number;
  /** The most events and messages that are kept. Default 100,000. */
  readonly traceLimit?: number;
}
