/**
 * Makes mutants: the reference client with one fault in its input, its requests or its behaviour. Everything else
 * passes unchanged.
 */
import { isObject, jsonOf } from '../../../../src/kit/base/index.ts';
import type { JsonObject, Metadata, OpenCall, ToolCall, Usage } from '../../../../src/kit/base/index.ts';
import type { Faults, Mutant } from '../../../../src/kit/suite/index.ts';
import { conversationOf } from '../../../../src/llm/index.ts';
import type {
  ClientParts,
  Conversation,
  Converse,
  Decoded,
  LlmRequest,
  LlmResponse,
  ResponseEvent,
} from '../../../../src/llm/index.ts';
import { client } from '../target.ts';

/** Faults by the ids of their mutants: the parts of the client that differ from the reference's. */
export type ClientFaults = Faults<ClientParts>;

/** Makes the reference client with a fault. */
export const clientWith =
  (parts: ClientParts): Mutant['make'] =>
  (reference) =>
    client(parts, reference);

/** Facts about a response that its decoded form does not contain. */
export interface ResponseFacts {
  readonly request: LlmRequest;
  /** Every call that began, with the received text of its arguments. */
  readonly calls: OpenCall[];
  /** Every usage in the response. */
  readonly usages: Usage[];
  /** The HTTP status of the answer, or 0 before it. */
  status: number;
  /** The received bytes, as Latin-1 text. */
  raw: string;
}

/** The changes of an exchange. */
export interface Changes {
  /** Changes received bytes. */
  readonly chunk?: (chunk: Uint8Array, seen: ResponseFacts) => Uint8Array;
  /** Changes the decoded response. */
  readonly decoded?: (decoded: Decoded, seen: ResponseFacts) => Decoded;
  /** Changes the request. */
  readonly request?: (request: LlmRequest) => LlmRequest;
  /** Changes the body of a request on HTTP. */
  readonly body?: (body: JsonObject) => JsonObject;
  /** Replaces the messages to the provider at an abort. */
  readonly cancel?: () => readonly Uint8Array[];
}

/** A conversation of the reference, with changes. */
class ChangedConversation implements Conversation {
  readonly #inner: Conversation;
  readonly #changes: Changes;
  readonly #seen: ResponseFacts;

  constructor(inner: Conversation, changes: Changes, request: LlmRequest) {
    this.#inner = inner;
    this.#changes = changes;
    this.#seen = { request, calls: [], usages: [], status: 0, raw: '' };
  }

  get metadata(): Metadata {
    const { metadata } = this.#inner;
    const [body] = this.first;
    return 'content-length' in metadata
      ? { ...metadata, 'content-length': String(body?.length ?? 0) }
      : metadata;
  }
  get first(): readonly Uint8Array[] {
    const { body } = this.#changes;
    if (body === undefined) return this.#inner.first;
    return this.#inner.first.map((bytes) => {
      const value = jsonOf(Buffer.from(bytes).toString('utf8'));
      return isObject(value) ? Buffer.from(JSON.stringify(body(value))) : bytes;
    });
  }
  get closes(): boolean {
    return this.#inner.closes;
  }
  get done(): boolean {
    return this.#inner.done;
  }
  get endsItself(): boolean {
    return this.#inner.endsItself;
  }
  get joins(): boolean {
    return this.#inner.joins === true;
  }
  get keeps(): boolean {
    return this.#inner.keeps === true;
  }

  headers(metadata: Metadata): void {
    this.#seen.status = Number(metadata[':status'] ?? 0);
    this.#inner.headers(metadata);
  }

  take(chunk: Uint8Array): ReturnType<Conversation['take']> {
    this.#seen.raw += Buffer.from(chunk).toString('latin1');
    const taken = this.#inner.take(this.#changes.chunk?.(chunk, this.#seen) ?? chunk);
    for (const event of taken.events) this.#note(event);
    return taken;
  }

  #note(event: ResponseEvent): void {
    const { calls, usages } = this.#seen;
    if (event.type === 'usage') usages.push(event.usage);
    if (event.type === 'tool_start') {
      const { id, name, custom } = event;
      calls.push({ id, name, partial: '', ...(custom && { custom }) });
    }
    if (event.type !== 'tool_input') return;
    const at = calls.findLastIndex(({ id }) => id === event.id);
    const call = calls[at];
    if (call !== undefined) calls[at] = { ...call, partial: call.partial + event.partial };
  }

  cancel(): readonly Uint8Array[] {
    return this.#changes.cancel === undefined ? this.#inner.cancel() : this.#changes.cancel();
  }

  end(how: 'clean' | 'reset'): Decoded {
    const decoded = this.#inner.end(how);
    return this.#changes.decoded?.(decoded, this.#seen) ?? decoded;
  }
}

export const changeExchange = (changes: Changes): ClientParts => {
  const converse: Converse = (request, ...where) => {
    const asked = changes.request?.(request) ?? request;
    return new ChangedConversation(conversationOf(asked, ...where), changes, asked);
  };
  return { converse };
};

export const changeDecoded = (decoded: (decoded: Decoded, seen: ResponseFacts) => Decoded): ClientParts =>
  changeExchange({ decoded });

/** A response without error, with some members replaced. */
export const withoutError = ({ response }: Decoded, others: Partial<LlmResponse> = {}): Decoded => ({
  response: { ...response, ...others },
});

/** A response with another stop reason. */
export const withStopReason = (
  { response }: Decoded,
  stopReason: LlmResponse['metadata']['stopReason'],
): LlmResponse['metadata'] => ({ ...response.metadata, stopReason });

/** A response with these calls, which are then run. */
export const withToolCalls = (decoded: Decoded, toolCalls: readonly ToolCall[]): Decoded => {
  const { open: _, ...response } = decoded.response;
  return { response: { ...response, toolCalls, metadata: withStopReason(decoded, 'tool_use') } };
};

/** A call whose arguments `reader` makes of their JSON text. No call when it returns undefined or throws. */
export function callFrom(
  { id, name, partial, custom }: OpenCall,
  reader: (text: string) => unknown,
): readonly ToolCall[] {
  if (custom === true) return [];
  try {
    const input = reader(partial);
    return input === undefined ? [] : [{ id, name, input: input as ToolCall['input'] }];
  } catch {
    return [];
  }
}
