/** Ollama's stream as text, line by line, for vectors. Source: spec/llm/README.md, "The dialects on the wire". */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

const head = '"model":"qwen3","created_at":"2026-11-20T10:00:00.5Z"';

/** A line with a message, as JSON text. */
const line = (message: string, done = 'false'): string =>
  `{${head},"message":{"role":"assistant",${message}},"done":${done}}\n`;

/** Lines of text. */
const says = (...pieces: readonly string[]): string =>
  pieces.map((piece) => line(`"content":${JSON.stringify(piece)}`)).join('');

/** A line with a call. `args` is JSON text. */
const call = (id: string, index: number, name: string, args: string): string =>
  line(
    `"content":"","tool_calls":[{"id":"${id}","function":{"index":${index},"name":"${name}","arguments":${args}}}]`,
  );

const counts =
  '"total_duration":5000,"load_duration":1,"prompt_eval_count":26,"prompt_eval_duration":2,"eval_count":9,"eval_duration":3';

/** The last line, with its reason and the JSON text of its counts. */
const end = (word: string, numbers: string = counts): string =>
  line('"content":""', `true,"done_reason":"${word}",${numbers}`);

/** A drawn generation in wire form. A cut call is dropped. */
const wireOf = ({ text, calls, cut, outcome }: DrawnGeneration): string =>
  says(...text) +
  (cut ? calls.slice(0, -1) : calls)
    .map(({ id, name, input }, i) => call(id, i, name, JSON.stringify(input)))
    .join('') +
  end(outcome.stop === 'max_tokens' ? 'length' : 'stop');

/** The wire form of Ollama, for vectors. */
export const ollamaWire: DialectWire = {
  builders: asBuilders({ line, says, call, end }),
  wireOf,
  hidesCutCalls: true,
};
