/**
 * An exchange that counts a prompt at LM Studio, on a WebSocket of its own. LM Studio counts texts, and a conversation
 * becomes a text by the model's template: the calls are `applyPromptTemplate`, then `countTokens` of what it gave.
 */
import { isObject, jsonOf } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Metadata } from '../../../kit/base/index.ts';
import type { Conversation, Converse } from '../shared/conversation.ts';
import type { Decoded, LlmRequest } from '../../messages.ts';
import { counted, isCount, uncounted } from '../shared/counted.ts';
import { functionsOf } from '../shared/functions.ts';
import { accepted, authentication } from './client.ts';
import { writeTool } from './config.ts';
import { socketMetadata } from './conversation.ts';
import { writeHistory } from './history.ts';
import { clientError } from './words.ts';

/** Begins a count. */
export const converseCount: Converse = (request, baseUrl, headers) =>
  new CountConversation(request, socketMetadata(baseUrl, headers));

const bytesOf = (message: JsonObject): Uint8Array => Buffer.from(JSON.stringify(message));

class CountConversation implements Conversation {
  readonly metadata: Metadata;
  readonly first: readonly Uint8Array[] = [bytesOf(authentication('wireproof', 'wireproof'))];
  readonly closes = false;
  readonly endsItself = false;
  readonly #request: LlmRequest;
  #calls = 0;
  #result: Decoded | undefined;

  constructor(request: LlmRequest, metadata: Metadata) {
    this.#request = request;
    this.metadata = metadata;
  }

  get done(): boolean {
    return this.#result !== undefined;
  }

  headers(): void {}

  take(chunk: Uint8Array): ReturnType<Conversation['take']> {
    if (this.#result !== undefined) return { send: [], events: [] };
    return { send: this.#calls === 0 ? this.#begin(chunk) : this.#answer(chunk), events: [] };
  }

  /** A call has no cancel. */
  cancel(): readonly Uint8Array[] {
    return [];
  }

  end(): Decoded {
    const message = 'the connection was lost before the count came';
    return this.#result ?? uncounted({ kind: 'connection', message, retryable: true });
  }

  #begin(chunk: Uint8Array): readonly Uint8Array[] {
    if (!accepted(chunk)) return this.#fail({ title: 'the authentication was refused' });
    const tools = functionsOf(this.#request.tools);
    const opts = tools.length === 0 ? {} : { toolDefinitions: tools.map(writeTool) };
    const history = writeHistory(this.#request);
    return this.#call('applyPromptTemplate', { history, predictionConfigStack: { layers: [] }, opts });
  }

  /** The answer to the last call; other messages, such as warnings, are ignored. */
  #answer(chunk: Uint8Array): readonly Uint8Array[] {
    const message = messageOf(chunk);
    if (message?.['callId'] !== this.#calls) return [];
    if (message['type'] === 'rpcError') return this.#fail(message['error']);
    if (message['type'] !== 'rpcResult') return [];
    const { formatted, tokenCount } = isObject(message['result']) ? message['result'] : {};
    if (this.#calls === 1 && typeof formatted === 'string')
      return this.#call('countTokens', { inputString: formatted });
    if (this.#calls !== 2 || !isCount(tokenCount))
      return this.#fail({ title: 'expected a count; none came' });
    this.#result = counted(tokenCount);
    return [];
  }

  #call(endpoint: string, parameter: JsonObject): readonly Uint8Array[] {
    const specifier = { type: 'query', query: { identifier: this.#request.model } };
    const callId = ++this.#calls;
    return [bytesOf({ type: 'rpcCall', endpoint, callId, parameter: { specifier, ...parameter } })];
  }

  #fail(error: unknown): readonly Uint8Array[] {
    this.#result = uncounted(clientError(error));
    return [];
  }
}

function messageOf(chunk: Uint8Array): { readonly [field: string]: Json | undefined } | undefined {
  try {
    const message = jsonOf(new TextDecoder().decode(chunk));
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
