/** Before each request of a turn, the conversation is made to fit the budget (TOK-24, TOK-33, TOK-45). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { adviceOf, availableOf } from '../manager/budget.ts';
import { isCompactionDue } from '../manager/compaction.ts';
import { ConversationPruner } from '../manager/conversation-pruner.ts';
import { estimateTokens } from '../manager/estimate.ts';
import { MAX_OVERFLOWS, compacted, shrink, shrinkTo } from '../manager/overflow.ts';
import type { ShrinkOptions } from '../manager/overflow.ts';
import { stop } from './state.ts';
import type { Measured, TurnStep } from './state.ts';

/** The tokens that must be left when a request fits (TOK-24). */
export const SEND_MARGIN = 200;

const shrinkOptions = ({ state, options: { summarize, window }, config }: TurnStep): ShrinkOptions => ({
  window: state.budget?.maxTokens ?? window ?? config.maxTokens,
  summarize,
});

/** The largest conversation that fits (tokens). */
const limitOf = ({ state, config }: TurnStep): number => availableOf(config, state.used) - SEND_MARGIN;

/** The tokens of a conversation: its estimate, corrected by the provider's last count. */
const sizeOf = ({ state: { scale } }: TurnStep, messages: readonly ProviderMessage[]): number =>
  Math.ceil(estimateTokens(messages) * scale);

/** Makes the conversation fit, and sends it. When it cannot be made to fit, the turn ends. */
export function send(step: TurnStep): void {
  const { state, actions } = step;
  if (state.messages.every(({ role }) => role === 'system')) return stop(step, 'error');
  if (beginMeasure(step)) return;
  compactWhenAdvised(step);
  if (!makeFit(step)) {
    actions.push({ do: 'warn', code: 'budget' });
    return stop(step, 'budget');
  }
  state.phase = 'sending';
  state.attempts++;
  actions.push({ do: 'send', messages: state.messages });
}

/** Asks the host about a new conversation that is near the limit. Returns whether it did. */
function beginMeasure(step: TurnStep): boolean {
  const { state, config, options, actions } = step;
  const { messages } = state;
  if (options.measures !== true || messages === state.measured) return false;
  const [size, limit] = [sizeOf(step, messages), limitOf(step)];
  if (size < config.warningThreshold * limit) return false;
  state.phase = 'measuring';
  state.measured = messages;
  actions.push({ do: 'measure', messages, size, limit });
  return true;
}

/** Goes on after `measure`. */
export function sendMeasured(step: TurnStep, { tokens, budget, compacts, stops }: Measured): void {
  const { state, actions } = step;
  const estimated = estimateTokens(state.messages);
  if (tokens !== undefined && Number.isFinite(tokens) && tokens > 0 && estimated > 0)
    state.scale = tokens / estimated;
  if (stops === true) {
    actions.push({ do: 'warn', code: 'budget' });
    return stop(step, 'budget');
  }
  if (budget !== undefined) state.budget = budget;
  const next = { ...step, config: budget ?? step.config };
  if (compacts === true) compactBelowThreshold(next);
  state.measured = state.messages;
  send(next);
}

/** Compacts until the limit is no longer near. When that cannot be, the conversation stays as it is. */
function compactBelowThreshold(step: TurnStep): void {
  const { state, config } = step;
  const limit = (config.warningThreshold * limitOf(step)) / state.scale;
  const smaller = shrinkTo(state.messages, Math.ceil(limit) - 1, shrinkOptions(step));
  if (smaller !== undefined && smaller.length < state.messages.length) replace(step, 'compact', smaller);
}

/** Compacts when the budget advises to prune, once in 60 s (TOK-33). When that saves nothing, the turn continues. */
function compactWhenAdvised(step: TurnStep): void {
  const { state, config, now } = step;
  if (!isCompactionDue(adviceOf(config, state.used).prune, now, state.compactedAt)) return;
  const smaller = compacted(state.messages, shrinkOptions(step));
  if (smaller !== undefined) replace(step, 'compact', smaller);
}

/** Prunes, or else compacts, until the conversation fits. Returns whether it fits. */
function makeFit(step: TurnStep): boolean {
  const { state } = step;
  if (sizeOf(step, state.messages) <= limitOf(step)) return true;
  const limit = Math.floor(limitOf(step) / state.scale);
  const pruned = new ConversationPruner().pruneMessages(state.messages, limit);
  const fits = estimateTokens(pruned) <= limit;
  const smaller = fits ? pruned : shrinkTo(state.messages, limit, shrinkOptions(step));
  if (smaller === undefined) return false;
  replace(step, fits ? 'prune' : 'compact', smaller);
  return true;
}

function replace(
  { state, actions, now }: TurnStep,
  how: 'compact' | 'prune',
  messages: readonly ProviderMessage[],
): void {
  state.messages = messages;
  if (how === 'compact') state.compactedAt = now;
  actions.push({ do: how, messages });
}

/**
 * Compacts and sends again after an overflow, at most twice in a turn (TOK-45).
 *
 * @returns false when it cannot; the caller then ends the turn
 */
export function compactAndSend(step: TurnStep): boolean {
  const { state } = step;
  if (state.overflows >= MAX_OVERFLOWS) return false;
  const smaller = shrink(state.messages, shrinkOptions(step));
  if (smaller === undefined) return false;
  state.overflows++;
  replace(step, 'compact', smaller);
  state.attempts = 0;
  send(step);
  return true;
}
