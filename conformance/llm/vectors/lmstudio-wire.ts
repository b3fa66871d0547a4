/** The messages of LM Studio's WebSocket in a prediction: what the cases are made of. Source: spec/llm/README.md, "The dialects on the wire". */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';

/** A message of the channel, in its envelope. */
export const send = (message: JsonObject): JsonObject => ({ type: 'channelSend', channelId: 1, message });

const fragment = (content: string, reasoningType: string, isStructural: boolean): JsonObject =>
  send({
    type: 'fragment',
    fragment: { content, tokensCount: 1, containsDrafted: false, reasoningType, isStructural },
  });

/** Fragments of text. */
export const says = (...pieces: readonly string[]): readonly JsonObject[] =>
  pieces.map((piece) => fragment(piece, 'none', false));

/** A thought between its tags. */
export const thinks = (...pieces: readonly string[]): readonly JsonObject[] => [
  fragment('<think>', 'reasoningStartTag', true),
  ...pieces.map((piece) => fragment(piece, 'reasoning', false)),
  fragment('</think>', 'reasoningEndTag', true),
];

/** A call begins, and its arguments come in fragments; it is not over. */
export const begun = (id: string, name: string, ...pieces: readonly string[]): readonly JsonObject[] => [
  send({ type: 'toolCallGenerationStart', toolCallId: id }),
  send({ type: 'toolCallGenerationNameReceived', name }),
  ...pieces.map((content) => send({ type: 'toolCallGenerationArgumentFragmentGenerated', content })),
];

/** A call is over, with the arguments as the server understood them. */
export const over = (id: string, name: string, input: Json): JsonObject =>
  send({
    type: 'toolCallGenerationEnd',
    toolCallRequest: { id, type: 'function', name, arguments: input },
  });

/** A whole call; its fragments, joined, are JSON text of its arguments. */
export const tool = (id: string, name: string, ...pieces: readonly string[]): readonly JsonObject[] => [
  ...begun(id, name, ...pieces),
  over(id, name, JSON.parse(pieces.join('')) as Json),
];

/** The server could not make a call of what was generated. */
export const failed = (rawContent: string): JsonObject =>
  send({
    type: 'toolCallGenerationFailed',
    error: { title: 'Failed to parse tool call', rootTitle: 'Failed to parse tool call', stack: '' },
    rawContent,
  });

/** How the prompt is processed, from 0 to 1. */
export const progress = (part: number): JsonObject =>
  send({ type: 'promptProcessingProgress', progress: part });

/** The end of a prediction. */
export const end = (stopReason: string): readonly JsonObject[] => [
  send({
    type: 'success',
    stats: {
      stopReason,
      promptTokensCount: 20,
      predictedTokensCount: 8,
      totalTokensCount: 28,
      tokensPerSecond: 50.5,
      timeToFirstTokenSec: 0.25,
    },
    modelInfo: { identifier: 'qwen3', modelKey: 'qwen3' },
    loadModelConfig: { fields: [] },
    predictionConfig: { fields: [] },
  }),
  { type: 'channelClose', channelId: 1 },
];

/** The channel ends with an error. */
export const error = (title: string): JsonObject => ({
  type: 'channelError',
  channelId: 1,
  error: { title, rootTitle: title, cause: 'unknown', stack: `Error: ${title}` },
});
