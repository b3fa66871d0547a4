/** Each SDK as a client that sends one request, with its own helper if it has one, and returns the result. */
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { LMStudioClient, rawFunctionTool } from '@lmstudio/sdk';
import { Ollama } from 'ollama';
import type { ToolCall } from 'ollama';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import type { DialectName } from '../../messages.ts';

/** The result that an SDK returns to its caller for one answer. */
export interface Handed {
  text: string;
  thinking: string;
  /** Calls in order, with the SDK's form of their input: a value, or JSON text when the caller must parse it. */
  readonly calls: { readonly name: string; readonly input: unknown }[];
  /** The stop reason in the SDK's word. Absent when it gives none. */
  stop?: string;
  /** The thrown error. Absent when it does not throw. */
  error?: unknown;
}

/** The options of a request. */
export interface Asking {
  readonly url: string;
  /** The SDK's own timeout option, if it has one (ms). */
  readonly timeout?: number;
  /** The signal with which the caller aborts. */
  readonly signal?: AbortSignal;
}

type Client = (asking: Asking, handed: Handed) => Promise<void>;

const schema = { type: 'object' as const, properties: {} };
const names = ['read_file', 'write_file', 'get_weather'];
const model = 'm';
const limit = 4000;
const prompt = [{ role: 'user' as const, content: 'Hi' }];

const anthropic: Client = async ({ url, signal, ...options }, handed) => {
  const client = new Anthropic({ baseURL: url, apiKey: 'wireproof', ...options });
  const tools = names.map((name) => ({ name, input_schema: schema }));
  const stream = client.messages.stream(
    { model, max_tokens: limit, messages: prompt, tools },
    signal && { signal },
  );
  stream.on('text', (text) => (handed.text += text));
  stream.on('thinking', (text) => (handed.thinking += text));
  const { content, stop_reason } = await stream.finalMessage();
  for (const block of content)
    if (block.type === 'tool_use') handed.calls.push({ name: block.name, input: block.input });
  if (stop_reason !== null) handed.stop = stop_reason;
};

const openaiOf = ({ url, timeout }: Asking): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', ...(timeout && { timeout }) });

const openaiChat: Client = async (asking, handed) => {
  const tools = names.map((name) => ({ type: 'function' as const, function: { name, parameters: schema } }));
  const body = { model, max_completion_tokens: limit, messages: prompt, tools };
  const { signal } = asking;
  const stream = openaiOf(asking).chat.completions.stream(body, signal && { signal });
  stream.on('content', (text) => (handed.text += text));
  const { choices } = await stream.finalChatCompletion();
  for (const call of choices[0]?.message.tool_calls ?? [])
    if (call.type === 'function')
      handed.calls.push({ name: call.function.name, input: call.function.arguments });
  const [choice] = choices;
  if (choice !== undefined) handed.stop = choice.finish_reason;
};

const openaiResponses: Client = async (asking, handed) => {
  const tools = names.map((name) => ({
    type: 'function' as const,
    name,
    parameters: schema,
    strict: false,
  }));
  const body = { model, max_output_tokens: limit, input: prompt, tools };
  const { signal } = asking;
  const stream = openaiOf(asking).responses.stream(body, signal && { signal });
  stream.on('response.output_text.delta', ({ delta }) => (handed.text += delta));
  const { output, status, incomplete_details } = await stream.finalResponse();
  for (const item of output) {
    if (item.type === 'reasoning') handed.thinking += item.summary.map(({ text }) => text).join('');
    if (item.type === 'function_call') handed.calls.push({ name: item.name, input: item.arguments });
  }
  const stop = incomplete_details?.reason ?? status;
  if (stop !== undefined) handed.stop = stop;
};

/** Calls are returned when the stream is over, because a plain loop executes them then. */
const ollama: Client = async ({ url, signal }, handed) => {
  const client = new Ollama({ host: url });
  signal?.addEventListener('abort', () => client.abort());
  const tools = names.map((name) => ({ type: 'function', function: { name, parameters: schema } }));
  const body = { model, messages: prompt, tools, options: { num_predict: limit } };
  const calls: ToolCall[] = [];
  for await (const { message, done_reason } of await client.chat({ ...body, stream: true })) {
    handed.text += message.content;
    handed.thinking += message.thinking ?? '';
    calls.push(...(message.tool_calls ?? []));
    if (done_reason !== undefined) handed.stop = done_reason;
  }
  for (const { function: called } of calls) handed.calls.push({ name: called.name, input: called.arguments });
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `act()` continues by itself. Only the result of its first round counts. */
const lmstudio: Client = async ({ url, signal }, handed) => {
  const client = new LMStudioClient({ baseUrl: url.replace('http', 'ws'), logger: silent });
  // Not awaited, because it waits for predictions that the server never ends.
  onTestFinished(() => void client[Symbol.asyncDispose]());
  let round = 0;
  const tools = names.map((name) =>
    rawFunctionTool({
      name,
      description: name,
      parametersJsonSchema: schema,
      implementation: (input) => void handed.calls.push({ name, input }),
    }),
  );
  const llm = await client.llm.model(model);
  await llm.act(prompt, tools, {
    maxTokens: limit,
    ...(signal && { signal }),
    onRoundStart: (index) => void (round = index),
    onPredictionFragment({ content, reasoningType, isStructural }) {
      if (round === 0 && !isStructural) handed[reasoningType === 'none' ? 'text' : 'thinking'] += content;
    },
    onPredictionCompleted({ stats }) {
      if (round === 0) handed.stop = stats.stopReason;
    },
  });
};

const gemini: Client = async ({ url, signal }, handed) => {
  const { models } = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: url } });
  const stream = await models.generateContentStream({
    model,
    contents: prompt.map(({ role, content }) => ({ role, parts: [{ text: content }] })),
    config: {
      maxOutputTokens: limit,
      tools: [
        {
          functionDeclarations: names.map((name) => ({
            name,
            description: name,
            parametersJsonSchema: schema,
          })),
        },
      ],
      ...(signal && { abortSignal: signal }),
    },
  });
  for await (const { candidates } of stream) {
    const [candidate] = candidates ?? [];
    for (const { text, thought, functionCall } of candidate?.content?.parts ?? []) {
      if (functionCall !== undefined)
        handed.calls.push({ name: functionCall.name ?? '', input: functionCall.args ?? {} });
      else handed[thought === true ? 'thinking' : 'text'] += text ?? '';
    }
    if (candidate?.finishReason !== undefined) handed.stop = candidate.finishReason;
  }
};

const bedrock: Client = async ({ url, timeout, signal }, handed) => {
  const client = new BedrockRuntimeClient({
    endpoint: url,
    region: 'eu-central-1',
    token: { token: 'wireproof' },
    authSchemePreference: ['httpBearerAuth'],
    // By default it speaks HTTP/2 alone.
    requestHandler: new NodeHttpHandler(timeout === undefined ? {} : { requestTimeout: timeout }),
  });
  const tools = names.map((name) => ({ toolSpec: { name, inputSchema: { json: schema } } }));
  const command = new ConverseStreamCommand({
    modelId: model,
    inferenceConfig: { maxTokens: limit },
    messages: prompt.map(({ role, content }) => ({ role, content: [{ text: content }] })),
    toolConfig: { tools },
  });
  const { stream = [] } = await client.send(command, signal && { abortSignal: signal });
  const calls = new Map<number | undefined, { readonly name: string; input: string }>();
  for await (const { contentBlockStart, contentBlockDelta, messageStop } of stream) {
    const { toolUse } = contentBlockStart?.start ?? {};
    if (toolUse !== undefined)
      calls.set(contentBlockStart?.contentBlockIndex, { name: toolUse.name ?? '', input: '' });
    const { text, reasoningContent, toolUse: more } = contentBlockDelta?.delta ?? {};
    handed.text += text ?? '';
    handed.thinking += reasoningContent?.text ?? '';
    const call = calls.get(contentBlockDelta?.contentBlockIndex);
    if (call !== undefined) call.input += more?.input ?? '';
    if (messageStop?.stopReason !== undefined) handed.stop = messageStop.stopReason;
  }
  handed.calls.push(...calls.values());
};

/** The dialects whose SDK is installed here. That of the Interactions API needs a newer Node. */
export type SdkDialect = Exclude<DialectName, 'gemini-interactions'>;

const clients: { readonly [dialect in SdkDialect]: Client } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  ollama,
  lmstudio,
  gemini,
  bedrock,
};

/** Sends one request with the SDK of a dialect. A thrown error is part of the result. */
export async function ask(dialect: SdkDialect, asking: Asking): Promise<Handed> {
  const handed: Handed = { text: '', thinking: '', calls: [] };
  await clients[dialect](asking, handed).catch((error: unknown) => (handed.error = error));
  return handed;
}
