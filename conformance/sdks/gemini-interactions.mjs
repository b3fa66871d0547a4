/**
 * Google's SDK on the Interactions API as a testee: `interactions.create()` with `stream: true` and a plain loop, which continues
 * the interaction at the provider. Needs @google/genai 3.3 and Node.js 22.
 * Usage: node gemini-interactions.mjs
 */
import { GoogleGenAI } from '@google/genai';
import { testee } from './testee.mjs';

const stopReasons = {
  completed: 'end_turn',
  requires_action: 'tool_use',
  incomplete: 'max_tokens',
  requires_continuation: 'pause_turn',
  cancelled: 'cancelled',
};

/** Takes the events of one interaction. The SDK hands errors on as events, and joins nothing. */
async function read(stream, turn) {
  const calls = new Map();
  let interaction;
  for await (const event of stream) {
    turn.event();
    const { event_type: type, index, step, delta } = event;
    if (type === 'error') throw new Error(event.error?.message);
    if (type === 'interaction.completed') interaction = event.interaction;
    if (type === 'step.start') for (const { text } of step.content ?? []) if (text) turn.text(text);
    if (step?.type === 'function_call') calls.set(index, { ...step, text: '' });
    if (delta?.type === 'text') turn.text(delta.text);
    if (delta?.type === 'arguments_delta') calls.get(index).text += delta.arguments ?? '';
  }
  if (interaction === undefined) throw new Error('the stream ended without interaction.completed');
  if (interaction.status === 'failed') throw new Error('the interaction failed');
  return { interaction, calls: [...calls.values()] };
}

/** The input of a call: its deltas, or what stands in its start. A call that does not parse, or is no object, has none. */
function inputOf({ text, arguments: given }) {
  try {
    const input = text === '' ? given : JSON.parse(text);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

async function loop(ask, turn) {
  const { interactions } = new GoogleGenAI({ apiKey: 'wireproof', httpOptions: { baseUrl: ask.base_url } });
  const common = {
    model: ask.model,
    stream: true,
    automatic_continuation: false,
    tools: ask.tools.map(({ name, description, input_schema: parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
    })),
    ...(ask.system && { system_instruction: ask.system }),
    ...(ask.max_tokens && { generation_config: { max_output_tokens: ask.max_tokens } }),
  };
  const options = { signal: turn.deadline };
  let asked = { input: ask.prompt };
  for (let round = 0; round < ask.max_rounds; round++) {
    const { interaction, calls } = await read(
      await interactions.create({ ...common, ...asked }, options),
      turn,
    );
    const reason = stopReasons[interaction.status] ?? 'unknown';
    const { usage } = interaction;
    const counts = usage && {
      input_tokens: usage.total_input_tokens ?? 0,
      output_tokens: (usage.total_output_tokens ?? 0) + (usage.total_thought_tokens ?? 0),
    };
    turn.stopped(reason, counts);
    const results = [];
    for (const { id, name, ...call } of calls) {
      const input = inputOf(call);
      if (input === undefined) continue;
      turn.called({ id, name, input });
      if (reason === 'tool_use')
        results.push({
          type: 'function_result',
          name,
          call_id: id,
          result: turn.execute({ id, name, input }),
        });
    }
    if (reason !== 'tool_use' || results.length === 0) return;
    asked = { previous_interaction_id: interaction.id, input: results };
  }
}

testee({ sdk: '@google/genai', dialect: 'gemini-interactions', turn: loop });
