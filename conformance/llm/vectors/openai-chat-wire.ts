/** The stream of OpenAI Chat Completions as text: what the cases are made of. Source: spec/llm/README.md, "The dialects on the wire". */

/** A chunk; `choices` and `usage` are JSON text. */
export const chunk = (choices: string, usage = 'null'): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1763632800,"model":"gpt-9","service_tier":"default","system_fingerprint":"fp_1","choices":[${choices}],"usage":${usage}}\n\n`;

/** A chunk with a delta, as JSON text. */
export const delta = (text: string, finish: string | null = null): string =>
  chunk(`{"index":0,"delta":${text},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`);

/** The first chunk: nothing but the role. */
export const role: string = delta('{"role":"assistant","content":"","refusal":null}');

/** Chunks of text. */
export const says = (...pieces: readonly string[]): string =>
  pieces.map((piece) => delta(`{"content":${JSON.stringify(piece)}}`)).join('');

/** A call's first delta. */
export const begun = (index: number, id: string, name: string, args = ''): string =>
  delta(
    `{"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"${name}","arguments":${JSON.stringify(args)}}}]}`,
  );

/** More of a call's arguments, by its index alone. */
export const more = (index: number, ...pieces: readonly string[]): string =>
  pieces
    .map((piece) =>
      delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(piece)}}}]}`),
    )
    .join('');

/** A call, its arguments in pieces. */
export const call = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  begun(index, id, name) + more(index, ...pieces);

/** The chunk with the finish reason. */
export const finish = (word: string): string => delta('{}', word);

/** The word behind the last chunk. */
export const done = 'data: [DONE]\n\n';

/** The usage chunk: no choices. */
export const counts = (usage: string): string => chunk('', usage);

/** The end of a response, with this finish reason. */
export const end = (word: string): string =>
  finish(word) + counts('{"prompt_tokens":20,"completion_tokens":8,"total_tokens":28}') + done;

/** An error in mid-stream, as JSON text. */
export const error = (text: string): string => `data: {"error":${text}}\n\n`;
