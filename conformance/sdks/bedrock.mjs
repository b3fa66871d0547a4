/**
 * Amazon's SDK as a testee: `ConverseStreamCommand`, blocks joined by hand, and a plain loop. Over HTTP/1.1: by default the SDK
 * speaks HTTP/2 alone.
 * Usage: node bedrock.mjs
 */
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { testee } from './testee.mjs';

const stopReasons = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  model_context_window_exceeded: 'context_window',
};

/** Joins the deltas of a stream to the content of a message. */
async function answerOf(stream, turn) {
  const blocks = new Map();
  const answer = { stop: undefined, usage: undefined };
  for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of stream) {
    turn.event();
    const { toolUse } = contentBlockStart?.start ?? {};
    if (toolUse) blocks.set(contentBlockStart.contentBlockIndex, { toolUse: { ...toolUse, input: '' } });
    if (contentBlockDelta) join(blocks, contentBlockDelta, turn);
    answer.stop = messageStop?.stopReason ?? answer.stop;
    answer.usage = metadata?.usage ?? answer.usage;
  }
  return { ...answer, blocks: [...blocks.values()] };
}

function join(blocks, { contentBlockIndex: index, delta }, turn) {
  const { text, toolUse, reasoningContent } = delta;
  const block = blocks.get(index);
  if (toolUse) block.toolUse.input += toolUse.input;
  else if (text) {
    turn.text(text);
    blocks.set(index, { text: (block?.text ?? '') + text });
  } else if (reasoningContent) {
    const before = block?.reasoningContent?.reasoningText ?? { text: '' };
    const { text: more = '', signature } = reasoningContent;
    const reasoningText = { ...before, text: before.text + more, ...(signature && { signature }) };
    blocks.set(index, { reasoningContent: { reasoningText } });
  }
}

/** The block of a call with its input; an empty text is a call without parameters. */
const parsed = ({ toolUse, ...block }) =>
  toolUse ? { toolUse: { ...toolUse, input: JSON.parse(toolUse.input || '{}') } } : block;

/** Reports the calls of an answer that ends for another reason. The limit may have cut the last one. */
function keepWhole(blocks, turn) {
  for (const block of blocks.slice(0, -1)) {
    const { toolUse } = parsed(block);
    if (toolUse) turn.called({ id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input });
  }
}

async function loop(ask, turn) {
  const client = new BedrockRuntimeClient({
    endpoint: ask.base_url,
    region: 'eu-central-1',
    token: { token: 'wireproof' },
    authSchemePreference: ['httpBearerAuth'],
    requestHandler: new NodeHttpHandler(),
  });
  const tools = ask.tools.map(({ name, description, input_schema: json }) => ({
    toolSpec: { name, description, inputSchema: { json } },
  }));
  const messages = [{ role: 'user', content: [{ text: ask.prompt }] }];
  for (let round = 0; round < ask.max_rounds; round++) {
    const command = new ConverseStreamCommand({
      modelId: ask.model,
      messages,
      ...(ask.system && { system: [{ text: ask.system }] }),
      ...(ask.max_tokens && { inferenceConfig: { maxTokens: ask.max_tokens } }),
      ...(tools.length > 0 && { toolConfig: { tools } }),
    });
    const { stream } = await client.send(command, { abortSignal: turn.deadline });
    const { blocks, stop, usage } = await answerOf(stream, turn);
    if (stop === undefined) throw new Error('the stream ended without messageStop');
    const counts = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    turn.stopped(stopReasons[stop] ?? 'unknown', counts ?? {});
    if (stop !== 'tool_use') return keepWhole(blocks, turn);
    const content = blocks.map(parsed);
    const results = content.flatMap(({ toolUse }) => {
      if (!toolUse) return [];
      const call = { id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input };
      turn.called(call);
      return [{ toolResult: { toolUseId: call.id, content: [{ text: turn.execute(call) }] } }];
    });
    if (results.length === 0) return;
    messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
}

testee({ sdk: '@aws-sdk/client-bedrock-runtime', dialect: 'bedrock', turn: loop });
