/**
 * Anthropic's SDK as a testee: `messages.stream()` with `finalMessage()`, and a plain loop; with
 * `--runner` the SDK's own loop, `beta.messages.toolRunner()`, without its message threads (they are state of the server).
 * Usage: node anthropic.mjs [--runner]
 */
import Anthropic from '@anthropic-ai/sdk';
import { testee } from './testee.mjs';

const stopReasons = {
  end_turn: 'end_turn',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_use',
  pause_turn: 'pause_turn',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_window',
};

const clientOf = ({ base_url: baseURL, timeout_ms: timeout }) =>
  new Anthropic({ baseURL, apiKey: 'wireproof', ...(timeout && { timeout }) });

const bodyOf = ({ model, system, prompt, max_tokens = 1024 }) => ({
  model,
  max_tokens,
  ...(system && { system }),
  messages: [{ role: 'user', content: prompt }],
});

function watch(stream, turn) {
  stream.on('streamEvent', () => turn.event());
  stream.on('text', (text) => turn.text(text));
}

const callsOf = ({ content }) => content.filter(({ type }) => type === 'tool_use');

function finished(message, turn) {
  const { stop_reason, usage } = message;
  for (const call of callsOf(message)) turn.called(call);
  turn.stopped(stopReasons[stop_reason] ?? 'unknown', {
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_read_tokens: usage.cache_read_input_tokens,
    cache_write_tokens: usage.cache_creation_input_tokens,
  });
}

async function loop(ask, turn) {
  const client = clientOf(ask);
  const body = bodyOf(ask);
  const tools = ask.tools.map(({ name, description, input_schema }) => ({ name, description, input_schema }));
  for (let round = 0; round < ask.max_rounds; round++) {
    const stream = client.messages.stream({ ...body, tools }, { signal: turn.signal });
    watch(stream, turn);
    const message = await stream.finalMessage();
    finished(message, turn);
    if (message.stop_reason !== 'tool_use') return;
    const results = callsOf(message).map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: turn.execute(call),
    }));
    body.messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
  }
}

async function runner(ask, turn) {
  const tools = ask.tools.map(({ name, description, input_schema }) => ({
    name,
    description,
    input_schema,
    parse: (input) => input,
    run: (input) => turn.execute({ name, input }),
  }));
  const streams = clientOf(ask).beta.messages.toolRunner(
    { ...bodyOf(ask), tools, max_iterations: ask.max_rounds, thread: false, stream: true },
    { signal: turn.signal },
  );
  for await (const stream of streams) {
    watch(stream, turn);
    finished(await stream.finalMessage(), turn);
  }
}

testee({
  sdk: '@anthropic-ai/sdk',
  dialect: 'anthropic',
  turn: process.argv.includes('--runner') ? runner : loop,
});
