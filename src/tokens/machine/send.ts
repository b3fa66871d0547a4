/** What happens before each request of a turn: compacting, pruning, or giving up (TOK-24, TOK-33, TOK-45). */
import { adviceOf, availableOf } from '../manager/budget.ts';
import { isCompactionDue } from '../manager/compaction.ts';
import { ConversationPruner } from '../manager/conversation-pruner.ts';
import { estimateTokens } from '../manager/estimate.ts';
import { stop } from './state.ts';
import type { TurnEnd, TurnStep } from './state.ts';
import { MAX_OVERFLOWS, compacted, shrink, shrinkTo } from '../manager/overflow.ts';

/** Tokens by which a request must fit more than closely (TOK-24). */
export const SEND_MARGIN = 200;

const shrinkOptions = ({ options: { summarize, window }, config }: TurnStep) => ({
  window: window ?? config.maxTokens,
  ...(summarize === undefined ? {} : { summarize }),
});

/** Sends the conversation, made to fit; sends nothing when it cannot be. */
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

/** The older rule: compact when the budget advises to prune, once in 60 s; that nothing comes of it is no reason to stop. */
function compactWhenAdvised(step: TurnStep): void {
  const { state, config, now } = step;
  if (!isCompactionDue(adviceOf(config, state.used).prune, now, state.compactedAt)) return;
  const smaller = compacted(state.messages, shrinkOptions(step));
  if (smaller !== undefined) take(step, 'compact', smaller);
}

function makeFit(step: TurnStep): boolean {
  const { state, config } = step;
  const limit = availableOf(config, state.used) - SEND_MARGIN;
  if (estimateTokens(state.messages) <= limit) return true;
  const pruned = new ConversationPruner().pruneMessages(state.messages, limit);
  const fits = estimateTokens(pruned) <= limit;
  const smaller = fits ? pruned : shrinkTo(state.messages, limit, shrinkOptions(step));
  if (smaller === undefined) return false;
  take(step, fits ? 'prune' : 'compact', smaller);
  return true;
}

function take(
  { state, actions, now }: TurnStep,
  how: 'compact' | 'prune',
  messages: TurnStep['state']['messages'],
): void {
  state.messages = messages;
  if (how === 'compact') state.compactedAt = now;
  actions.push({ do: how, messages });
}

/**
 * Compacts and sends again after an overflow, twice at most in a turn (TOK-45).
 *
 * @returns whether it did; else the turn has yet to be ended
 */
export function compactAndSend(step: TurnStep): boolean {
  const { state } = step;
  if (state.overflows >= MAX_OVERFLOWS) return false;
  const smaller = shrink(state.messages, shrinkOptions(step));
  if (smaller === undefined) return false;
  state.overflows++;
  take(step, 'compact', smaller);
  state.attempts = 0;
  send(step);
  return true;
}

/** Ends the turn when an overflow cannot be mended. */
export const overflowed = (step: TurnStep, code: TurnEnd): void => {
  if (!compactAndSend(step)) stop(step, code);
};
