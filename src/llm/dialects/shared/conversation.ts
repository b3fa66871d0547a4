/** One attempt's exchange with a provider, on any carrier. */
import type { Metadata } from '../../../kit/base/index.ts';
import type { Decoded, LlmRequest, ResponseEvent } from '../../messages.ts';

/** One attempt's exchange with a provider. */
export interface Conversation {
  /** `:url`, `:method` and header fields. */
  readonly metadata: Metadata;
  /** The messages to send at once. */
  readonly first: readonly Uint8Array[];
  /** Whether nothing more will be sent. */
  readonly closes: boolean;
  /** Whether the dialect's terminal or an error has come. */
  readonly done: boolean;
  /** Whether the provider ends the exchange after its terminal; otherwise the client does. */
  readonly endsItself: boolean;
  /** Whether it goes on a connection that is open already, so that nothing is dialed. Absent: it does not. */
  readonly joins?: boolean;
  /** Whether its connection stays open for the next exchange. Asked when the response is over. Absent: it does not. */
  readonly keeps?: boolean;
  /** The answer's headers came: `:status` and header fields. */
  headers(metadata: Metadata): void;
  /** Takes the next bytes of the answer. @returns messages to send now, and the events of the bytes */
  take(chunk: Uint8Array): {
    readonly send: readonly Uint8Array[];
    readonly events: readonly ResponseEvent[];
  };
  /** The messages that cancel the response. */
  cancel(): readonly Uint8Array[];
  /** Ends the exchange, in order or not. @returns the decoded response */
  end(how: 'clean' | 'reset'): Decoded;
}

/**
 * Begins an exchange for a request, at a base URL, with header fields of the caller's. `connection`: the one on which all
 * exchanges of a turn are made.
 */
export type Converse = (
  request: LlmRequest,
  baseUrl: string,
  headers: { readonly [name: string]: string },
  connection?: KeptConnection,
) => Conversation;

/** A connection that outlives its exchanges, and what the provider remembers on it. */
export interface KeptConnection {
  readonly isOpen: boolean;
  /** It is being dialed. */
  opened(): void;
  /** It was closed, by either side. */
  lost(): void;
  /** Begins an exchange on it. */
  readonly converse: (
    request: LlmRequest,
    baseUrl: string,
    headers: { readonly [name: string]: string },
  ) => Conversation;
}
