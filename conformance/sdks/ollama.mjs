/**
 * Ollama's client as a testee: `chat({ stream: true })` and a plain loop.
 * Usage: node ollama.mjs
 */
import { Ollama } from 'ollama';
import { testee } from './testee.mjs';

const stopReasons = { stop: 'end_turn', length: 'max_tokens' };

async function loop(ask, turn) {
  const client = new Ollama({ host: ask.base_url });
  const { deadline } = turn;
  deadline.addEventListener('abort', () => client.abort());
  const tools = ask.tools.map(({ name, description, input_schema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  const messages = [{ role: 'user', content: ask.prompt }];
  if (ask.system) messages.unshift({ role: 'system', content: ask.system });
  for (let round = 0; round < ask.max_rounds; round++) {
    const stream = await client.chat({
      model: ask.model,
      messages,
      tools,
      stream: true,
      ...(ask.max_tokens && { options: { num_predict: ask.max_tokens } }),
    });
    const message = { role: 'assistant', content: '', thinking: '', tool_calls: [] };
    for await (const chunk of stream) {
      turn.event();
      if (chunk.message.thinking) message.thinking += chunk.message.thinking;
      if (chunk.message.content) {
        message.content += chunk.message.content;
        turn.text(chunk.message.content);
      }
      if (chunk.message.tool_calls) message.tool_calls.push(...chunk.message.tool_calls);
      if (!chunk.done) continue;
      const called = message.tool_calls.length > 0 && chunk.done_reason === 'stop';
      turn.stopped(called ? 'tool_use' : (stopReasons[chunk.done_reason] ?? 'unknown'), {
        input_tokens: chunk.prompt_eval_count,
        output_tokens: chunk.eval_count,
      });
    }
    if (message.tool_calls.length === 0) return;
    messages.push(message);
    for (const { id, function: called } of message.tool_calls) {
      const call = { id, name: called.name, input: called.arguments };
      turn.called(call);
      const content = turn.execute(call);
      messages.push({ role: 'tool', tool_name: called.name, content });
    }
  }
}

testee({ sdk: 'ollama', dialect: 'ollama', turn: loop });
