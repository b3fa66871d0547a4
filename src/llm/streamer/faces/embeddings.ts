/**
 * Embeddings: deterministic vectors of length 1. Equal texts have equal vectors, in every process. An answer is far larger
 * than its request, so it is made vector by vector, as its client reads.
 */
import { isArray, isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { Tokenizer } from '../../dialects/shared/tokenizer.ts';

/** Dimensions where the request does not say them. */
const usual = 1536;
/** The most dimensions; a request for more gets this number. */
const mostDimensions = 8192;
/** The most texts of a request (OpenAI, "Create embeddings": "any array must be 2048 dimensions or less"). */
export const mostTexts = 2048;
/** The most numbers of an answer: those of the most texts at 3,072 dimensions, the most of OpenAI's models. */
export const mostNumbers: number = mostTexts * 3072;

/** The body of an answer in pieces, each made when it is asked for; or the sentence that refuses the request. */
export type Embeddings = Result<Iterable<string>, string>;

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
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, mostDimensions) : usual;

/** The reason why an answer would be too large. */
function tooLarge(texts: number, dimensions: number, field = 'input'): string | undefined {
  const cure = 'send fewer texts in one request';
  if (texts > mostTexts) return `${field}: expected at most ${mostTexts} texts; came ${texts}: ${cure}`;
  const wanted = texts * dimensions;
  return wanted > mostNumbers
    ? `${field}: expected an answer of at most ${mostNumbers} numbers; came ${texts} texts of ${dimensions} dimensions, which are ${wanted}: ${cure}`
    : undefined;
}

/** What is asked: the texts, and their number of dimensions. */
function asked(
  body: Json | undefined,
): Result<{ readonly texts: readonly string[]; readonly dimensions: number }, string> {
  const { input, dimensions: wanted } = fieldsOf(body);
  const dimensions = dimensionsOf(wanted);
  // Tokens are one text.
  const count = isArray(input) && input.some((one) => typeof one !== 'number') ? input.length : 1;
  const refusal = tooLarge(count, dimensions);
  return refusal === undefined ? ok({ texts: textsOf(input), dimensions }) : refuse(refusal);
}

const tokensOf = (texts: readonly string[], { count }: Tokenizer): number =>
  texts.reduce((sum, text) => sum + count(text), 0);

/** A JSON object in pieces: a list under `name` whose items are made one at a time, between other members. */
function* listed(
  before: JsonObject,
  name: string,
  items: Iterable<Json>,
  after: JsonObject,
): Generator<string> {
  yield `${JSON.stringify(before).slice(0, -1)}${Object.keys(before).length > 0 ? ',' : ''}"${name}":[`;
  let comma = '';
  for (const item of items) {
    yield comma + JSON.stringify(item);
    comma = ',';
  }
  yield `]${Object.keys(after).length > 0 ? ',' : ''}${JSON.stringify(after).slice(1)}`;
}

/** The answer of `POST /v1/embeddings`; `encoding_format` is `float` or `base64`. */
export function openaiEmbeddings(body: Json | undefined, model: string, tokenizer: Tokenizer): Embeddings {
  const read = asked(body);
  if (!read.ok) return read;
  const { texts, dimensions } = read.value;
  const isBase64 = fieldsOf(body)['encoding_format'] === 'base64';
  const tokens = tokensOf(texts, tokenizer);
  const after = { model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  return ok(listed({ object: 'list' }, 'data', openaiItems(texts, dimensions, isBase64), after));
}

function* openaiItems(texts: readonly string[], dimensions: number, isBase64: boolean): Generator<Json> {
  for (const [index, text] of texts.entries()) {
    const vector = vectorOf(text, dimensions);
    const embedding = isBase64
      ? Buffer.from(Float32Array.from(vector).buffer).toString('base64')
      : [...vector];
    yield { object: 'embedding', index, embedding };
  }
}

/** The answer of `POST /api/embed`. */
export function ollamaEmbed(body: Json | undefined, model: string, tokenizer: Tokenizer): Embeddings {
  const read = asked(body);
  if (!read.ok) return read;
  const { texts, dimensions } = read.value;
  const after = {
    total_duration: 1_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: tokensOf(texts, tokenizer),
  };
  return ok(listed({ model }, 'embeddings', vectorsOf(texts, dimensions), after));
}

function* vectorsOf(texts: readonly string[], dimensions: number): Generator<Json> {
  for (const text of texts) yield [...vectorOf(text, dimensions)];
}

/**
 * The answer of Gemini's `:batchEmbedContents`: a list of requests, each with a content and its number of dimensions. The
 * bounds are those of the other routes.
 */
export function geminiBatchEmbed(body: Json | undefined): Embeddings {
  const { requests } = fieldsOf(body);
  if (!isArray(requests) || requests.length === 0)
    return refuse('* BatchEmbedContentsRequest.requests: requests must not be empty');
  const list = requests.map(geminiAsked);
  const wanted = list.reduce((sum, { dimensions }) => sum + dimensions, 0);
  const refusal = tooLarge(list.length, Math.ceil(wanted / list.length), 'requests');
  return refusal === undefined ? ok(listed({}, 'embeddings', geminiItems(list), {})) : refuse(refusal);
}

/** The answer of Gemini's `:embedContent`. */
export const geminiEmbed = (body: Json | undefined): JsonObject => {
  const { text, dimensions } = geminiAsked(body);
  return { embedding: { values: [...vectorOf(text, dimensions)] } };
};

/** What one request asks: the text of its content, and the number of dimensions. */
interface GeminiAsked {
  readonly text: string;
  readonly dimensions: number;
}

function geminiAsked(request: Json | undefined): GeminiAsked {
  const { content, outputDimensionality: wanted } = fieldsOf(request);
  const { parts } = fieldsOf(content);
  const texts = (isArray(parts) ? parts : []).map((part) => fieldsOf(part)['text']);
  return {
    text: texts.filter((text) => typeof text === 'string').join(''),
    dimensions: dimensionsOf(wanted),
  };
}

function* geminiItems(list: readonly GeminiAsked[]): Generator<Json> {
  for (const { text, dimensions } of list) yield { values: [...vectorOf(text, dimensions)] };
}

/** The answer of the older `POST /api/embeddings`, of one prompt. */
export const ollamaEmbedding = (body: Json | undefined): JsonObject => ({
  embedding: [...vectorOf(textsOf(fieldsOf(body)['prompt']).join(''), usual)],
});
