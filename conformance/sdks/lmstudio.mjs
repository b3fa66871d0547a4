/** LM Studio's SDK as a testee: `model.act()`, which does the loop by itself. Usage: node lmstudio.mjs */
import { LMStudioClient, rawFunctionTool } from '@lmstudio/sdk';
import { testee } from './testee.mjs';

const stopReasons = {
  eosFound: 'end_turn',
  stopStringFound: 'stop_sequence',
  toolCalls: 'tool_use',
  maxPredictedTokensReached: 'max_tokens',
  contextLengthReached: 'context_window',
  userStopped: 'cancelled',
  failed: 'error',
};

/** A client for as long as the program lives; one a place. */
const clients = new Map();

function clientOf({ base_url }) {
  const baseUrl = base_url.replace(/^http/, 'ws');
  if (!clients.has(baseUrl)) clients.set(baseUrl, new LMStudioClient({ baseUrl }));
  return clients.get(baseUrl);
}

async function act(ask, turn) {
  const model = await clientOf(ask).llm.model(ask.model);
  const tools = ask.tools.map(({ name, description, input_schema }) =>
    rawFunctionTool({
      name,
      description,
      // The SDK wants `properties`.
      parametersJsonSchema: { properties: {}, ...input_schema },
      implementation(input, { callId }) {
        const call = { id: String(callId), name, input };
        turn.called(call);
        return turn.execute(call);
      },
    }),
  );
  const messages = [{ role: 'user', content: ask.prompt }];
  if (ask.system) messages.unshift({ role: 'system', content: ask.system });
  await model.act(messages, tools, {
    maxPredictionRounds: ask.max_rounds,
    ...(ask.max_tokens && { maxTokens: ask.max_tokens }),
    signal: turn.deadline,
    onPredictionFragment({ content, isStructural, reasoningType }) {
      turn.event();
      if (!isStructural && reasoningType === 'none') turn.text(content);
    },
    onPredictionCompleted({ stats }) {
      turn.stopped(stopReasons[stats.stopReason] ?? 'unknown', {
        input_tokens: stats.promptTokensCount,
        output_tokens: stats.predictedTokensCount,
      });
    },
  });
}

testee({ sdk: '@lmstudio/sdk', dialect: 'lmstudio', turn: act });
