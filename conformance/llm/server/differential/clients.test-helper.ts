/** The answers of a server as the providers' SDKs, AI SDK and the kit's reference client give them to a program. */
import Anthropic from '@anthropic-ai/sdk';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { LMStudioClient, rawFunctionTool } from '@lmstudio/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { aiSdk } from './ai-sdk.test-helper.mjs';
import { overdueText } from './answer.test-helper.ts';
import type { Answer } from './answer.test-helper.ts';
import { referenceClient } from './reference-client.test-helper.ts';
import { ampleLimit, getWeather, prompts, smallLimit } from '../prompts.ts';

/** The requests: a text, a text that the limit cuts, and two calls. */
export interface Wanted {
  readonly prompt: string;
  readonly limit: number;
  readonly tools: boolean;
  readonly stream: boolean;
}

const wanted: readonly Omit<Wanted, 'stream'>[] = [
  { prompt: prompts.text, limit: ampleLimit, tools: false },
  { prompt: prompts.long, limit: smallLimit, tools: false },
  { prompt: prompts.weather, limit: ampleLimit, tools: true },
];

export type Client = (url: string, wanted: Wanted) => Promise<Answer>;

const { name, description, inputSchema } = getWeather;
const model = 'm';
const schema = { ...inputSchema, type: 'object' as const };
const messagesOf = (prompt: string) => [{ role: 'user' as const, content: prompt }];

const anthropic: Client = async (url, { prompt, limit, tools, stream }) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'wireproof', maxRetries: 0 });
  const offered = tools ? { tools: [{ name, input_schema: schema }] } : {};
  const body = { model, max_tokens: limit, messages: messagesOf(prompt), ...offered };
  const message = stream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create(body);
  const calls = message.content.filter((block) => block.type === 'tool_use');
  return {
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ids: calls.map((call) => call.id),
    names: calls.map((call) => call.name),
    inputs: calls.map((call) => call.input),
    stop: message.stop_reason,
    tokens: message.usage.output_tokens,
  };
};

const openaiOf = (url: string): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries: 0 });

const openaiChat: Client = async (url, { prompt, limit, tools, stream }) => {
  const offered = tools
    ? { tools: [{ type: 'function' as const, function: { name, parameters: schema } }] }
    : {};
  const body = { model, max_completion_tokens: limit, messages: messagesOf(prompt), ...offered };
  const { completions } = openaiOf(url).chat;
  const {
    choices,
    usage,
    id,
    model: from,
  } = stream
    ? await completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
    : await completions.create(body);
  const calls = choices[0]?.message.tool_calls ?? [];
  return {
    text: choices[0]?.message.content ?? '',
    ids: calls.map((call) => call.id),
    names: calls.map((call) => ('function' in call ? call.function.name : '')),
    inputs: calls.map((call) => ('function' in call ? call.function.arguments : '')),
    stop: choices[0]?.finish_reason,
    tokens: usage?.completion_tokens,
    id,
    model: from,
  };
};

const openaiResponses: Client = async (url, { prompt, limit, tools, stream }) => {
  const offered = tools
    ? { tools: [{ type: 'function' as const, name, parameters: schema, strict: false }] }
    : {};
  const body = { model, max_output_tokens: limit, input: prompt, ...offered };
  const { responses } = openaiOf(url);
  const response: OpenAI.Responses.Response = stream
    ? await responses.stream(body).finalResponse()
    : await responses.create(body);
  const calls = response.output.filter((item) => item.type === 'function_call');
  return {
    text: response.output_text,
    ids: calls.map((call) => call.call_id),
    names: calls.map((call) => call.name),
    inputs: calls.map((call) => call.arguments),
    stop: response.status,
    tokens: response.usage?.output_tokens,
    id: response.id,
  };
};

const emptyAnswer = () => ({
  text: '',
  ids: [] as unknown[],
  names: [] as unknown[],
  inputs: [] as unknown[],
  stop: '',
  tokens: 0,
});

const ollama: Client = async (url, { prompt, limit, tools, stream }) => {
  const offered = tools
    ? { tools: [{ type: 'function', function: { name, description: description ?? '', parameters: {} } }] }
    : {};
  const body = { model, messages: messagesOf(prompt), options: { num_predict: limit }, ...offered };
  const answer = emptyAnswer();
  const client = new Ollama({ host: url });
  const parts = stream ? await client.chat({ ...body, stream: true }) : [await client.chat(body)];
  for await (const part of parts) {
    answer.text += part.message.content;
    for (const call of part.message.tool_calls ?? []) {
      answer.ids.push('id' in call ? call.id : undefined);
      answer.names.push(call.function.name);
      answer.inputs.push(call.function.arguments);
    }
    if (part.done) Object.assign(answer, { stop: part.done_reason, tokens: part.eval_count });
  }
  return answer;
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const lmstudio: Client = async (url, { prompt, limit, tools }) => {
  const client = new LMStudioClient({ baseUrl: url.replace('http', 'ws'), logger: silent });
  const llm = await client.llm.model(model);
  const answer = emptyAnswer();
  const weather = rawFunctionTool({
    name,
    description: description ?? '',
    parametersJsonSchema: schema,
    implementation: () => 'mild',
  });
  let round = 0;
  await llm.act(messagesOf(prompt), tools ? [weather] : [], {
    maxTokens: limit,
    maxPredictionRounds: tools ? 2 : 1,
    onRoundStart: (index) => void (round = index),
    onToolCallRequestEnd: (_, __, { toolCallRequest }) => {
      if (round > 0) return;
      answer.ids.push(toolCallRequest.id);
      answer.names.push(toolCallRequest.name);
      answer.inputs.push(toolCallRequest.arguments);
    },
    onToolCallRequestFailure: (_, __, error) => void answer.names.push(`failed: ${error.message}`),
    onPredictionFragment({ content, isStructural, reasoningType }) {
      if (round === 0 && !isStructural && reasoningType === 'none') answer.text += content;
    },
    onPredictionCompleted({ stats }) {
      if (round === 0) Object.assign(answer, { stop: stats.stopReason, tokens: stats.predictedTokensCount });
    },
  });
  await client[Symbol.asyncDispose]();
  return answer;
};

const gemini: Client = async (url, { prompt, limit, tools, stream }) => {
  const { models } = new GoogleGenAI({ apiKey: 'wireproof', httpOptions: { baseUrl: url } });
  const declared = [{ name, description: description ?? '', parametersJsonSchema: schema }];
  const request = {
    model,
    contents: prompt,
    config: { maxOutputTokens: limit, ...(tools && { tools: [{ functionDeclarations: declared }] }) },
  };
  const answer = emptyAnswer();
  const chunks = stream
    ? await models.generateContentStream(request)
    : [await models.generateContent(request)];
  for await (const chunk of chunks) {
    answer.text += chunk.text ?? '';
    for (const call of chunk.functionCalls ?? []) {
      answer.ids.push(call.id);
      answer.names.push(call.name);
      answer.inputs.push(call.args);
    }
    const { finishReason: stop } = chunk.candidates?.[0] ?? {};
    const tokens = chunk.usageMetadata?.candidatesTokenCount;
    if (stop !== undefined) Object.assign(answer, { stop, tokens });
  }
  return answer;
};

const bedrock: Client = async (url, { prompt, limit, tools, stream }) => {
  const client = new BedrockRuntimeClient({
    endpoint: url,
    region: 'eu-central-1',
    maxAttempts: 1,
    // By default it speaks HTTP/2 alone.
    requestHandler: new NodeHttpHandler(),
    token: { token: 'wireproof' },
    authSchemePreference: ['httpBearerAuth'],
  });
  const toolSpec = { name, description: description ?? name, inputSchema: { json: schema } };
  const input = {
    modelId: model,
    messages: [{ role: 'user' as const, content: [{ text: prompt }] }],
    inferenceConfig: { maxTokens: limit },
    ...(tools && { toolConfig: { tools: [{ toolSpec }] } }),
  };
  return stream ? streamedAnswer(client, input) : wholeAnswer(client, input);
};

async function wholeAnswer(client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Answer> {
  const answer = emptyAnswer();
  const { output, stopReason: stop, usage } = await client.send(new ConverseCommand(input));
  for (const { text, toolUse } of output?.message?.content ?? []) {
    answer.text += text ?? '';
    if (toolUse === undefined) continue;
    answer.ids.push(toolUse.toolUseId);
    answer.names.push(toolUse.name);
    answer.inputs.push(toolUse.input);
  }
  return Object.assign(answer, { stop, tokens: usage?.outputTokens });
}

async function streamedAnswer(client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Answer> {
  const answer = emptyAnswer();
  const inputs = new Map<number | undefined, string>();
  const { stream = [] } = await client.send(new ConverseStreamCommand(input));
  for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of stream) {
    const { toolUse } = contentBlockStart?.start ?? {};
    if (toolUse !== undefined) {
      answer.ids.push(toolUse.toolUseId);
      answer.names.push(toolUse.name);
      inputs.set(contentBlockStart?.contentBlockIndex, '');
    }
    const { text, toolUse: more } = contentBlockDelta?.delta ?? {};
    answer.text += text ?? '';
    const index = contentBlockDelta?.contentBlockIndex;
    if (more !== undefined) inputs.set(index, (inputs.get(index) ?? '') + (more.input ?? ''));
    if (messageStop !== undefined) Object.assign(answer, { stop: messageStop.stopReason });
    if (metadata !== undefined) Object.assign(answer, { tokens: metadata.usage?.outputTokens });
  }
  answer.inputs.push(...[...inputs.values()].map((text): unknown => JSON.parse(text === '' ? '{}' : text)));
  return answer;
}

const framework =
  (dialect: 'anthropic' | 'openai-chat' | 'openai-responses'): Client =>
  (url, { prompt, limit, tools, stream }) =>
    aiSdk({ dialect, url, model, prompt, limit, tools: tools ? { [name]: schema } : {}, stream });

/** The dialects whose SDK is installed here. That of the Interactions API needs a newer Node. */
export type SdkDialect = Exclude<DialectName, 'gemini-interactions'>;

export const sdkDialects: readonly SdkDialect[] = dialects.filter((name) => name !== 'gemini-interactions');

/** The clients of each dialect by name; the provider's own SDK is the first. */
export const sdks: { readonly [D in SdkDialect]: { readonly [name: string]: Client } } = {
  anthropic: { '@anthropic-ai/sdk': anthropic, ai: framework('anthropic') },
  'openai-chat': { openai: openaiChat, ai: framework('openai-chat') },
  'openai-responses': { openai: openaiResponses, ai: framework('openai-responses') },
  ollama: { ollama },
  lmstudio: { '@lmstudio/sdk': lmstudio },
  gemini: { '@google/genai': gemini },
  bedrock: { '@aws-sdk/client-bedrock-runtime': bedrock },
};

/** All answers of a server, as one client reads them. */
export const answersOf = (client: Client, url: string, stream = true): Promise<readonly Answer[]> =>
  Promise.all(
    wanted.map((one) =>
      Promise.race([client(url, { ...one, stream }), overdue()]).catch((error: unknown) => ({
        throws: (error instanceof Error ? error.message : String(error)).split(/:?(?:\n| Value: )/)[0] ?? '',
      })),
    ),
  );

/** A client that waits for ever is a reaction, too. */
const overdue = (): Promise<Answer> =>
  new Promise((resolve) => setTimeout(() => resolve({ throws: overdueText }), 5000).unref());

/** The kit's reference client: a process of the built command, which answers many turns at once. */
export const reference =
  (dialect: DialectName): Client =>
  (url, { prompt, limit, tools, stream }) =>
    referenceClient({ dialect, url, model, prompt, limit, stream, tools: tools ? [{ name, schema }] : [] });
