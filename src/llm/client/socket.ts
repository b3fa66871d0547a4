/** LM Studio's native WebSocket as a call's exchange: its client machine, and the decoder of its channel. */
import type { Metadata } from '../../kit/base/index.ts';
import type { Conversation } from './conversation.ts';
import { lmstudioClient } from '../dialects/lmstudio/client.ts';
import type { LmClient, LmClientInput, LmClientState } from '../dialects/lmstudio/client.ts';
import { dialectOf } from '../dialects/index.ts';
import type { Decoded, LlmRequest, ResponseDecoder, ResponseEvent } from '../messages.ts';

/** One prediction on a connection of its own. */
class SocketConversation implements Conversation {
  readonly metadata: Metadata;
  readonly first: readonly Uint8Array[];
  readonly closes = false;
  /** LM Studio keeps the socket open for further predictions; this client makes one on each. */
  readonly endsItself = false;
  readonly #machine: LmClient;
  #state: LmClientState;
  readonly #decoder: ResponseDecoder;

  constructor(request: LlmRequest, baseUrl: string, headers: { readonly [name: string]: string }) {
    const url = `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/llm`;
    this.metadata = { ':carrier': 'ws', ':method': 'GET', ':path': '/llm', ':url': url, ...headers };
    this.#machine = lmstudioClient({ request });
    this.#decoder = dialectOf.lmstudio.decoder();
    const { state, outputs } = this.#machine.start();
    this.#state = state;
    this.first = outputs.flatMap((output) => (output.do === 'send' ? [bytesOf(output.message)] : []));
  }

  get done(): boolean {
    return this.#decoder.done;
  }

  /** A WebSocket's have nothing to say. */
  headers(): void {}

  take(chunk: Uint8Array): { send: readonly Uint8Array[]; events: readonly ResponseEvent[] } {
    return this.#step({ type: 'message', bytes: chunk });
  }

  cancel(): readonly Uint8Array[] {
    return this.#step({ type: 'cancel' }).send;
  }

  end(how: 'clean' | 'reset'): Decoded {
    return this.#decoder.end(how);
  }

  #step(input: LmClientInput): { send: readonly Uint8Array[]; events: readonly ResponseEvent[] } {
    const { state, outputs } = this.#machine.step(this.#state, input);
    this.#state = state;
    const send: Uint8Array[] = [];
    const events: ResponseEvent[] = [];
    for (const output of outputs) {
      if (output.do === 'send') send.push(bytesOf(output.message));
      else events.push(...this.#decoder.push(output.bytes));
    }
    return { send, events };
  }
}

const bytesOf = (message: object): Uint8Array => Buffer.from(JSON.stringify(message));

/** Begins a prediction. */
export const lmStudioConversation = (
  request: LlmRequest,
  baseUrl: string,
  headers: { readonly [name: string]: string },
): Conversation => new SocketConversation(request, baseUrl, headers);
