/**
 * What the agent does about a request that is near the limit of the window: the provider counts it, and then the policy
 * of the options decides (the plan's "Fallback Strategies"): another model, the user's choice, or calls that are put off.
 */
import type { ToolCall, ToolOutcome } from '../kit/base/index.ts';
import { countingOf } from '../llm/index.ts';
import type { Converse, Decoded } from '../llm/index.ts';
import { SEND_MARGIN, adviceOf, availableOf } from '../tokens/index.ts';
import type { FallbackDecision, Measured } from '../tokens/index.ts';
import { budgetOf, fixedTokens, modelOf, sizeOf } from './budget.ts';
import type { AgentTool } from './options.ts';
import type { AgentOutputs, AgentRequest } from './state.ts';
import { beginBatch, beginOwn } from './tools/batch.ts';

/** A request that is estimated at more than this many times its limit is pruned without a count. */
const farOver = 4;

/** How the provider counts a request; undefined when it cannot, has refused to, or a count would not help. */
export function countingFor({ state, whole }: AgentOutputs, { measure }: AgentRequest): Converse | undefined {
  const { size = 0, limit = 0 } = measure ?? {};
  if (whole.llm.counts === false || state.uncountable || size > farOver * limit) return undefined;
  return countingOf(whole.llm.dialect);
}

/** Answers of a provider that may count another time. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The messages of a request in tokens, as the provider counts them; undefined: it has not. */
export function countOf({ state, whole }: AgentOutputs, { response, error }: Decoded): number | undefined {
  const { status = 0, kind } = error ?? {};
  if (kind === 'protocol' || (status >= 400 && status < 500 && !passing.has(status)))
    state.uncountable = true;
  const tokens = error === undefined ? response.metadata.usage?.inputTokens : undefined;
  // The provider counts the system text and the tools, too; the budget has them in its reserve.
  return tokens === undefined ? undefined : Math.max(1, tokens - fixedTokens(whole));
}

/** The decision of the policy about a request whose messages have this size. */
function decisionOf(
  { whole }: AgentOutputs,
  request: AgentRequest,
  needed: number,
  pendingCalls: readonly ToolCall[],
): FallbackDecision | undefined {
  const model = modelOf(whole, request);
  const config = budgetOf(whole, model.window);
  const available = Math.max(0, availableOf(config, 0) - SEND_MARGIN);
  const advice = adviceOf(config, needed + fixedTokens(whole));
  return whole.fallback?.({ model, needed, available, advice, pendingCalls });
}

/** Decides about a measured request. `ask`: the user is asked, and {@link answerOf} has the answer. */
export function decide(
  out: AgentOutputs,
  request: AgentRequest,
  tokens: number | undefined,
): Measured | 'ask' {
  const counted: Measured = tokens === undefined ? {} : { tokens };
  const decision = decisionOf(out, request, tokens ?? request.measure?.size ?? 0, []);
  if (decision?.do === 'switch_model') {
    const { model } = decision;
    out.tell(
      'model',
      JSON.stringify({ request: request.id, from: modelOf(out.whole, request).name, to: model.name }),
    );
    request.model = model;
    return { ...counted, budget: budgetOf(out.whole, model.window) };
  }
  if (decision?.do !== 'ask_user') return counted;
  // The user decides once in a request.
  if (request.asksUser === 'asked') return { ...counted, compacts: true };
  request.asksUser = 'asked';
  const { size, limit } = request.measure ?? { size: 0, limit: 0 };
  if (tokens !== undefined) request.turn.scale *= tokens / Math.max(1, size);
  beginOwn(request, compactTool, { tokens: tokens ?? size, limit });
  return 'ask';
}

/** The call that the user decides about. The agent makes it, and not the model. */
const compactTool: AgentTool = {
  name: 'compact_context',
  description: 'Makes the conversation smaller, because the context window is nearly full.',
  inputSchema: { type: 'object' },
  run: () => ({ do: 'end', end: { outcome: 'completed', output: 'The conversation is made smaller.' } }),
};

/** The answer of the user: the conversation is compacted, or the request ends. */
export function answerOf(request: AgentRequest, results: readonly ToolOutcome[]): Measured {
  if (results.every(({ isError }) => !isError)) return { compacts: true };
  request.asksUser = 'stopped';
  return { stops: true };
}

/** Why a request ended whose conversation was not to be made smaller. */
export const stoppedByUser =
  'the context window is nearly full, and the user did not allow to make the conversation smaller';

const putOff =
  'Not run: the context window is nearly full. Make this call again, after you have used the results of the others.';

/** Begins the calls of a response; near the limit, the policy may put some of them off. */
export function beginCalls(out: AgentOutputs, request: AgentRequest, calls: readonly ToolCall[]): void {
  if (out.whole.fallback === undefined) return beginBatch(request, calls);
  const decision = decisionOf(out, request, sizeOf(request.turn), calls);
  if (decision?.do !== 'defer_tools') return beginBatch(request, calls);
  const { now, later } = decision;
  out.tell('deferred', JSON.stringify({ request: request.id, calls: later.map(({ name }) => name) }));
  beginBatch(
    request,
    now,
    later.map(({ id }) => ({ id, content: putOff, isError: true })),
  );
}
