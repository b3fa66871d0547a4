/**
 * The interface of a dialect: the request and the response, both ways, between the neutral words of `messages.ts` and
 * one provider's wire.
 */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { Converse } from './conversation.ts';
import type {
  Decoded,
  DecoderLimits,
  DialectName,
  Framing,
  Generation,
  LlmRequest,
  ProviderError,
  Refused,
  RenderContext,
  Renderer,
  ResponseDecoder,
  ToolSpec,
  Unit,
} from '../../messages.ts';
import type { GivenWords } from './body-reader.ts';

/** Header fields of a request or a response: names in lower case. */
export type HeaderFields = { readonly [name: string]: string };

/** A request as it goes on the wire: a POST of `body`. */
export interface WireRequest {
  /** Such as `/v1/messages`; the first of the dialect's own. */
  readonly path: string;
  /** The dialect's header fields besides `content-type: application/json`. The client adds credentials. */
  readonly headers: HeaderFields;
  readonly body: JsonObject;
}

/** A response that is not streamed. */
export interface WholeResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  readonly headers?: HeaderFields;
  readonly body: Json;
}

/** An error that comes instead of a stream. */
export interface ErrorResponse {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** The dialect's hints for retrying and its request id. */
  readonly headers: HeaderFields;
  readonly body: JsonObject;
}

/** A fixed answer of a dialect's API, such as a list of models. */
export interface FixedAnswer {
  readonly method: 'GET' | 'POST';
  /** A `*` at the end stands for one more part of the path. */
  readonly path: string;
  /** Only requests with this header field, where two dialects share the path. */
  readonly header?: string;
  /** The answer where the model has this name: JSON, or plain text. */
  readonly answer: (model: string) => JsonObject | string;
}

/** What requests of a dialect can express; for generators of requests. */
export interface RequestFeatures {
  /** How thoughts go back to the model: with their signature, as one text, or not at all. */
  readonly thoughts: 'signed' | 'text' | 'none';
  /** Whether a tool's result can be marked as an error. */
  readonly toolErrors: boolean;
  /** Whether a tool can ask for its arguments without delay; `all`: only all tools of a request together. */
  readonly eagerTools: boolean | 'all';
  readonly stopSequences: boolean;
  /** Whether a request must have an output limit. */
  readonly needsLimit: boolean;
  /** Whether a response can come whole, and not only as a stream. */
  readonly whole: boolean;
  /** Whether answers have calls that the provider executes itself, and thoughts that it does not show. */
  readonly serverTools: boolean;
  /** Whether answers have thoughts that it does not show, without calls that it executes itself. */
  readonly hiddenThoughts?: true;
  /** Whether it has custom tools, whose calls have free text as arguments. */
  readonly customTools: boolean;
  /** Whether calls have a signature that goes back with them. */
  readonly signedCalls?: true;
  /** Whether a conversation with calls must name its tools. */
  readonly namesTools?: true;
  /** Whether the usage of a stream comes only where the request asks for it. */
  readonly optionalUsage: boolean;
}

/** One dialect: pure functions, and machines that keep the state of one response. */
export interface Dialect {
  readonly name: DialectName;
  /** How the units of a streamed response become bytes. */
  readonly framing: Framing;
  /** The content type of streamed responses. */
  readonly contentType: string;
  /** Further header fields of an answer with status 200, of the request with this id. Absent: there are none. */
  readonly headers?: (id: string) => HeaderFields;
  /** The paths of its generations, by POST. */
  readonly paths: readonly string[];
  /** The paths of its generations, where a list cannot say them: the model is in the path. */
  readonly pattern?: RegExp;
  /** The fixed answers of its API. */
  readonly fixed: readonly FixedAnswer[];
  /** How the ids of calls begin. */
  readonly callIdPrefix: string;
  readonly features: RequestFeatures;
  /**
   * Reads a request, as lenient and as strict as the provider; `path`, also with its query, matters where the dialect has
   * several. `given`: the ids and names that the provider gave itself.
   */
  readonly readRequest: (
    body: Json,
    headers: HeaderFields,
    path?: string,
    given?: GivenWords,
  ) => Result<LlmRequest, Refused>;
  /** The refusal of a body whose bytes are no UTF-8; absent: the provider reads them as U+FFFD. */
  readonly badBytes?: string;
  /** Writes a request: {@link Dialect.readRequest} reads it back, as far as the dialect can say it. */
  readonly writeRequest: (request: LlmRequest) => WireRequest;
  /** Renders one streamed response; a renderer serves one generation. */
  readonly renderer: (context: RenderContext) => Renderer;
  /** Its ping; absent: the dialect has no ping. */
  readonly ping?: Unit;
  /**
   * How much of a cut call's arguments a client gets to see: a UTF-16 offset up to `end`, where the generation is cut.
   * Absent: everything up to `end`.
   */
  readonly visibleArguments?: (json: string, end: number, tool: ToolSpec | undefined) => number;
  /** Renders a response that is not streamed. */
  readonly whole: (generation: Generation, context: RenderContext) => WholeResponse;
  /** The error that a variant of the dialect sends instead of a stream. */
  readonly instead?: (generation: Generation, context: RenderContext) => ErrorResponse | undefined;
  /** An error before any stream; `id` is that of the request, where the dialect shows one. */
  readonly errorBody: (error: ProviderError, id: string) => ErrorResponse;
  /** Decodes one streamed response. */
  readonly decoder: (limits?: Partial<DecoderLimits>) => ResponseDecoder;
  /** Decodes a response that is not streamed: an answer, or an error by its status. */
  readonly readWhole: (status: number, headers: HeaderFields, body: Uint8Array) => Decoded;
  /** Begins a client's exchange, where it is not on HTTP. */
  readonly converse?: Converse;
  /** The counting endpoint; absent: the dialect has no such endpoint. */
  readonly count?: {
    /** A `*` stands for the name of the model. */
    readonly path: string;
    /** The path for a request, where the path names the model. */
    readonly pathOf?: (request: LlmRequest) => string;
    /** The paths that it takes, where the path names the model. */
    readonly pattern?: RegExp;
    /** The body that asks for the count of a request's prompt. */
    readonly body: (request: LlmRequest) => JsonObject;
    /** Its answer for this many prompt tokens. */
    readonly answer: (tokens: number) => JsonObject;
  };
  /** Begins a client's exchange that counts, where it is not a POST to {@link Dialect.count}. */
  readonly converseCount?: Converse;
}
