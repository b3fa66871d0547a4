/**
 * LangChain.js as a testee: `.stream()` of a chat model, its chunks joined by `concat()`, and a plain loop while the
 * message has `tool_calls`.
 * Usage: node langchain.mjs [anthropic | openai-chat | openai-responses]
 */
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { concat } from '@langchain/core/utils/stream';
import { ChatOpenAI } from '@langchain/openai';
import { testee } from './testee.mjs';

const dialect = process.argv[2] ?? 'openai-chat';

const stopReasons = {
  stop: 'end_turn',
  end_turn: 'end_turn',
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  tool_calls: 'tool_use',
  tool_use: 'tool_use',
  stop_sequence: 'stop_sequence',
  pause_turn: 'pause_turn',
  refusal: 'refusal',
  content_filter: 'content_filter',
  model_context_window_exceeded: 'context_window',
};

function modelOf({ base_url, model, max_tokens: maxTokens, timeout_ms: timeout }) {
  const common = { model, apiKey: 'wireproof', ...(maxTokens && { maxTokens }) };
  if (dialect === 'anthropic')
    return new ChatAnthropic({
      ...common,
      anthropicApiUrl: base_url,
      clientOptions: { ...(timeout && { timeout }) },
    });
  return new ChatOpenAI({
    ...common,
    useResponsesApi: dialect === 'openai-responses',
    configuration: { baseURL: `${base_url}/v1` },
    ...(timeout && { timeout }),
  });
}

/** The reason why a message ended, as the model's API says it. */
function reasonOf({ response_metadata: said, additional_kwargs: more, tool_calls: calls }) {
  const word = said.finish_reason ?? said.stop_reason ?? more.stop_reason ?? said.incomplete_details?.reason;
  if (word !== undefined && word !== null) return stopReasons[word] ?? 'unknown';
  if (said.status !== 'completed') return 'unknown';
  return calls?.length > 0 ? 'tool_use' : 'end_turn';
}

async function loop(ask, turn) {
  const tools = ask.tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  }));
  const model = modelOf(ask).bindTools(tools);
  const messages = [...(ask.system ? [new SystemMessage(ask.system)] : []), new HumanMessage(ask.prompt)];
  for (let round = 0; round < ask.max_rounds; round++) {
    let message;
    for await (const chunk of await model.stream(messages, { signal: turn.signal })) {
      turn.event();
      turn.text(chunk.text);
      message = message === undefined ? chunk : concat(message, chunk);
    }
    if (message === undefined) throw new Error('the stream was empty');
    const { usage_metadata: usage, tool_calls: calls = [] } = message;
    for (const { id, name, args } of calls) turn.called({ id, name, input: args });
    turn.stopped(reasonOf(message), {
      input_tokens: usage?.input_tokens,
      output_tokens: usage?.output_tokens,
    });
    if (calls.length === 0) return;
    messages.push(message);
    for (const { id, name, args } of calls)
      messages.push(new ToolMessage({ tool_call_id: id, content: turn.execute({ name, input: args }) }));
  }
}

const sdk = dialect === 'anthropic' ? '@langchain/anthropic' : '@langchain/openai';
testee({ sdk, dialect, turn: loop });
