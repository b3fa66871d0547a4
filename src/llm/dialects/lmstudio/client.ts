/**
 * The client's side of one prediction on a WebSocket connection to LM Studio, as a pure machine: authentication, one
 * channel, possibly a cancel. It delivers the channel's messages to the decoder.
 */
import { isObject, jsonOf } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { writeRequest } from './request.ts';

export interface LmClientOptions {
  readonly request: LlmRequest;
  /** The client's identifier; default `wireproof`. A token's first half goes here, the second into `passkey`. */
  readonly identifier?: string;
  /** The client's secret; default `wireproof`. */
  readonly passkey?: string;
  /** The channel's id on this connection; default 0. */
  readonly channelId?: number;
}

/** An input: a message of the server as its bytes, or the wish to stop. */
export type LmClientInput =
  { readonly type: 'message'; readonly bytes: Uint8Array } | { readonly type: 'cancel' };

/** An output of the machine. */
export type LmClientOutput =
  | { readonly do: 'send'; readonly message: JsonObject }
  /** For the decoder, which also knows when the prediction is over. */
  | { readonly do: 'deliver'; readonly bytes: Uint8Array };

/** The state of a client. `step` changes it in place. */
export interface LmClientState {
  phase: 'authentication' | 'open' | 'cancelled';
}

/** The machine. */
export interface LmClient {
  /** The connection is open; the first output authenticates. */
  start(): { readonly state: LmClientState; readonly outputs: readonly LmClientOutput[] };
  /** Takes an input. Never throws. */
  step(
    state: LmClientState,
    input: LmClientInput,
  ): { readonly state: LmClientState; readonly outputs: readonly LmClientOutput[] };
}

/** The first message of a connection. */
export const authentication = (clientIdentifier: string, clientPasskey: string): JsonObject => ({
  authVersion: 1,
  clientIdentifier,
  clientPasskey,
});

/** Opens a channel with a prediction. */
export const createChannel = (channelId: number, request: LlmRequest): JsonObject => ({
  type: 'channelCreate',
  endpoint: 'predict',
  channelId,
  creationParameter: writeRequest(request).body,
});

/** Stops a prediction: the server still sends `success`, with `userStopped`. */
export const cancel = (channelId: number): JsonObject => ({
  type: 'channelSend',
  channelId,
  message: { type: 'cancel' },
});

/**
 * The machine of one prediction. It delivers a refused authentication to the decoder, which makes it an error. After
 * a cancel it opens no channel.
 *
 * @example
 * const request = { dialect: 'lmstudio', model: 'm', messages: [], tools: [], stream: true, includeUsage: true } as const;
 * lmstudioClient({ request }).start().outputs; // [{ do: 'send', message: { authVersion: 1, clientIdentifier: 'wireproof', clientPasskey: 'wireproof' } }]
 */
export function lmstudioClient(options: LmClientOptions): LmClient {
  const { request, identifier = 'wireproof', passkey = 'wireproof', channelId = 0 } = options;
  return {
    start: () => ({
      state: { phase: 'authentication' },
      outputs: [{ do: 'send', message: authentication(identifier, passkey) }],
    }),
    step: (state, input) => ({ state, outputs: step(state, input, channelId, request) }),
  };
}

function step(
  state: LmClientState,
  input: LmClientInput,
  channelId: number,
  request: LlmRequest,
): readonly LmClientOutput[] {
  if (input.type === 'cancel') {
    const opened = state.phase === 'open';
    state.phase = 'cancelled';
    return opened ? [{ do: 'send', message: cancel(channelId) }] : [];
  }
  if (state.phase !== 'authentication') return [{ do: 'deliver', bytes: input.bytes }];
  if (!accepted(input.bytes)) return [{ do: 'deliver', bytes: input.bytes }];
  state.phase = 'open';
  return [{ do: 'send', message: createChannel(channelId, request) }];
}

/** Whether a message of the server accepts the authentication. */
export function accepted(bytes: Uint8Array): boolean {
  try {
    const answer: unknown = jsonOf(new TextDecoder().decode(bytes));
    return isObject(answer) && answer['success'] === true;
  } catch {
    return false;
  }
}
