/**
 * What every dialect gives: the request and the response, both ways, between the neutral words of `types.ts` and
 * one provider's wire.
 */
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
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
} from '../../messages.ts';

/** Header fields of a request or a response: names in lower case. */
export type HeaderFields = { readonly [name: string]: string };

/** A request as it goes on the wire: a POST of `body`. */
export interface WireRequest {
  /** Such as `/v1/messages`; the first of the dialect's own. */
  readonly path: string;
  /** What the dialect wants beside `content-type: application/json`; credentials are the client's to add. */
  readonly headers: HeaderFields;
  readonly body: JsonObject;
}

/** A response that is no stream. */
export interface WholeResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
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

/** One dialect: pure functions, and machines that keep the state of one response. */
export interface Dialect {
  readonly name: DialectName;
  /** How the units of a streamed response become bytes. */
  readonly framing: Framing;
  /** The content type of streamed responses. */
  readonly contentType: string;
  /** Reads a request, as lenient and as strict as the provider; `path` matters where the dialect has several. */
  readonly readRequest: (body: Json, headers: HeaderFields, path?: string) => Result<LlmRequest, Refused>;
  /** Writes a request: what {@link Dialect.readRequest} reads back, as far as the dialect can say it. */
  readonly writeRequest: (request: LlmRequest) => WireRequest;
  /** Renders one streamed response; a renderer serves one generation. */
  readonly renderer: (context: RenderContext) => Renderer;
  /** Renders a response that is not streamed; runs the generation to its end. */
  readonly whole: (generation: Generation, context: RenderContext) => WholeResponse;
  /**
   * The error that comes instead of a stream, where a variant of the dialect finds out that nothing can be sent at all;
   * runs the generation to its end. Absent: the dialect has no such variant.
   */
  readonly instead?: (generation: Generation, context: RenderContext) => ErrorResponse | undefined;
  /** An error that comes before any stream; `id` is that of the request, where the dialect shows one. */
  readonly errorBody: (error: ProviderError, id: string) => ErrorResponse;
  /** Decodes one streamed response. */
  readonly decoder: (limits?: Partial<DecoderLimits>) => ResponseDecoder;
  /** Decodes a response that is no stream: an answer, or an error by its status. */
  readonly readWhole: (status: number, headers: HeaderFields, body: Uint8Array) => Decoded;
  /** The counting endpoint, where there is one. */
  readonly count?: {
    readonly path: string;
    /** Its answer for so many prompt tokens. */
    readonly answer: (tokens: number) => JsonObject;
  };
}
