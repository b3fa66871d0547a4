/** Gemini's stream as text, chunk by chunk, for vectors. Source: spec/llm/README.md, "The dialects on the wire". */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** An event with this JSON text. */
const data = (json: string): string => `data: ${json}\n\n`;

const tail = '"modelVersion":"gemini-3-pro","responseId":"r1"';

/** Counts so far, as JSON text. */
const soFar = '{"promptTokenCount":20,"totalTokenCount":20}';

/** A chunk. `parts`, the members after them, and `usage` are JSON text. */
const chunk = (parts: string, more = '', usage: string = soFar): string =>
  data(
    `{"candidates":[{"content":{"parts":[${parts}],"role":"model"},${more}"index":0}],"usageMetadata":${usage},${tail}}`,
  );

/** Chunks of text. */
const says = (...pieces: readonly string[]): string =>
  pieces.map((piece) => chunk(`{"text":${JSON.stringify(piece)}}`)).join('');

/** Chunks of a thought. */
const thinks = (...pieces: readonly string[]): string =>
  pieces.map((piece) => chunk(`{"text":${JSON.stringify(piece)},"thought":true}`)).join('');

/** A part with a whole call. `args` is JSON text. */
const callPart = (id: string, name: string, args: string): string =>
  `{"functionCall":{"id":"${id}","name":"${name}","args":${args}}}`;

/** A chunk with a whole call. */
const call = (id: string, name: string, args: string): string => chunk(callPart(id, name, args));

/** A chunk with the start of a call whose arguments come by path. */
const begun = (id: string, name: string): string =>
  chunk(`{"functionCall":{"id":"${id}","name":"${name}","willContinue":true}}`);

/** A chunk with partial arguments, as JSON text. */
const partial = (entries: string, continues = 'true'): string =>
  chunk(`{"functionCall":{"partialArgs":[${entries}],"willContinue":${continues}}}`);

/** A chunk with a text of a path, of which more may follow. */
const text = (path: string, value: string, continues = false): string =>
  partial(
    `{"jsonPath":${JSON.stringify(path)},"stringValue":${JSON.stringify(value)}${continues ? ',"willContinue":true' : ''}}`,
  );

/** The chunk that ends a call whose arguments come by path. */
const over: string = chunk('{"functionCall":{}}');

const counts = '{"promptTokenCount":20,"candidatesTokenCount":8,"totalTokenCount":28}';

/** The last chunk, with its finish reason and counts. */
const end = (word: string, usage: string = counts): string =>
  chunk('{"text":""}', `"finishReason":"${word}",`, usage);

/** A prompt that is blocked. */
const blocked = (word: string): string =>
  data(`{"promptFeedback":{"blockReason":"${word}"},"usageMetadata":{"promptTokenCount":20},${tail}}`);

/** An error in mid-stream, as JSON text. */
const error = (json: string): string => data(`{"error":${json}}`);

/** A drawn generation in wire form. A cut call is dropped. */
const wireOf = ({ text: pieces, calls, cut, outcome }: DrawnGeneration): string =>
  says(...pieces) +
  (cut ? calls.slice(0, -1) : calls)
    .map(({ id, name, input }) => call(id, name, JSON.stringify(input)))
    .join('') +
  end(outcome.stop === 'max_tokens' ? 'MAX_TOKENS' : 'STOP');

/** The wire form of Gemini, for vectors. */
export const geminiWire: DialectWire = {
  builders: asBuilders({
    data,
    chunk,
    says,
    thinks,
    callPart,
    call,
    begun,
    partial,
    text,
    over: () => over,
    end,
    blocked,
    error,
  }),
  wireOf,
  hidesCutCalls: true,
};
