/**
 * OpenAI's SDK as a testee, in Responses: `responses.stream()` with `finalResponse()`, and a plain loop. Usage: node openai-responses.mjs
 */
import OpenAI from 'openai';
import { testee } from './testee.mjs';

const incomplete = { max_output_tokens: 'max_tokens', content_filter: 'content_filter' };

function stopReasonOf({ status, incomplete_details, output }) {
  if (status === 'incomplete') return incomplete[incomplete_details?.reason] ?? 'unknown';
  if (status !== 'completed') return 'unknown';
  return output.some(({ type }) => type === 'function_call') ? 'tool_use' : 'end_turn';
}

async function loop(ask, turn) {
  const { base_url, timeout_ms: timeout, model, system, prompt, max_tokens } = ask;
  const client = new OpenAI({ baseURL: `${base_url}/v1`, apiKey: 'wireproof', ...(timeout && { timeout }) });
  const input = [{ role: 'user', content: prompt }];
  const body = {
    model,
    ...(system && { instructions: system }),
    ...(max_tokens && { max_output_tokens: max_tokens }),
    tools: ask.tools.map(({ name, description, input_schema: parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
  };
  for (let round = 0; round < ask.max_rounds; round++) {
    const stream = client.responses.stream({ ...body, input }, { signal: turn.signal });
    stream.on('event', () => turn.event());
    stream.on('response.output_text.delta', ({ delta }) => turn.text(delta));
    const response = await stream.finalResponse();
    turn.stopped(stopReasonOf(response), {
      input_tokens: response.usage?.input_tokens,
      output_tokens: response.usage?.output_tokens,
    });
    const calls = response.output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return;
    input.push(...response.output);
    for (const { call_id, name, arguments: text } of calls) {
      const call = { id: call_id, name, input: JSON.parse(text) };
      turn.called(call);
      const output = turn.execute(call);
      input.push({ type: 'function_call_output', call_id, output });
    }
  }
}

testee({ sdk: 'openai', dialect: 'openai-responses', turn: loop });
