/**
 * The reference token manager as a testee of the suite `tokens/manager`: one request in, one answer out. Carrying them
 * as lines of JSON is for whoever calls it.
 */
import { dispatcher, isArray } from '../kit/base/index.ts';
import type { Json, JsonObject } from '../kit/base/index.ts';
import { ConversationPruner } from './manager/conversation-pruner.ts';
import { estimateTokens } from './manager/estimate.ts';
import { MessageSummarizer } from './manager/message-summarizer.ts';
import {
  readConfig,
  readList,
  readMessages,
  readNumber,
  readObject,
  readOptions,
  readResponse,
  readTools,
  readUsage,
} from './testee/document-cursor.ts';
import { StopReasonHandler } from './manager/stop-reason-handler.ts';
import { playTurn, providerResponse, shownMessage, shownMessages } from './testee/turn.ts';
import { TokenBudgetManager } from './manager/token-budget-manager.ts';

const summarizer = new MessageSummarizer();

/**
 * Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` of an operation that it does not know. Never
 * throws.
 *
 * @example
 * const messages = [{ role: 'user', content: 'Hello' }];
 * tokensTestee({ id: 1, op: 'tokens.estimate', messages }); // { id: 1, ok: { tokens: 12 } }
 * tokensTestee({ id: 2, op: 'tokens.forecast' }); // { id: 2, unsupported: true }
 */
export const tokensTestee: (request: JsonObject) => JsonObject = dispatcher({
  name: 'wireproof reference',
  version: '0.1.0',
  operations: {
    'tokens.handle_response': handleResponse,
    'tokens.budget': budget,
    'tokens.estimate': (request) => ({ tokens: estimateTokens(messagesOf(request)) }),
    'tokens.prune': prune,
    'tokens.summarize': (request) => ({
      message: shownMessage(summarizer.summarizeMessages(messagesOf(request))),
    }),
    'tokens.turn': playTurn,
  },
});

const messagesOf = (request: JsonObject): ReturnType<typeof readMessages> =>
  readMessages(request['messages'], 'messages');

/** The response comes back with all that it had; only `toolCalls` may be others (TOK-02). */
function handleResponse(request: JsonObject): JsonObject {
  const response = readResponse(request['response'], 'response');
  const tools = readTools(request['tools'] ?? [], 'tools');
  const handler = new StopReasonHandler({ tools, ...readOptions(request['options'], 'options') });
  const handled = handler.handle(providerResponse(response), response.stopReason);
  const left = new Set(handled.response.toolCalls);
  const came = request['response'] as JsonObject;
  const toolCalls = response.toolCalls.flatMap((call, i) =>
    left.has(call) ? [itemAt(came['toolCalls'], i)] : [],
  );
  return {
    response: { ...came, toolCalls },
    warnings: handled.warnings.map((warning) => ({ ...warning })),
  };
}

const itemAt = (list: Json | undefined, i: number): Json => (isArray(list) ? (list[i] ?? null) : null);

function budget(request: JsonObject): JsonObject {
  const manager = new TokenBudgetManager(readConfig(request['config'] ?? {}, 'config'));
  const usages = readList(request['usages'] ?? [], 'usages', (usage, path) =>
    usage === null ? undefined : readUsage(usage, path),
  );
  const { fits } = readObject(request['ask'] ?? {}, 'ask');
  for (const usage of usages) manager.recordUsage(usage);
  return {
    used: manager.used,
    available: manager.available,
    ratio: manager.ratio,
    near: manager.isNearLimit,
    ...(fits === undefined ? {} : { fits: manager.canFit(readNumber(fits, 'ask.fits')) }),
    advice: { ...manager.advice },
    warnings: manager.warnings.map((warning) => ({ ...warning })),
  };
}

function prune(request: JsonObject): JsonObject {
  const limit = readNumber(request['limit'], 'limit', 0);
  const { keepTurns } = request;
  const options = keepTurns === undefined ? {} : { keepTurns: readNumber(keepTurns, 'keepTurns', 0) };
  const pruned = new ConversationPruner(options).pruneMessages(messagesOf(request), limit);
  return { messages: shownMessages(pruned) };
}
