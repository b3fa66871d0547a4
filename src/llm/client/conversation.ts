/** What a call says and hears in one attempt, whatever carries it. */
import type { Metadata } from '../../kit/base/index.ts';
import type { Decoded, LlmRequest, ResponseEvent } from '../messages.ts';

/** One attempt's exchange with a provider. */
export interface Conversation {
  /** `:url`, `:method` and header fields. */
  readonly metadata: Metadata;
  /** What is sent at once. */
  readonly first: readonly Uint8Array[];
  /** Whether nothing more will be sent. */
  readonly closes: boolean;
  /** Whether the dialect's terminal or an error has come. */
  readonly done: boolean;
  /** Whether the provider ends the exchange behind its terminal; else that is the client's to do. */
  readonly endsItself: boolean;
  /** The answer's headers came: `:status` and header fields. */
  headers(metadata: Metadata): void;
  /** Takes the next bytes of the answer. @returns what is to be sent now, and what the bytes show */
  take(chunk: Uint8Array): {
    readonly send: readonly Uint8Array[];
    readonly events: readonly ResponseEvent[];
  };
  /** What the dialect has a client say that wants no more. */
  cancel(): readonly Uint8Array[];
  /** The exchange is over, in order or not: what was made of it. */
  end(how: 'clean' | 'reset'): Decoded;
}

/** Begins an exchange for a request, at a base URL, with header fields of the caller's. */
export type Converse = (
  request: LlmRequest,
  baseUrl: string,
  headers: { readonly [name: string]: string },
) => Conversation;
