/** The exchange of a call: HTTP, or the dialect's own way. */
import type { Metadata } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import type { Conversation, Converse } from '../dialects/shared/conversation.ts';
import { joinUrl } from '../dialects/shared/join-url.ts';
import { wellFormedJson } from '../dialects/shared/lone-surrogate.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import { countedBody } from '../dialects/shared/counted.ts';
import type { Decoded, DialectName, LlmRequest, ResponseDecoder } from '../messages.ts';

/** Begins an exchange in the request's dialect, on its connection where it has one. */
export const conversationOf: Converse = (request, baseUrl, headers, connection) => {
  if (connection !== undefined) return connection.converse(request, baseUrl, headers);
  const dialect = dialectOf[request.dialect];
  return (
    dialect.converse?.(request, baseUrl, headers) ?? new HttpConversation(dialect, request, baseUrl, headers)
  );
};

/**
 * How a dialect's provider counts a prompt that is not sent. The request of its exchange is the one whose prompt is
 * counted; the decoded response has no content, and the count as the input tokens of its usage.
 *
 * @returns undefined when the dialect cannot count
 * @example
 * countingOf('ollama'); // undefined
 */
export function countingOf(name: DialectName): Converse | undefined {
  const dialect = dialectOf[name];
  const { count } = dialect;
  if (dialect.converseCount !== undefined || count === undefined) return dialect.converseCount;
  const form: HttpForm = {
    ...dialect,
    writeRequest: (request) => ({
      ...dialect.writeRequest(request),
      path: count.pathOf?.(request) ?? count.path,
      body: count.body(request),
    }),
    readWhole: (status, headers, body) =>
      status === 200 ? countedBody(body) : dialect.readWhole(status, headers, body),
  };
  return (request, baseUrl, headers) =>
    new HttpConversation(form, { ...request, stream: false }, baseUrl, headers);
}

/** The most bytes of an answer that is not streamed. */
const wholeLimit = 32 << 20;

/** The parts of a dialect that an exchange on HTTP needs. */
type HttpForm = Pick<Dialect, 'writeRequest' | 'contentType' | 'decoder' | 'readWhole'>;

/** A POST whose answer is a stream in the dialect's framing, or one body. */
class HttpConversation implements Conversation {
  readonly metadata: Metadata;
  readonly first: readonly Uint8Array[];
  readonly closes = true;
  readonly endsItself = true;
  readonly #dialect: HttpForm;
  readonly #streams: boolean;
  #answered: Metadata = {};
  #decoder: ResponseDecoder | undefined;
  readonly #whole: Uint8Array[] = [];
  #size = 0;

  constructor(
    dialect: HttpForm,
    request: LlmRequest,
    baseUrl: string,
    headers: { readonly [name: string]: string },
  ) {
    const written = dialect.writeRequest(request);
    const body = Buffer.from(wellFormedJson(written.body));
    this.#dialect = dialect;
    this.#streams = request.stream;
    this.first = [body];
    this.metadata = {
      ':carrier': 'http',
      ':path': written.path,
      ':url': joinUrl(baseUrl, written.path),
      ':method': 'POST',
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: request.stream ? dialect.contentType : 'application/json',
      ...written.headers,
      ...headers,
    };
  }

  get done(): boolean {
    return this.#decoder?.done === true;
  }

  /** Only an answer with status 200 is a stream; any other is one body, of any type. */
  headers(metadata: Metadata): void {
    this.#answered = metadata;
    if (metadata[':status'] === '200' && this.#streams) this.#decoder = this.#dialect.decoder();
  }

  take(chunk: Uint8Array): ReturnType<Conversation['take']> {
    if (this.#decoder !== undefined) return { send: [], events: this.#decoder.push(chunk) };
    this.#size += chunk.length;
    if (this.#size <= wholeLimit) this.#whole.push(chunk);
    return { send: [], events: [] };
  }

  /** On HTTP a client only closes the connection. */
  cancel(): readonly Uint8Array[] {
    return [];
  }

  end(how: 'clean' | 'reset'): Decoded {
    if (this.#decoder !== undefined) return this.#decoder.end(how);
    const status = Number(this.#answered[':status'] ?? 0);
    if (status === 0 || (how === 'reset' && status === 200)) return lost(status);
    return this.#dialect.readWhole(status, this.#answered, Buffer.concat(this.#whole));
  }
}

/** The connection was lost before the answer, or inside it. */
function lost(status: number): Decoded {
  const message =
    status === 0 ? 'no answer came: the connection was lost or refused' : 'the answer broke off';
  return {
    response: { content: '', toolCalls: [], metadata: { stopReason: 'error' }, warnings: [] },
    error: { kind: 'connection', message, retryable: true },
  };
}
