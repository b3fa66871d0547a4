/** AI SDK as a client of one answer. Its declarations import packages that it does not depend on, so this is no TypeScript. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';

function modelOf(dialect, url, model) {
  const options = { baseURL: `${url}/v1`, apiKey: 'wireproof' };
  if (dialect === 'anthropic') return createAnthropic(options)(model);
  const openai = createOpenAI(options);
  return dialect === 'openai-chat' ? openai.chat(model) : openai.responses(model);
}

/** The answer as `streamText()` or `generateText()` gives it to a program. The tools run nothing. */
export async function aiSdk({ dialect, url, model, prompt, limit, tools, stream }) {
  const offered = Object.entries(tools).map(([name, schema]) => [
    name,
    tool({ inputSchema: jsonSchema(schema) }),
  ]);
  const asked = {
    model: modelOf(dialect, url, model),
    prompt,
    maxOutputTokens: limit,
    maxRetries: 0,
    tools: Object.fromEntries(offered),
    onError: () => {},
  };
  return stream ? streamed(streamText(asked)) : whole(await generateText(asked));
}

async function streamed(result) {
  const answer = { text: '', ...callsOf([]) };
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') answer.text += part.text;
    if (part.type !== 'tool-call') continue;
    answer.ids.push(part.toolCallId);
    answer.names.push(part.toolName);
    answer.inputs.push(part.input);
  }
  return { ...answer, stop: await result.finishReason, tokens: (await result.usage).outputTokens };
}

const whole = ({ text, toolCalls, finishReason, usage }) => ({
  text,
  ...callsOf(toolCalls),
  stop: finishReason,
  tokens: usage.outputTokens,
});

const callsOf = (calls) => ({
  ids: calls.map(({ toolCallId }) => toolCallId),
  names: calls.map(({ toolName }) => toolName),
  inputs: calls.map(({ input }) => input),
});
