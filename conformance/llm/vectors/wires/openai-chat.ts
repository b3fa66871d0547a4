/**
 * The stream of OpenAI Chat Completions as text, for vectors. Source: spec/llm/README.md, "The dialects on the wire".
 */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** A chunk. `choices` and `usage` are JSON text. */
const chunk = (choices: string, usage = 'null'): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763632800,"model":"gpt-9","service_tier":"default","system_fingerprint":"fp_1","choices":[${choices}],"usage":${usage}}\n\n`;

/** A chunk with a delta, as JSON text. */
const delta = (text: string, finish: string | null = null): string =>
  chunk(`{"index":0,"delta":${text},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`);

/** The first chunk, with only the role. */
const role: string = delta('{"role":"assistant","content":"","refusal":null}');

/** Chunks of text. */
const says = (...pieces: readonly string[]): string =>
  pieces.map((piece) => delta(`{"content":${JSON.stringify(piece)}}`)).join('');

/** A call's first delta. */
const begun = (index: number, id: string, name: string, args = ''): string =>
  delta(
    `{"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"${name}","arguments":${JSON.stringify(args)}}}]}`,
  );

/** More of a call's arguments, by its index alone. */
const more = (index: number, ...pieces: readonly string[]): string =>
  pieces
    .map((piece) =>
      delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(piece)}}}]}`),
    )
    .join('');

/** A call, its arguments in pieces. */
const call = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  begun(index, id, name) + more(index, ...pieces);

/** A call of a custom tool, its text in pieces: ChatCompletionMessageCustomToolCall of openai 6.49. */
const custom = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  delta(
    `{"tool_calls":[{"index":${index},"id":"${id}","type":"custom","custom":{"name":"${name}","input":""}}]}`,
  ) + moreText(index, ...pieces);

/** More of the text of a custom tool's call. */
const moreText = (index: number, ...pieces: readonly string[]): string =>
  pieces
    .map((piece) => delta(`{"tool_calls":[{"index":${index},"custom":{"input":${JSON.stringify(piece)}}}]}`))
    .join('');

/** The chunk with the finish reason. */
const finish = (word: string): string => delta('{}', word);

/** The terminal after the last chunk. */
const done = 'data: [DONE]\n\n';

/** The usage chunk, without choices. */
const counts = (usage: string): string => chunk('', usage);

/** The end of a response, with this finish reason. */
const end = (word: string): string =>
  finish(word) + counts('{"prompt_tokens":20,"completion_tokens":8,"total_tokens":28}') + done;

/** An error in mid-stream, as JSON text. */
const error = (text: string): string => `data: {"error":${text}}\n\n`;

/** A drawn generation in wire form. The pieces of its calls are interleaved. */
function wireOf({ text, calls, outcome }: DrawnGeneration): string {
  const turns = Math.max(0, ...calls.map(({ pieces }) => pieces.length));
  const pieces = Array.from({ length: turns }, (_, turn) =>
    calls.map(({ pieces: each }, i) => more(i, ...each.slice(turn, turn + 1))).join(''),
  );
  const words: Readonly<Record<string, string>> = { max_tokens: 'length', tool_use: 'tool_calls' };
  const starts = calls.map(({ id, name }, i) => begun(i, id, name));
  return role + says(...text) + starts.join('') + pieces.join('') + end(words[outcome.stop] ?? 'stop');
}

/** The wire form of OpenAI Chat Completions, for vectors. */
export const openaiChatWire: DialectWire = {
  builders: asBuilders({
    chunk,
    delta,
    role: () => role,
    says,
    begun,
    more,
    call,
    custom,
    moreText,
    finish,
    done: () => done,
    counts,
    end,
    error,
  }),
  wireOf,
};
