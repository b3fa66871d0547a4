/** An LM Studio prediction as a call's exchange: the client machine on a WebSocket of its own, and the decoder. */
import type { Metadata } from '../../../kit/base/index.ts';
import type { Conversation, Converse } from '../shared/conversation.ts';
import type { Decoded } from '../../messages.ts';
import { lmstudioClient } from './client.ts';
import type { LmClientInput } from './client.ts';
import { decoder } from './decode.ts';

const bytesOf = (message: object): Uint8Array => Buffer.from(JSON.stringify(message));

/** Begins a prediction. */
export const converse: Converse = (request, baseUrl, headers) =>
  new SocketConversation(lmstudioClient({ request }), socketMetadata(baseUrl, headers));

/** The metadata of a WebSocket to LM Studio's models. */
export const socketMetadata = (baseUrl: string, headers: { readonly [name: string]: string }): Metadata => ({
  ':carrier': 'ws',
  ':method': 'GET',
  ':path': '/llm',
  ':url': `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/llm`,
  ...headers,
});

class SocketConversation implements Conversation {
  readonly metadata: Metadata;
  readonly first: readonly Uint8Array[];
  readonly closes = false;
  /** LM Studio keeps the socket open for further predictions; this client makes one on each. */
  readonly endsItself = false;
  readonly #machine: ReturnType<typeof lmstudioClient>;
  #state;
  readonly #decoder = decoder();

  constructor(machine: ReturnType<typeof lmstudioClient>, metadata: Metadata) {
    const { state, outputs } = machine.start();
    this.metadata = metadata;
    this.#machine = machine;
    this.#state = state;
    this.first = outputs.flatMap((output) => (output.do === 'send' ? [bytesOf(output.message)] : []));
  }

  get done(): boolean {
    return this.#decoder.done;
  }

  /** The headers of a WebSocket say nothing. */
  headers(): void {}

  take(chunk: Uint8Array): ReturnType<Conversation['take']> {
    return this.#step({ type: 'message', bytes: chunk });
  }

  cancel(): readonly Uint8Array[] {
    return this.#step({ type: 'cancel' }).send;
  }

  end(how: 'clean' | 'reset'): Decoded {
    return this.#decoder.end(how);
  }

  #step(input: LmClientInput): ReturnType<Conversation['take']> {
    const { state, outputs } = this.#machine.step(this.#state, input);
    this.#state = state;
    return {
      send: outputs.flatMap((output) => (output.do === 'send' ? [bytesOf(output.message)] : [])),
      events: outputs.flatMap((output) => (output.do === 'deliver' ? this.#decoder.push(output.bytes) : [])),
    };
  }
}
