/**
 * How a mutant is made: the reference client with one part exchanged, that changes one thing it reads, asks or does.
 * What is not changed passes as it is, so nothing else is wrong with it.
 */
import type { Metadata, OpenCall, ToolCall, Usage } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
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

/** A mutant: the reference, with other parts. */
export const mutant = (breaks: string, id: string, title: string, parts: ClientParts): Mutant => ({
  id,
  breaks,
  title,
  make: (reference) => client(parts, reference),
});

/** What was seen of a response beside what was made of it. */
export interface Seen {
  readonly request: LlmRequest;
  /** Every call that began, with the text of its arguments as far as it came. */
  readonly calls: OpenCall[];
  /** Every usage that was said. */
  readonly usages: Usage[];
  /** The answer's HTTP status; 0: none came. */
  status: number;
  /** Everything that came, as Latin text. */
  raw: string;
}

/** How an exchange is changed. */
export interface Changes {
  /** The bytes that are read. */
  readonly chunk?: (chunk: Uint8Array, seen: Seen) => Uint8Array;
  /** What is made of it in the end. */
  readonly decoded?: (decoded: Decoded, seen: Seen) => Decoded;
  /** What is asked. */
  readonly request?: (request: LlmRequest) => LlmRequest;
  /** What is said to the provider at an abort. */
  readonly cancel?: () => readonly Uint8Array[];
}

/** A conversation of the reference's, changed. */
class Changed implements Conversation {
  readonly #inner: Conversation;
  readonly #changes: Changes;
  readonly #seen: Seen;

  constructor(inner: Conversation, changes: Changes, request: LlmRequest) {
    this.#inner = inner;
    this.#changes = changes;
    this.#seen = { request, calls: [], usages: [], status: 0, raw: '' };
  }

  get metadata(): Metadata {
    return this.#inner.metadata;
  }
  get first(): readonly Uint8Array[] {
    return this.#inner.first;
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
    if (event.type === 'tool_start') calls.push({ id: event.id, name: event.name, partial: '' });
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

/** Exchanges that are changed. */
export const changed = (changes: Changes): ClientParts => {
  const converse: Converse = (request, baseUrl, headers) => {
    const asked = changes.request?.(request) ?? request;
    return new Changed(conversationOf(asked, baseUrl, headers), changes, asked);
  };
  return { converse };
};

/** Other ends of responses than the reference's. */
export const ends = (decoded: (decoded: Decoded, seen: Seen) => Decoded): ClientParts => changed({ decoded });

/** A response with parts of it others, and no error. */
export const fine = ({ response }: Decoded, others: Partial<LlmResponse> = {}): Decoded => ({
  response: { ...response, ...others },
});

/** A response with another stop reason. */
export const stopped = (
  { response }: Decoded,
  stopReason: LlmResponse['metadata']['stopReason'],
): LlmResponse['metadata'] => ({ ...response.metadata, stopReason });

/** A response whose calls are these, and are to run. */
export const runs = (decoded: Decoded, toolCalls: readonly ToolCall[]): Decoded => {
  const { open: _, ...response } = decoded.response;
  return { response: { ...response, toolCalls, metadata: stopped(decoded, 'tool_use') } };
};

/** A call whose arguments are what a reader makes of their text; none when it makes nothing of them. */
export function madeOf(
  { id, name, partial }: OpenCall,
  reader: (text: string) => unknown,
): readonly ToolCall[] {
  try {
    const input = reader(partial);
    return input === undefined ? [] : [{ id, name, input: input as ToolCall['input'] }];
  } catch {
    return [];
  }
}
