/** Readers of model servers and their clients; see readers.test-helper.ts. */
import { describe } from 'vitest';
import { dialectOf } from '../../src/llm/index.ts';
import { bytes, filled, holds, inChunks, values, worstJson } from './readers.test-helper.ts';

const dialectInputs: { readonly [kind: string]: string } = {
  ...values,
  messages: `{"model":"m","max_tokens":9,"stream":true,"messages":${filled('{"role":"user","content":"a"},', '[', '{"role":"user","content":"a"}]')}}`,
  blocks: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":${filled('{"type":"text","text":"a"},', '[', '{"type":"text","text":"a"}]')}}]}`,
  tools: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],"tools":[${Array.from({ length: 8000 }, (_, n) => `{"type":"function","name":"t${n}","description":"d","input_schema":{"type":"object"},"function":{"name":"t${n}","parameters":{}}}`).join(',')}]}`,
  calls: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[${Array.from({ length: 9000 }, (_, n) => `{"type":"tool_use","id":"c${n}","name":"n","input":{}}`).join(',')}]},{"role":"user","content":[${Array.from({ length: 9000 }, (_, n) => `{"type":"tool_result","tool_use_id":"c${n}","content":"a"}`).join(',')}]}]}`,
  'calls of OpenAI': `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[${Array.from({ length: 6000 }, (_, n) => `{"type":"function","id":"c${n}","function":{"name":"n","arguments":"{}"}}`).join(',')}]},${Array.from({ length: 6000 }, (_, n) => `{"role":"tool","tool_call_id":"c${n}","content":"a"}`).join(',')}]}`,
  'items of OpenAI': `{"model":"m","input":[${Array.from({ length: 9000 }, (_, n) => `{"type":"function_call","call_id":"c${n}","name":"n","arguments":"{}"},{"type":"function_call_output","call_id":"c${n}","output":"a"}`).join(',')}]}`,
};

/** Bodies of streamed answers. */
const answerInputs: { readonly [kind: string]: string } = {
  'line breaks': filled('\n'),
  'carriage returns': filled('\r'),
  'empty data': filled('data:\n\n'),
  'small data': filled('data: {}\n\n'),
  'data of one event': filled('data: a\n'),
  'lines of objects': filled('{}\n'),
  'one line': filled('x'),
  'one event': filled('x', 'data: '),
  fields: filled('a:b\n'),
  'chunks of OpenAI': filled('data: {"id":"a","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'),
  'calls of OpenAI': Array.from(
    { length: 8000 },
    (_, n) =>
      `data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":${n},"id":"c${n}","function":{"name":"n","arguments":"{"}}]}}]}\n\n`,
  ).join(''),
  'arguments of OpenAI': filled(
    'data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}\n\n',
  ),
  'deltas of Anthropic':
    'event: message_start\ndata: {"type":"message_start","message":{"id":"a","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"n","input":{}}}\n\n' +
    filled(
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}\n\n',
    ),
  'blocks of Anthropic':
    'event: message_start\ndata: {"type":"message_start","message":{"id":"a","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n' +
    Array.from(
      { length: 7000 },
      (_, n) =>
        `event: content_block_start\ndata: {"type":"content_block_start","index":${n},"content_block":{"type":"text","text":""}}\n\n`,
    ).join(''),
  'deltas of Responses': filled(
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"a","output_index":0,"content_index":0,"delta":"a"}\n\n',
  ),
  'items of Responses': Array.from(
    { length: 7000 },
    (_, n) =>
      `event: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":${n},"item":{"type":"function_call","id":"f${n}","call_id":"c${n}","name":"n","arguments":""}}\n\n`,
  ).join(''),
  'lines of Ollama': filled('{"model":"m","message":{"role":"assistant","content":"a"},"done":false}\n'),
  'calls of Ollama': filled(
    '{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"n","arguments":{}}}]},"done":false}\n',
  ),
  ...Object.fromEntries(
    Object.entries(worstJson).map(([kind, text]) => [`data: ${kind}`, `data: ${text}\n\n`]),
  ),
};

describe('LLM', () => {
  for (const [name, dialect] of Object.entries(dialectOf)) {
    holds<string>(
      { [`a request to ${name}`]: (text) => dialect.readRequest(JSON.parse(text), {}, dialect.paths[0]) },
      dialectInputs,
    );
    holds<string>(
      {
        [`an answer of ${name}`]: async (text) => {
          const decoder = dialect.decoder();
          await inChunks(bytes(text), (chunk) => decoder.push(chunk));
          decoder.end('clean');
        },
        [`a whole answer of ${name}`]: (text) => dialect.readWhole(200, {}, bytes(text)),
      },
      answerInputs,
    );
  }
});
