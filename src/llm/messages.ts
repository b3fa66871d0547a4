/**
 * The provider-neutral words of the LLM room: a request, its generation step by step, and the response as a client
 * decodes it. The dialects translate to and from these.
 */
import type {
  Json,
  JsonObject,
  ProviderMessage,
  ProviderResponse,
  StopReason,
  ToolCall,
  Usage,
} from '../kit/base/index.ts';
import type { GeneratedBlock } from './blocks.ts';

export type { Block, BlockKind, Citation, GeneratedBlock } from './blocks.ts';

/** The dialects. `lmstudio` is its native WebSocket protocol; its REST routes speak the other dialects. */
export const dialects = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'ollama',
  'lmstudio',
  'gemini',
  'bedrock',
  'gemini-interactions',
] as const;

/** One of {@link dialects}. */
export type DialectName = (typeof dialects)[number];

/** A tool that a request offers to the model. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments; `{}` for a custom tool. */
  readonly inputSchema: JsonObject;
  /** Whether it is a custom tool, whose calls have free text as arguments: OpenAI alone has such tools. */
  readonly custom?: true;
  /** The form of a custom tool's text: `{type: text}`, or a grammar. */
  readonly format?: JsonObject;
  /**
   * Send its arguments as they are generated: Anthropic's `eager_input_streaming`, and Gemini's
   * `streamFunctionCallArguments`, which is for all tools of a request.
   */
  readonly eager?: boolean;
  /** Whether the provider promises that the arguments fit the schema. */
  readonly strict?: true;
}

/** A model's thought, with the signature by which the provider recognizes it. */
export interface Thinking {
  readonly text: string;
  readonly signature?: string;
  /** The encrypted text of a thought that the provider does not show (Anthropic's `redacted_thinking`); `text` is empty. */
  readonly redacted?: string;
  /** The thought as OpenRouter has it, `reasoning_details`: it goes back unchanged, in the place of the other members. */
  readonly details?: readonly JsonObject[];
}

/** One message of a conversation. `thinking` is the assistant's, in its original order. */
export interface LlmMessage extends ProviderMessage {
  readonly thinking?: readonly Thinking[];
  /**
   * The assistant's blocks, items or parts, as its dialect has them, where some of them are the provider's own. Its dialect
   * sends them in the place of `content`, `thinking` and `toolCalls`.
   */
  readonly blocks?: readonly JsonObject[];
  /** Whether it also has other parts, such as images. Their content is not kept. */
  readonly otherParts?: true;
}

/** A request for a generation. */
export interface LlmRequest {
  readonly dialect: DialectName;
  /** The route that shares the words of a dialect: `openai-completions`, `ollama-generate`. */
  readonly face?: string;
  readonly model: string;
  /** System text; messages of role `system` may be in `messages` as well. */
  readonly system?: string;
  /** Tool results are in messages of role `user`, as `toolResults`, in every dialect. */
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly ToolSpec[];
  /** Most output tokens; absent: no limit. */
  readonly maxTokens?: number;
  readonly stream: boolean;
  /** OpenAI chat's `stream_options.include_usage`; true in dialects that always send their usage. */
  readonly includeUsage: boolean;
  readonly stopSequences?: readonly string[];
  /** False: the request turns off OpenAI's padding of deltas (`stream_options.include_obfuscation`). */
  readonly obfuscation?: false;
  /** Whether earlier messages are at the server (Responses' `previous_response_id` and `conversation`). */
  readonly continued?: true;
  /** Names of unknown fields in the request; for logs. */
  readonly unknown?: readonly string[];
}

/** One step of a generation. Only one block is open at a time. */
export type GenerationStep =
  | { readonly do: 'open' | 'close'; readonly block: GeneratedBlock }
  /** More of the open block's text; never empty. */
  | { readonly do: 'piece'; readonly block: GeneratedBlock; readonly text: string }
  /** A pause of this length (ms, virtual or real). */
  | { readonly do: 'wait'; readonly ms: number }
  /** Holds until the barrier of this name is released. */
  | { readonly do: 'barrier'; readonly name: string }
  /** A ping where the dialect has one (Anthropic), else a comment where the framing has comments, else nothing. */
  | { readonly do: 'ping' }
  /** A comment where the framing has comments (SSE), else nothing. */
  | { readonly do: 'comment'; readonly text: string };

/** The stop signal: the truth; tool use in any case; none at all; or two different reasons. */
export const signals = ['honest', 'lying', 'missing', 'contradictory'] as const;

/** One of {@link signals}. */
export type Signal = (typeof signals)[number];

/** How the response ends on the transport: in order, with a reset after everything was flushed, or never. */
export const transportEnds = ['clean', 'reset', 'stall'] as const;

/** One of {@link transportEnds}. */
export type TransportEnd = (typeof transportEnds)[number];

/** A provider's error. */
export interface ProviderError {
  /**
   * A neutral word: `overloaded`, `rate_limit`, `invalid_request`, `context_overflow`, `authentication`, `not_found`,
   * `server`, or a dialect's own.
   */
  readonly type: string;
  readonly message: string;
  /** HTTP status, 400 to 599, for an error before the stream. */
  readonly status?: number;
  /** Seconds for `retry-after`. */
  readonly retryAfter?: number;
  /** Milliseconds for `retry-after-ms`. */
  readonly retryAfterMs?: number;
  /** `x-should-retry`. */
  readonly shouldRetry?: boolean;
  /** Further facts for programs, in some dialects. */
  readonly details?: JsonObject;
}

/** How a generation ends. */
export interface GenerationEnd {
  /** The true reason. */
  readonly stop: StopReason;
  /** The stop sequence that was hit, when `stop` is `stop_sequence`. */
  readonly stopSequence?: string;
  readonly signal: Signal;
  readonly transport: TransportEnd;
  readonly usage: Usage;
  /** Whether the last block is a tool call that was cut. */
  readonly cutCall: boolean;
  /** An error in mid-stream, instead of a stop. */
  readonly error?: ProviderError;
  /** Further members of the end, with the names of a whole answer of the dialect. `usage` joins the counts. */
  readonly more?: JsonObject;
}

/** The answer to one request. */
export interface Generation {
  /** Its blocks, known before anything is sent. */
  readonly blocks: readonly GeneratedBlock[];
  /** Its steps, made as they are taken, so that an abort stops the generating. Each iteration gives the same steps. */
  readonly steps: Iterable<GenerationStep>;
  /** Known before the first step: some renderers say the usage at the start. */
  readonly end: GenerationEnd;
}

/** Choices where a dialect behaves in several ways, all of them seen in the field. Defaults come first. */
export interface Variants {
  /** What Ollama does with a cut call: see llm.md, Ollama (d). */
  readonly ollama?: 'dropped' | 'leaked' | 'flushed' | 'error-line' | 'error-500';
  /** LM Studio's message for a cut call before `success`: nothing, or `toolCallGenerationFailed`. */
  readonly lmstudio?: 'nothing' | 'failed';
  /** Whether Anthropic sends a ping after `message_start`; default true. */
  readonly startPing?: boolean;
  /** Whether Anthropic closes the block that was cut. */
  readonly blockStop?: boolean;
  /** Whether OpenAI Responses sends `function_call_arguments.done` for a cut call. */
  readonly argumentsDone?: boolean;
  /** The status of a cut item in OpenAI Responses. */
  readonly itemStatus?: 'incomplete' | 'in_progress';
  /** OpenAI Responses' error in mid-stream; both: a nested `error`, then `response.failed`, which are one end. */
  readonly responsesError?: 'both' | 'flat' | 'nested' | 'failed';
  /** Where OpenAI chat compatibles put thoughts; the official API puts them nowhere. */
  readonly reasoning?: 'none' | 'reasoning_content' | 'reasoning';
  /** Whose Chat Completions it is. */
  readonly chat?: ChatProvider;
  /** Chat's error in mid-stream; default: that of the provider. */
  readonly chatError?: ChatError;
  /** OpenAI's random padding of deltas; default true. */
  readonly obfuscation?: boolean;
  /** Interleave the pieces of parallel tool calls (OpenAI chat, Anthropic); only the index distinguishes them. */
  readonly interleaved?: boolean;
  /** The parts of an answer that are in one unit; default: each in its own. */
  readonly joined?: readonly Joined[];
  /**
   * How usage is sent. `output`: without input counts (Anthropic's `message_delta`; Ollama, whose prompt is in its cache);
   * `finish`: on the chunk with the finish reason (Chat: DeepSeek, OpenRouter).
   */
  readonly usage?: 'full' | 'output' | 'finish';
  /** Whether Gemini's calls have ids; default true. */
  readonly callIds?: boolean;
  /** Anthropic: a `message_delta` with usage alone comes before the one with the stop reason. */
  readonly twoMessageDeltas?: boolean;
  /** Bedrock: which checksum of the message with the stop reason is wrong; default: none. */
  readonly checksum?: Checksum;
  /** The specification that OpenAI Responses follows: thoughts come as `response.reasoning.delta`, and `[DONE]` ends a stream. */
  readonly profile?: 'open-responses';
}

/** Providers of Chat Completions with members and chunks of their own. `azure-async`: Azure with its asynchronous filter. */
export const chatProviders = ['openai', 'azure', 'azure-async', 'openrouter', 'mistral'] as const;

/** One of {@link chatProviders}. */
export type ChatProvider = (typeof chatProviders)[number];

/**
 * An error of Chat in mid-stream. `object`: the error alone (OpenAI, Azure); `choice`: beside a choice with the finish reason
 * `error`, and `empty`: beside no choice (OpenRouter); `word`: the finish reason `error` alone (Mistral, vLLM).
 */
export type ChatError = 'object' | 'choice' | 'empty' | 'word';

/** The checksums of a message of an event stream: of both lengths, or of all. */
export type Checksum = 'prelude' | 'message';

/**
 * What stands in one unit, where a server sends it so. `finish`: the last content beside the stop word (Chat, Ollama);
 * `arguments`: the arguments of a call begin in its first delta (Chat); `call`: text next to a call (Chat, Ollama); `calls`:
 * calls come whole, several in one (Chat, Ollama), or without pieces before (Responses, LM Studio, Interactions).
 * `start`: the first text of a step stands in its start (Interactions).
 */
export type Joined = 'finish' | 'arguments' | 'call' | 'calls' | 'start';

/** The facts that renderers need besides the blocks. */
export interface RenderContext {
  readonly request: LlmRequest;
  /** The blocks of the generation, where they are known: Chat's first chunk depends on them. */
  readonly blocks?: readonly GeneratedBlock[];
  readonly end: GenerationEnd;
  readonly variants: Variants;
  /** Unix ms at which the response began. */
  readonly now: number;
  /** A fresh seeded id with this prefix, such as `msg_`; the same seed gives the same ids. */
  readonly id: (prefix: string) => string;
}

/**
 * One unit of a response on the wire: an SSE event, a line of NDJSON, a message of a WebSocket or of an event stream, or a
 * whole JSON body. `event` is SSE's event name, or the type of an event stream's event or exception. A `data` that is a string goes out as it is (`[DONE]`).
 */
export interface Unit {
  readonly event?: string;
  readonly data: Json;
  /** The result of JSON.stringify for `data`, where the renderer has it already. */
  readonly json?: string;
  /** The event as SSE with LF, where the renderer has it already; for other framings `json` has the data. */
  readonly sse?: string;
  /** A comment of SSE instead of an event; `data` is then its text. */
  readonly comment?: true;
  /** The checksum that goes out wrong, in an event stream. */
  readonly wrong?: Checksum;
}

/** Turns a generation into a dialect's units, step by step. */
export interface Renderer {
  /** The units before any content. */
  begin(): readonly Unit[];
  /** A block begins. */
  open(block: GeneratedBlock): readonly Unit[];
  /** More text of the open block. */
  piece(text: string, block: GeneratedBlock): readonly Unit[];
  /** The same as the text of SSE: one unit, or '' for no unit. Faster, where units are joined and nobody reads them. */
  pieceText?(text: string, block: GeneratedBlock): string;
  /** The open block is over, or cut. */
  close(block: GeneratedBlock): readonly Unit[];
  /** The units after the last block: the terminal, the error, or nothing where the signal is missing. */
  end(): readonly Unit[];
}

/** How units become bytes. */
export type Framing = 'sse' | 'ndjson' | 'json' | 'message' | 'eventstream';

/** A failure, as a client sees it. */
export interface ClientError {
  readonly kind:
    /** The provider sent an error, before or in the stream. */
    | 'provider'
    /** The body ended without the dialect's terminal (LLM-C06). */
    | 'truncated-stream'
    /** The connection was lost. */
    | 'connection'
    /** Refuses bytes that are not a response of the dialect. */
    | 'protocol'
    | 'timeout'
    | 'aborted';
  readonly message: string;
  readonly status?: number;
  readonly type?: string;
  /** Milliseconds to wait before the next attempt, as the provider asks. */
  readonly retryAfterMs?: number;
  /** Whether another attempt may help, by the provider's hint or the status. */
  readonly retryable: boolean;
}

/** A decoded response. With an `error`, `response` holds everything before it, and no call of it must run. */
export interface Decoded {
  readonly response: LlmResponse;
  readonly error?: ClientError;
}

/** A {@link ProviderResponse} with the thoughts, which the next request needs, and warnings. */
export interface LlmResponse extends ProviderResponse {
  readonly thinking?: readonly Thinking[];
  /**
   * The blocks, items or parts of the answer, as its dialect has them, where some of them are the provider's own: the next
   * request has them as they came. Texts and calls are among them; calls that are refused or cut are not.
   */
  readonly blocks?: readonly JsonObject[];
  /** Ids of calls whose input `{}` came as no text. If the tool requires members, such a call was cut: do not run it. */
  readonly emptyCalls?: readonly string[];
  /** Tolerated faults: unknown stop reasons, arguments that are not an object, and so on. */
  readonly warnings: readonly string[];
}

/** An event of a response, while its bytes arrive. */
export type ResponseEvent =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | ({ readonly type: 'tool_start' } & Omit<ToolCall, 'input'>)
  | { readonly type: 'tool_input'; readonly id: string; readonly partial: string }
  /** A call is whole: its arguments parsed to an object, or are free text. It may run only if the response ends well. */
  | ({ readonly type: 'tool_call' } & ToolCall)
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'error'; readonly error: ClientError }
  | { readonly type: 'warning'; readonly message: string };

/**
 * Decodes one streamed response. Any chunking of the same bytes gives the same result, and events that join to the
 * same. Never throws; cost linear in the input; memory bounded by its limits.
 */
export interface ResponseDecoder {
  /** Takes the next bytes of the body, or one message of a WebSocket. */
  push(chunk: Uint8Array): readonly ResponseEvent[];
  /** Ends the body, in order or by a reset. May be called at any time, once. */
  end(how: 'clean' | 'reset'): Decoded;
  /** Whether the dialect's terminal or an error has come: the decoder needs no more bytes. */
  readonly done: boolean;
  /** The dialect's stop word as received, for reports. */
  readonly rawStop?: string | undefined;
}

/** The largest sizes that a decoder accepts. */
export interface DecoderLimits {
  /** Bytes of one event or line; default 1 MiB. */
  readonly event: number;
  /** Characters of text, thoughts and arguments together; default 16 Mi. */
  readonly response: number;
}

/** Why a request is refused, with the place in its body. */
export interface Refused {
  readonly error: ProviderError;
  /** Such as `messages[2].content`. */
  readonly path: string;
  /** The request, as far as it could be read: for whoever looks for it in a recording. */
  readonly read?: LlmRequest;
}
