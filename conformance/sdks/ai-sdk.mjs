/**
 * AI SDK as a testee: `streamText()` with its own loop (`stopWhen: stepCountIs(n)`), over one of its providers.
 * Usage: node ai-sdk.mjs [anthropic | openai-chat | openai-responses]
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { testee } from './testee.mjs';

const dialect = process.argv[2] ?? 'openai-chat';

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'content_filter',
  error: 'error',
};

function modelOf({ base_url, model }) {
  const options = { baseURL: `${base_url}/v1`, apiKey: 'wireproof' };
  if (dialect === 'anthropic') return createAnthropic(options)(model);
  const openai = createOpenAI(options);
  return dialect === 'openai-chat' ? openai.chat(model) : openai.responses(model);
}

const toolOf = ({ name, description, input_schema }, turn) => [
  name,
  tool({
    description,
    inputSchema: jsonSchema(input_schema),
    execute: (input) => turn.execute({ name, input }),
  }),
];

async function loop(ask, turn) {
  const result = streamText({
    model: modelOf(ask),
    ...(ask.system && { system: ask.system }),
    prompt: ask.prompt,
    ...(ask.max_tokens && { maxOutputTokens: ask.max_tokens }),
    tools: Object.fromEntries(ask.tools.map((one) => toolOf(one, turn))),
    stopWhen: stepCountIs(ask.max_rounds),
    abortSignal: turn.deadline,
    onError: () => {},
  });
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') turn.text(part.text);
    if (part.type === 'tool-call' && !part.invalid)
      turn.called({ id: part.toolCallId, name: part.toolName, input: part.input });
    if (part.type === 'finish-step')
      turn.stopped(stopReasons[part.finishReason] ?? 'unknown', {
        input_tokens: part.usage.inputTokens,
        output_tokens: part.usage.outputTokens,
      });
    else if (part.type.endsWith('-delta')) turn.event();
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
}

testee({ sdk: 'ai', dialect, turn: loop });
