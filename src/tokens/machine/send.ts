/** Before each request of a turn, the conversation is made to fit the budget (TOK-24, TOK-33, TOK-45). */
import { adviceOf, availableOf } from '../manager/budget.ts';
import { isCompactionDue } from '../manager/compaction.ts';
import { ConversationPruner } from '../manager/conversation-pruner.ts';
import { estimateTokens } from '../manager/estimate.ts';
import { MAX_OVERFLOWS, compacted, shrink, shrinkTo } from '../manager/overflow.ts';
import type { ShrinkOptions } from '../manager/overflow.ts';
import { stop } from './state.ts';
import type { TurnStep } from './state.ts';

/** The tokens that must be left when a request fits (TOK-24). */
export const SEND_MARGIN = 200;

const shrinkOptions = ({ options: { summarize, window }, config }: TurnStep): ShrinkOptions => ({
  window: window ?? config.maxTokens,
  summarize,
});

/** Makes the conversation fit, and sends it. When it cannot be made to fit, the turn ends. */
export function send(step: TurnStep): void {
  const { state, actions } = step;
  if (state.messages.every(({ role }) => role === 'system')) return stop(step, 'error');
  compactWhenAdvised(step);
  if (!makeFit(step)) {
    actions.push({ do: 'warn', code: 'budget' });
    return stop(step, 'budget');
  }
  state.phase = 'sending';
  state.attempts++;
  actions.push({ do: 'send', messages: state.messages });
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
  const { state, config } = step;
  const limit = availableOf(config, state.used) - SEND_MARGIN;
  if (estimateTokens(state.messages) <= limit) return true;
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
  messages: TurnStep['state']['messages'],
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
