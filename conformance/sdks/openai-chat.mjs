/**
 * OpenAI's SDK as a testee, in Chat Completions: the SDK's own loop, `chat.completions.runTools()`; with `--raw` chunks
 * of `create({ stream: true })` put together by hand.
 * Usage: node openai-chat.mjs [--raw]
 */
import OpenAI from 'openai';
import { testee } from './testee.mjs';

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'content_filter',
};

const chatOf = ({ base_url, timeout_ms: timeout }) =>
  new OpenAI({ baseURL: `${base_url}/v1`, apiKey: 'wireproof', ...(timeout && { timeout }) }).chat
    .completions;

const bodyOf = ({ model, system, prompt, max_tokens }) => ({
  model,
  ...(max_tokens && { max_completion_tokens: max_tokens }),
  stream: true,
  stream_options: { include_usage: true },
  messages: [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: prompt }],
});

const functionOf = ({ name, description, input_schema }) => ({ name, description, parameters: input_schema });

const finished = (reason, usage, turn) =>
  turn.stopped(stopReasons[reason] ?? 'unknown', {
    input_tokens: usage?.prompt_tokens,
    output_tokens: usage?.completion_tokens,
  });

async function runTools(ask, turn) {
  const tools = ask.tools.map((tool) => ({
    type: 'function',
    function: {
      ...functionOf(tool),
      parse: JSON.parse,
      function(input) {
        const call = { id: '', name: tool.name, input };
        turn.called(call);
        return turn.execute(call);
      },
    },
  }));
  const runner = chatOf(ask).runTools(
    { ...bodyOf(ask), tools },
    { maxChatCompletions: ask.max_rounds, signal: turn.signal },
  );
  runner.on('chunk', () => turn.event());
  runner.on('content', (text) => turn.text(text));
  runner.on('chatCompletion', ({ choices, usage }) => finished(choices[0].finish_reason, usage, turn));
  await runner.done();
}

async function raw(ask, turn) {
  const chat = chatOf(ask);
  const body = bodyOf(ask);
  const tools = ask.tools.map((tool) => ({ type: 'function', function: functionOf(tool) }));
  for (let round = 0; round < ask.max_rounds; round++) {
    const message = { role: 'assistant', content: '' };
    let finish, usage;
    for await (const chunk of await chat.create({ ...body, tools }, { signal: turn.signal })) {
      turn.event();
      usage = chunk.usage ?? usage;
      const [choice] = chunk.choices;
      if (!choice) continue;
      finish = choice.finish_reason ?? finish;
      if (choice.delta.content) {
        message.content += choice.delta.content;
        turn.text(choice.delta.content);
      }
      for (const { index, ...call } of choice.delta.tool_calls ?? []) {
        message.tool_calls ??= [];
        if (!message.tool_calls[index]) message.tool_calls[index] = call;
        else message.tool_calls[index].function.arguments += call.function.arguments;
      }
    }
    finished(finish, usage, turn);
    if (!message.tool_calls) return;
    body.messages.push(message);
    for (const { id, function: called } of message.tool_calls) {
      const call = { id, name: called.name, input: JSON.parse(called.arguments) };
      turn.called(call);
      const content = turn.execute(call);
      body.messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
}

testee({ sdk: 'openai', dialect: 'openai-chat', turn: process.argv.includes('--raw') ? raw : runTools });
