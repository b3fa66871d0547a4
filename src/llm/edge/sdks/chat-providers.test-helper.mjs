/**
 * Asks a simulated provider with the SDKs of Mistral and OpenRouter, and prints what they hand on, as JSON. It is run in the folder
 * that has them: node FILE SDK URL.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , sdk, url] = process.argv;
const require = createRequire(join(process.cwd(), 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const messages = [{ role: 'user', content: 'Hi' }];
const schema = { type: 'object' };

async function mistral() {
  const { Mistral } = await load('@mistralai/mistralai');
  const client = new Mistral({ serverURL: url, apiKey: 'wireproof', retryConfig: { strategy: 'none' } });
  const tools = [{ type: 'function', function: { name: 'add', parameters: schema } }];
  const contents = [];
  const calls = [];
  let finish;
  for await (const { data } of await client.chat.stream({ model: 'm', messages, tools }))
    for (const { delta, finishReason } of data.choices) {
      contents.push(delta.content);
      calls.push(...(delta.toolCalls ?? []).map((call) => call.function));
      finish = finishReason ?? finish;
    }
  return { contents, calls, finish };
}

async function openrouter() {
  const { createOpenRouter } = await load('@openrouter/ai-sdk-provider');
  const { jsonSchema, stepCountIs, streamText, tool } = await load('ai');
  const provider = createOpenRouter({ baseURL: `${url}/v1`, apiKey: 'wireproof' });
  const errors = [];
  const result = streamText({
    model: provider.chat('m'),
    prompt: 'Hi',
    maxRetries: 0,
    onError: ({ error }) => errors.push(String(error.message)),
    tools: { add: tool({ inputSchema: jsonSchema(schema), execute: () => '3' }) },
    stopWhen: stepCountIs(3),
  });
  await result.consumeStream();
  const steps = await result.steps;
  return {
    errors,
    text: await result.text,
    steps: steps.map(({ finishReason, reasoningText }) => [finishReason, reasoningText ?? null]),
  };
}

process.stdout.write(JSON.stringify(await (sdk === 'mistral' ? mistral() : openrouter())));
