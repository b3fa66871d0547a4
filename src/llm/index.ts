/**
 * LLM: the streams of model providers in eight dialects (Anthropic, OpenAI Chat and Responses, Ollama, LM Studio, Gemini and its
 * Interactions, Bedrock), both ways: a simulated provider that plays a script, and a reference client that reads any provider's stream.
 * `wireproof/llm/simulate` puts the provider on a port; spec/llm/README.md is the protocol in a page.
 *
 * @example
 * import { script, streamer } from 'wireproof/llm';
 * import { seededRandom } from 'wireproof/kit';
 *
 * // A model that is cut by its limit in the middle of a tool call.
 * const cut = script().toolCall('write_file', { path: 'a.txt', text: 'long' }).cutAt({ json: 'inside-string' }).build();
 * streamer({ script: cut, random: seededRandom }).name; // 'llm/provider'
 */
export { ScriptBuilder, script } from './script/builder.ts';
export type { ErrorWords, ScriptOptions, TurnSettings, UsageWords } from './script/builder.ts';
export { ClientCall } from './client/call.ts';
export type { CallOptions, CallOutput } from './client/call.ts';
export { chunkCodec, clientRole } from './client/client.ts';
export type {
  Chunk,
  ClientMessage,
  ClientOptions,
  ClientParts,
  ClientRole,
  ClientState,
} from './client/client.ts';
export type { TurnJob } from './client/job.ts';
export { conversationOf, countingOf } from './client/wire.ts';
export { ResponsesConnection } from './dialects/openai-responses/socket-client.ts';
export type {
  LatestResponse,
  ResponsesConnectionOptions,
} from './dialects/openai-responses/socket-client.ts';
export type { Conversation, Converse, KeptConnection } from './dialects/shared/conversation.ts';
export { ClientTurn } from './client/turn.ts';
export type { AnsweringTool, TurnOptions, TurnResult } from './client/turn.ts';
export { dialectOf } from './dialects/index.ts';
export type { Dialect } from './dialects/shared/dialect.ts';
export {
  encodeMessage,
  eventMessageCodec,
  EventStreamReader,
  messageWords,
} from './dialects/event-stream/index.ts';
export type {
  CutMessage,
  EventHeader,
  EventItem,
  EventMessage,
  EventStreamFault,
  HeaderValue,
  MessageWords,
} from './dialects/event-stream/index.ts';
export { frameUnit } from './dialects/shared/frame.ts';
export { lmstudioClient } from './dialects/lmstudio/client.ts';
export type { LmClient, LmClientState } from './dialects/lmstudio/client.ts';
export { cutPositions, parameterBoundary } from './dialects/shared/json-scan.ts';
export { scriptPlayer } from './streamer/player.ts';
export { defaultRetries, retryDelay } from './client/retry.ts';
export type { RetryPolicy } from './client/retry.ts';
export { checkScript } from './script/check.ts';
export { scriptLimits } from './script/script.ts';
export type { Script } from './script/script.ts';
export { streamer } from './streamer/streamer.ts';
export type { StreamerRole } from './streamer/streamer.ts';
export { countPrompt, defaultTokenizer, virtualTokenizer } from './dialects/shared/tokenizer.ts';
export type { Tokenizer } from './dialects/shared/tokenizer.ts';
export { dialects, signals, transportEnds } from './messages.ts';
export type {
  Block,
  ClientError,
  Decoded,
  DialectName,
  GeneratedBlock,
  Generation,
  GenerationEnd,
  GenerationStep,
  LlmMessage,
  LlmRequest,
  LlmResponse,
  ProviderError,
  Renderer,
  ResponseDecoder,
  ResponseEvent,
  Signal,
  Thinking,
  ToolSpec,
  TransportEnd,
  Unit,
  Variants,
} from './messages.ts';
export { KnownResponses, continuedInput, itemsOf } from './dialects/openai-responses/socket-memory.ts';
export type { KnownResponse } from './dialects/openai-responses/socket-memory.ts';
export {
  ResponseWrite as Sent,
  requestBodyCodec as askedCodec,
  responseWriteCodec as sentCodec,
} from './dialects/shared/units.ts';
export type { RequestBody as Asked } from './dialects/shared/units.ts';
