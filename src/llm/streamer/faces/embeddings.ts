/** Embeddings: deterministic vectors of length 1. Equal texts have equal vectors, in every process. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** Dimensions where the request does not say them. */
const usual = 1536;
const most = 8192;

/**
 * The vector of a text.
 *
 * @example
 * vectorOf('a', 3).length; // 3
 * vectorOf('a', 3).join() === vectorOf('a', 3).join(); // true
 */
export function vectorOf(text: string, dimensions: number): readonly number[] {
  const next = numbers(text);
  const raw = Array.from({ length: dimensions }, next);
  const length = Math.hypot(...raw);
  return raw.map((x) => x / length);
}

/** A sequence of numbers from -1 to 1 that a text determines: FNV-1a, and xorshift from there. */
function numbers(text: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  state ||= 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 0x80000000;
  };
}

/** The texts of an input: a string, tokens, or a list of either. */
function textsOf(input: Json | undefined): readonly string[] {
  if (!isArray(input)) return [typeof input === 'string' ? input : JSON.stringify(input ?? '')];
  if (input.every((one) => typeof one === 'number')) return [JSON.stringify(input)];
  return input.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

const fieldsOf = (body: Json | undefined): JsonObject => (isObject(body) ? body : {});

const dimensionsOf = (value: Json | undefined): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, most) : usual;

/** The answer of `POST /v1/embeddings`; `encoding_format` is `float` or `base64`. */
export function openaiEmbeddings(body: Json | undefined, model: string, { count }: Tokenizer): JsonObject {
  const { input, dimensions, encoding_format: format } = fieldsOf(body);
  const texts = textsOf(input);
  const tokens = texts.reduce((sum, text) => sum + count(text), 0);
  return {
    object: 'list',
    data: texts.map((text, index) => {
      const vector = vectorOf(text, dimensionsOf(dimensions));
      const embedding: Json =
        format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** The answer of `POST /api/embed`. */
export function ollamaEmbed(body: Json | undefined, model: string, { count }: Tokenizer): JsonObject {
  const { input, dimensions } = fieldsOf(body);
  const texts = textsOf(input);
  return {
    model,
    embeddings: texts.map((text) => [...vectorOf(text, dimensionsOf(dimensions))]),
    total_duration: 1_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: texts.reduce((sum, text) => sum + count(text), 0),
  };
}

/** The answer of the older `POST /api/embeddings`, of one prompt. */
export const ollamaEmbedding = (body: Json | undefined): JsonObject => ({
  embedding: [...vectorOf(textsOf(fieldsOf(body)['prompt']).join(''), usual)],
});
