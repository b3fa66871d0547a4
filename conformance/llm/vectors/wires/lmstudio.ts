/**
 * The messages of LM Studio's WebSocket in a prediction, for vectors. Source: spec/llm/README.md, "The dialects on the
 * wire".
 */
import { jsonOf } from '../../../../src/kit/base/index.ts';
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';

/** A message of the channel, in its envelope. */
const send = (message: JsonObject): JsonObject => ({ type: 'channelSend', channelId: 1, message });

const fragment = (content: string, reasoningType: string, isStructural: boolean): JsonObject =>
  send({
    type: 'fragment',
    fragment: { content, tokensCount: 1, containsDrafted: false, reasoningType, isStructural },
  });

/** Fragments of text. */
const says = (...pieces: readonly string[]): readonly JsonObject[] =>
  pieces.map((piece) => fragment(piece, 'none', false));

/** A thought between its tags. */
const thinks = (...pieces: readonly string[]): readonly JsonObject[] => [
  fragment('<think>', 'reasoningStartTag', true),
  ...pieces.map((piece) => fragment(piece, 'reasoning', false)),
  fragment('</think>', 'reasoningEndTag', true),
];

/** The start of a call, with its arguments in fragments, without its end. */
const begun = (id: string, name: string, ...pieces: readonly string[]): readonly JsonObject[] => [
  send({ type: 'toolCallGenerationStart', toolCallId: id }),
  send({ type: 'toolCallGenerationNameReceived', name }),
  ...pieces.map((content) => send({ type: 'toolCallGenerationArgumentFragmentGenerated', content })),
];

/** The end of a call, with the arguments as the server parsed them. */
const over = (id: string, name: string, input: Json): JsonObject =>
  send({
    type: 'toolCallGenerationEnd',
    toolCallRequest: { id, type: 'function', name, arguments: input },
  });

/** A whole call. Its joined fragments are the JSON text of its arguments. */
const tool = (id: string, name: string, ...pieces: readonly string[]): readonly JsonObject[] => [
  ...begun(id, name, ...pieces),
  over(id, name, jsonOf(pieces.join(''))),
];

/** The server could not parse the generated call. */
const failed = (rawContent: string): JsonObject =>
  send({
    type: 'toolCallGenerationFailed',
    error: { title: 'Failed to parse tool call', rootTitle: 'Failed to parse tool call', stack: '' },
    rawContent,
  });

/** The progress of processing the prompt, from 0 to 1. */
const progress = (part: number): JsonObject => send({ type: 'promptProcessingProgress', progress: part });

/** The end of a prediction. */
const end = (stopReason: string): readonly JsonObject[] => [
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
const error = (title: string): JsonObject => ({
  type: 'channelError',
  channelId: 1,
  error: { title, rootTitle: title, cause: 'unknown', stack: `Error: ${title}` },
});

/** A drawn generation in wire form. */
function wireOf({ text, calls, cut, outcome }: DrawnGeneration): readonly JsonObject[] {
  const words: Readonly<Record<string, string>> = {
    max_tokens: 'maxPredictedTokensReached',
    tool_use: 'toolCalls',
  };
  const parts = calls.map(({ id, name, pieces }, i) =>
    (cut && i === calls.length - 1 ? begun : tool)(id, name, ...pieces),
  );
  return [...says(...text), ...parts.flat(), ...end(words[outcome.stop] ?? 'eosFound')];
}

/** The messages with additional members. */
const extended = (messages: readonly JsonObject[], more: JsonObject): readonly JsonObject[] =>
  messages.flat().map((message) => ({ ...more, ...message }));

/** The wire form of LM Studio, for vectors. */
export const lmstudioWire: DialectWire = {
  builders: asBuilders({ send, says, thinks, begun, over, tool, failed, progress, end, error, extended }),
  wireOf,
  isMessages: true,
};
